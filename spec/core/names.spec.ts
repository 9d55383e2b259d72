import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertSkillName,
  isDeviceName,
  isDisplayName,
  isSkillName,
  nameKey,
  slugOf,
} from "../../lib/core/names.ts";

test("S5.1 a name is lower-case letters, digits and single hyphens, 1 to 64 bytes", () => {
  for (const name of [
    "a",
    "7",
    "retry-flaky-test",
    "a1-b2",
    "x".repeat(64),
    "constructor",
    "com",
    "nul-byte",
    "console",
  ])
    assert.equal(isSkillName(name), true, name);
  for (const name of [
    "",
    "-x",
    "x-",
    "a--b",
    "A",
    "a_b",
    "a b",
    "a.b",
    "ä",
    "x".repeat(65),
    "a/b",
    "..",
    "../x",
    "%2e%2e",
    "a\n",
    "\na",
    "a\0",
    "-rf",
    ".git",
    "🙂",
    "\u202Eabc",
    "pdf\uFF50",
  ])
    assert.equal(isSkillName(name), false, JSON.stringify(name));
});

test("B108 a name that Windows or a map would trip over is refused with a slug to use", () => {
  const cases: Record<string, string | null> = {
    con: "con-skill",
    nul: "nul-skill",
    "nul.md": "nul-md",
    aux: "aux-skill",
    COM1: "com1-skill",
    lpt9: "lpt9-skill",
    "a.": "a",
    "a ": "a",
    "a:b": "a-b",
    "-x": "x",
    ".hidden": "hidden",
    __proto__: "proto",
    "Self Improving + Agent": "self-improving-agent",
    Überprüfung: "uberprufung",
    "🙂": null,
    "": null,
  };
  for (const [name, slug] of Object.entries(cases)) {
    assert.throws(
      () => assertSkillName(name),
      (error: Error & { code?: string; data?: Record<string, unknown> }) => {
        assert.equal(error.code, "CANONRY_INVALID_NAME");
        assert.equal(error.data?.["suggested"], slug, name);
        if (slug !== null) assert.ok(error.message.endsWith(`Try ${slug}.`), error.message);
        return true;
      },
    );
    if (slug !== null) assert.equal(assertSkillName(slug), slug);
  }
});

test("B108 device names are known by their stem, in any case and with any extension", () => {
  for (const name of [
    "con",
    "CON",
    "Nul.md",
    "aux.tar.gz",
    "com1",
    "COM9.txt",
    "lpt1",
    "prn",
    "com¹",
    "conout$",
    "nul .txt",
  ])
    assert.equal(isDeviceName(name), true, name);
  for (const name of ["console", "null", "com", "com10", "a.con", "lpt", "auxiliary.md", ".con"])
    assert.equal(isDeviceName(name), false, name);
});

test("B107 composed and decomposed forms, and letter case, meet in one key", () => {
  assert.equal(nameKey("caf\u00e9-notes"), nameKey("cafe\u0301-notes"));
  assert.equal(nameKey("Retry-Flaky"), "retry-flaky");
  assert.equal(nameKey("\u0130stanbul"), nameKey("I\u0307stanbul"), "a dotted capital I, either way");
  assert.notEqual(nameKey("cafe-notes"), nameKey("café-notes"), "an accent is a difference");
});

test("B107 a slug is the same for composed, decomposed and full-width letters", () => {
  assert.equal(slugOf("caf\u00e9 notes"), "cafe-notes");
  assert.equal(slugOf("cafe\u0301 notes"), "cafe-notes");
  assert.equal(slugOf("ｐｄｆ"), "pdf");
  assert.equal(slugOf("x".repeat(200)), "x".repeat(64));
  assert.equal(slugOf(`${"x".repeat(63)} y`), "x".repeat(63), "no hyphen at the end after the cut");
  assert.equal(slugOf("parseConfigFile"), "parse-config-file");
});

test("B108 a name found in a file is shown if it is one line of at most 64 bytes or letters", () => {
  for (const name of ["Self Improving + Agent", "日本語のスキル", "x".repeat(64), "語".repeat(64)])
    assert.equal(isDisplayName(name), true, name);
  for (const name of ["", "a`b", "a/b", "a\\b", "a\nb", " a", "x".repeat(65), "語".repeat(65), "a\u202Eb"])
    assert.equal(isDisplayName(name), false, JSON.stringify(name));
});
