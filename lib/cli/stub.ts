import { CanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { didYouMean } from "../core/nearest.ts";
import { counted } from "../core/text.ts";
import { STUB_RANKS, type StubRank } from "../schema/options.ts";
import type { Call } from "./command.ts";
import { printJson, say, saySkipped, wholeNumber, withLibrary } from "./session.ts";

/** Nothing at all on stdout where no skill is eligible (S2.21). Why each skill is in or out goes to stderr. */
export async function run(call: Call): Promise<number> {
  const { tools, role, budget, rank } = call.options as Readonly<Record<string, string | undefined>>;
  const asked = {
    role,
    ...(tools === undefined ? {} : { tools: wordsOf(tools) }),
    ...(budget === undefined ? {} : { budget: wholeNumber(budget, "--budget", 1) }),
    ...(rank === undefined ? {} : { rank: checkedRank(rank) }),
    explain: call.options["explain"] === true,
    task: await taskOf(call),
  };
  return withLibrary(call, {}, async (library) => {
    const { hiddenByTools, ...stub } = await library.stub(asked);
    if (call.options.json === true) printJson(call, stub);
    else {
      call.io.out(stub.text);
      if (stub.explained !== undefined) (await import("./explained.ts")).printExplained(call, stub.explained);
    }
    if (hiddenByTools > 0)
      say(
        call,
        `Left out for want of a tool that --tools does not name: ${counted(hiddenByTools, "skill")}.`,
      );
    if (stub.count === 0 && stub.remaining > 0)
      say(call, `No skill fits the budget; ${stub.remaining} are eligible.`);
    await saySkipped(call, library);
    return 0;
  });
}

/** The text of --task, or of stdin for `-`. Blank, say of a variable that is not set, is as none, and said. */
async function taskOf(call: Call): Promise<string | undefined> {
  const given = call.options["task"] as string | undefined;
  const text = given === "-" ? await fromStdin(call) : given;
  if (text?.trim() === "") say(call, "The task is empty: the stub is the one without a task.");
  return text;
}

/** As much of stdin as a task is read of; the rest is let go by, so that whoever writes it is not cut off. */
async function fromStdin(call: Call): Promise<string> {
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of call.io.input()) {
    const bytes = Buffer.from(chunk);
    if (read < LIMITS.queryBytes) kept.push(bytes);
    read += bytes.length;
    if (read > LIMITS.taskBytes)
      throw new CanonryError(
        "CANONRY_USAGE",
        `A task on stdin has at most ${LIMITS.taskBytes / 1_048_576} MiB; received more. Its first ${LIMITS.queryBytes} bytes count.`,
        { data: { most: LIMITS.taskBytes } },
      );
  }
  return Buffer.concat(kept).toString("utf8");
}

function checkedRank(rank: string): StubRank {
  const known = STUB_RANKS.find((one) => one === rank);
  if (known !== undefined) return known;
  throw new CanonryError(
    "CANONRY_USAGE",
    `--rank is one of ${STUB_RANKS.join(", ")}; received ${JSON.stringify(rank)}.${didYouMean(rank, STUB_RANKS)}`,
    { data: { received: rank, allowed: STUB_RANKS } },
  );
}

function wordsOf(list: string): string[] {
  const words = list.split(",").map((word) => word.trim());
  return words.filter((word) => word !== "");
}
