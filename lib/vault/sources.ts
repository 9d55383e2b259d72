import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { CanonryError } from "../core/errors.ts";
import type { Settings } from "../schema/settings.ts";
import { createLayout } from "./layout.ts";
import { readSettings } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A leading `~/` is the user's folder also where no shell has made it so (`--home=~/x`, a settings file). */
export function expandHome(path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}

/** `CANONRY_HOME`, else `~/.canonry`; an empty variable counts as unset. */
export function defaultHome(env: Environment = process.env): string {
  const named = env["CANONRY_HOME"];
  if (named !== undefined && named !== "") return resolve(expandHome(named));
  const own = homedir();
  if (own !== "") return join(own, ".canonry");
  throw new CanonryError(
    "CANONRY_USAGE",
    "There is no home folder (HOME is empty). Name a home with --home or CANONRY_HOME.",
  );
}

export interface Setting {
  readonly key: string;
  readonly value: string;
  readonly source: "flag" | "environment" | "settings.json" | "default";
}

/** Where each setting comes from: flags win over the environment, the environment over `<home>/settings.json`. */
export function settingSources(
  home: string,
  flags: Readonly<Record<string, unknown>>,
  env: Environment,
  usual: { driver: string; engine: string },
): Setting[] {
  const file: Settings = readSettings(createLayout(home));
  const one = (
    key: Exclude<keyof Settings, "pins"> | "home",
    variable: string,
    fallback: string,
  ): Setting => {
    const flag = flags[key];
    if (typeof flag === "string") return { key, value: key === "home" ? home : flag, source: "flag" };
    const named = env[variable];
    if (named !== undefined && named !== "")
      return { key, value: key === "home" ? home : named, source: "environment" };
    const kept = key === "home" ? undefined : file[key];
    return kept === undefined
      ? { key, value: fallback, source: "default" }
      : { key, value: kept, source: "settings.json" };
  };
  const driver = one("driver", "CANONRY_DRIVER", usual.driver);
  return [
    one("home", "CANONRY_HOME", home),
    driver,
    one("dsn", "CANONRY_DSN", createLayout(home).index(driver.value)),
    one("engine", "CANONRY_ENGINE", driver.value === usual.driver ? usual.engine : "-"),
    file.pins === undefined
      ? { key: "pins", value: "-", source: "default" }
      : { key: "pins", value: file.pins.join(", "), source: "settings.json" },
  ];
}
