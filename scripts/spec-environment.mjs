import { join } from "node:path";

/** The environment of a process that finds nothing of the person's: no home, no identity, no settings. */
export function environmentIn(home) {
  const kept = Object.entries(process.env).filter(
    ([key]) => !/^(?:CANONRY_|XDG_|GIT_|npm_|NODE_TEST_CONTEXT$)/i.test(key),
  );
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_RUNTIME_DIR: join(home, ".runtime"),
    CANONRY_HOME: join(home, ".canonry"),
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    CODEX_HOME: join(home, ".codex"),
    HERMES_HOME: join(home, ".hermes"),
    GIT_CONFIG_GLOBAL: join(home, "gitconfig-that-is-not-there"),
    GIT_CONFIG_NOSYSTEM: "1",
  };
}
