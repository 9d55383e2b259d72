import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openVault } from "../../../lib/vault/vault.ts";
import type { Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { endOf, startScript } from "./fleet.ts";
import { checkHistory } from "./history.ts";
import { readHistories } from "./history-file.ts";
import { readHomeState } from "./home-state.ts";
import { reopenLater } from "./reopen.ts";
import type { ActorJob } from "./swarm-actor.ts";

const NAMESPACE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Containers that share a home: every one of them has a process 1, and after a restart again. */
export const pidNamespaces: Section = {
  name: "pid-namespaces",
  cannotRun() {
    if (process.platform !== "linux") return "pid namespaces are Linux's";
    const [command = "", ...args] = [...NAMESPACE, "true"];
    return spawnSync(command, args).status === 0 ? undefined : `${NAMESPACE.join(" ")} is not allowed here`;
  },
  async run({ form, log }) {
    const seconds = form === "short" ? 4 : 30;
    log(`pid namespaces: two, for ${seconds} s`);
    return withFolder(async (folder) => {
      const [home, histories] = [join(folder, "home"), join(folder, "histories")];
      mkdirSync(histories);
      openVault({ home, create: true }).close();
      const untilMs = Date.now() + seconds * 1_000;
      const job = (who: number, names: readonly string[]): ActorJob => ({
        home,
        history: join(histories, `${who}.ndjson`),
        names,
        agent: `agent-${who}`,
        seed: who,
        role: "mixed",
        untilMs,
      });
      const start = (who: number) => startScript("./swarm-actor.js", job(who, ["one"]), {}, NAMESPACE);
      const children = [start(1), start(2)];
      const ends = children.map(endOf);
      // the container is killed and started again: the new process has the number of the dead one
      await sleep((untilMs - Date.now()) / 2);
      children[0]?.kill("SIGKILL");
      const problems = await Promise.all([...ends, endOf(start(3))]);
      const history = readHistories(histories);
      const warnings = reopenLater(home);
      const outcomes = history.tried.flatMap((one) => one.outcome ?? []);
      return [
        {
          fault: "two pid namespaces change one skill, both as process 1",
          trials: history.tried.length,
          findings: [
            ...problems.flatMap(({ problem }) => problem ?? []),
            ...warnings,
            ...checkHistory(history, readHomeState(home)),
          ],
          figures: {
            acknowledged: outcomes.filter((one) => one.ok).length,
            conflicts: outcomes.filter((one) => one.code === "CANONRY_CONFLICT").length,
          },
        },
      ];
    });
  },
};
