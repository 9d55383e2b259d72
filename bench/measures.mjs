// What one answer is worth, and how sure a difference is.
export const MEASURES = ["Hit@1", "Recall@5", "Recall@10", "MRR", "nDCG@10"];

/** Of the ids of the best ten, where some are `gold`. Each label names one skill, so recall is 0 or 1. */
export function measure(ids, gold) {
  const at = ids.findIndex((id) => gold.includes(id));
  const within = (most) => (at >= 0 && at < most ? 1 : 0);
  return {
    "Hit@1": within(1),
    "Recall@5": within(5),
    "Recall@10": within(10),
    MRR: at < 0 ? 0 : 1 / (at + 1),
    "nDCG@10": at < 0 ? 0 : 1 / Math.log2(at + 2),
  };
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** 95 % interval of the mean of paired differences, in points. Queries of one skill are drawn together: they are alike. */
export function interval(differences, groups, draws = 4_000) {
  const members = new Map();
  for (const [at, group] of groups.entries()) {
    const sums = members.get(group) ?? [0, 0];
    members.set(group, [sums[0] + differences[at], sums[1] + 1]);
  }
  const list = [...members.values()];
  let state = 20_260_101;
  const dice = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * list.length);
  };
  const means = Array.from({ length: draws }, () => {
    let [sum, count] = [0, 0];
    for (let n = 0; n < list.length; n++) {
      const [part, size] = list[dice()];
      sum += part;
      count += size;
    }
    return (100 * sum) / count;
  }).sort((a, b) => a - b);
  return [means[Math.floor(draws * 0.025)], means[Math.floor(draws * 0.975)]];
}
