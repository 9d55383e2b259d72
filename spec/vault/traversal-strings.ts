/**
 * Strings that try to leave a folder, made as dotdotpwn makes its own: how "up" and "between" are spelt, how deep it
 * goes, what it is after, and what stands before and behind. Distinct, in a fixed order; 22,918 of them and more.
 */
const UPS = [
  "..",
  "%2e%2e",
  "%2E.",
  ".%2e",
  "%252e%252e",
  "..%00",
  "%c0%ae%c0%ae",
  "%e0%80%ae%e0%80%ae",
  "\u2025",
  "\uff0e\uff0e",
  "\u2024\u2024",
  "....",
  "...",
  ". .",
  ".. ",
  "..\u202e",
  "..\u200b",
  ".\u0000.",
  "..\t",
  "..;",
] as const;
const BETWEEN = [
  "/",
  "\\",
  "//",
  "\\\\",
  "/./",
  "%2f",
  "%2F",
  "%5c",
  "%252f",
  "%255c",
  "%c0%af",
  "%e0%80%af",
  "%c1%9c",
  "\u2215",
  "\u2044",
  "\uff0f",
  "\uff3c",
  "/\\",
  "\\/",
  "/x/../",
  "\n/",
  ":",
] as const;
const TARGETS = [
  "canary.md",
  "outside/canary.md",
  "outside/SKILL",
  "etc/passwd",
  "proc/self/environ",
  "home/local/mounts.json",
] as const;
const BEFORE = ["", "/", "references/", "./", "canon/", "C:", "~/"] as const;
const BEHIND = ["", "\0", "\0.md", "%00", " ", ".", "#", "?"] as const;

/** What needs no climbing: absolute, of another system, or a name that some system takes for something else. */
const ALONE = [
  "",
  ".",
  "..",
  "/",
  "//",
  "\\",
  "/etc/passwd",
  "/proc/self/environ",
  "/proc/self/cwd/canary.md",
  "/proc/self/root/etc/passwd",
  "/dev/zero",
  "/dev/stdin",
  "/dev/fd/0",
  "//host/share",
  "\\\\host\\share\\x",
  "\\\\?\\C:\\x",
  "\\\\.\\pipe\\x",
  "C:",
  "C:x",
  "C:\\x",
  "c:/x",
  "file:///etc/passwd",
  "file:canary.md",
  "FILE:/x",
  "http://x/",
  "~",
  "~root",
  "~/.ssh/id_rsa",
  "$HOME/x",
  "%HOME%",
  "$" + "{HOME}",
  "CON",
  "con.md",
  "nul",
  "AUX.txt",
  "COM1",
  "LPT9.md",
  "COM\u00b9",
  "CONIN$",
  "x\0",
  "x\n",
  "\nx",
  "x\r\ny",
  "x\u007f",
  "\u202egnp.exe",
  "x\u202e",
  "\u200fx",
  "\ufeffx",
  "\ud800",
  "\udc00\ud800",
  "-rf",
  "--help",
  ".git",
  ".git/config",
  ".git/hooks/pre-commit",
  ".ssh/id_rsa",
  "x.md:stream",
  "x::$DATA",
  "x.",
  "x ",
  " x",
  "*",
  "?",
  "[a]",
  "{a,b}",
  "a|b",
  "a>b",
  "$(id)",
  "`id`",
  "x;id",
  "references",
  "references/",
  "SKILL.md",
  "skill.md",
  "SKILL.md/..",
  "constructor",
  "__proto__",
  "x".repeat(300),
  "x".repeat(5_000),
  "../".repeat(1_000),
  "a/".repeat(300),
  "\u00e9".repeat(300),
] as const;

export function traversalStrings(): string[] {
  const found = new Set<string>(ALONE);
  for (const up of UPS)
    for (const between of BETWEEN)
      for (let depth = 1; depth <= 8; depth++)
        for (const [at, target] of TARGETS.entries()) {
          const climb = Array(depth).fill(up).join(between) + between;
          const way = `${climb}${target.replaceAll("/", between)}`;
          const before = BEFORE[(depth + at) % BEFORE.length] ?? "";
          const behind = BEHIND[(depth * 3 + at) % BEHIND.length] ?? "";
          found.add(before + way);
          if (depth === 1) found.add(way + behind);
        }
  return [...found];
}
