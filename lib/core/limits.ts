/** Every limit of the product, with its unit in the name (S1.31). Specs pin these as literals. */
export const LIMITS = Object.freeze({
  /** Body of a candidate, UTF-8 bytes (S1.4, C1). */
  candidateBodyBytes: 5_120,
  candidateTriggerChars: 120,
  /** A whole canon file, frontmatter included (S1.8, C33). */
  canonFileBytes: 15_360,
  /** One `references/*.md` of a canon skill (S1.9). */
  referenceFileBytes: 15_360,
  nameBytes: 64,
  /** A path of a file beside a skill, or inside the home (S5.5). */
  pathBytes: 512,
  descriptionBytes: 1_024,
  /** What hosts take of a description and of `compatibility`, characters (lint). */
  hostDescriptionChars: 1_024,
  hostCompatibilityChars: 500,
  /** What the Agent Skills form recommends for a body (lint). */
  hostBodyLines: 500,
  hostBodyTokens: 5_000,
  /** The window that listing budgets of hosts are worked out for, tokens of four characters. */
  hostWindowTokens: 200_000,
  /** What a stub line shows of a description, UTF-16 units, cut at a grapheme (C31, C66). */
  summaryChars: 120,
  triggersMin: 3,
  triggersMax: 10,
  eventNotesChars: 200,
  eventLineBytes: 4_096,
  /** The stub as a whole, tokens of four UTF-8 bytes (S1.23, C53). */
  stubTokens: 2_048,
  /** Skills that a stub looks at, after every filter (S2.2, C6). */
  stubSkills: 30,
  /** The same with a task, where the budget decides how many of them get a line. */
  stubTaskSkills: 400,
  /** What the lines behind the first thirty show of a description where a task finds more than fit, UTF-16 units. */
  stubShortChars: 60,
  /** More on stdin is no task but a mistake. */
  taskBytes: 67_108_864,
  hydrationsPerWave: 5,
  searchHits: 5,
  /** What a limit of 0 stands for (S3.12). */
  searchHitsOfZero: 20,
  searchHitsMax: 200,
  /** Names that may have been meant, and how many words a query has at most that gets some. */
  searchSuggestions: 3,
  suggestedWords: 6,
  /** A query is cut after this many UTF-8 bytes before it is tokenised. */
  queryBytes: 4_096,
  /** Different words of a query that are counted in the index, then the rarest of them: ranked by, and searched for. */
  queryWords: 512,
  queryTerms: 32,
  searchedTerms: 16,
  /** English words for the Chinese, Japanese and Korean ones of a query, the rarest of them. */
  translatedTerms: 16,
  /** A query longer than this is nobody's name: the second and third step of the ladder do not look for it. */
  literalBytes: 256,
  termChars: 64,
  frontmatterCanonBytes: 8_192,
  frontmatterBytes: 65_536,
  frontmatterDepth: 8,
  /** Five times what the longest of 11,780 public skills has. */
  frontmatterLines: 1_000,
  /** Warnings kept for one file; errors always are. */
  diagnosticsPerFile: 100,
  /** A skill file larger than this is named and not read. */
  skillFileBytes: 4_194_304,
  /** How much of a body is indexed, UTF-16 units. */
  indexedBodyChars: 200_000,
  /** Files beside one skill (C59). */
  skillFiles: 512,
  skillFolderBytes: 16_777_216,
  /** A text file handed out by `read --file`. */
  attachedFileBytes: 1_048_576,
  mountDepth: 12,
  mountFolders: 200_000,
  /** A file changed less than this ago is hashed again whatever its times say. */
  youngFileMs: 2_000,
  /** A full catch-up is relied on for no longer than this. */
  catchUpMs: 250,
  regexTimeoutMs: 1_000,
  /** A person's regular expression, UTF-16 units. */
  expressionChars: 4_096,
  /** An index file larger than this is damaged, not read. */
  indexFileBytes: 2_147_483_648,
  /** One `local/index/*.json`. */
  indexClaimBytes: 65_536,
  /** A temporary file of a flush is a leftover when it is this old. */
  indexTempMs: 60_000,
  /** What killed processes left goes at the next open once it is this old. */
  leftoverMs: 60_000,
  /** What a killed restore had unpacked goes at the next open once it is this old. */
  stagedMs: 3_600_000,
  /** How often every folder is looked through for temporary files that nothing names, and how old those are. */
  orphanMs: 86_400_000,
  /** How long `update` tries to read, change and commit before it reports the conflict. */
  updateMs: 30_000,
  /** Who stands first in the queue for a skill for this long is passed over: dead, stopped or slow. */
  turnMs: 500,
  /** What a backup may hold: files, their bytes together, one append-only file, and the entry that lists them all. */
  backupFiles: 500_000,
  backupBytes: 17_179_869_184,
  backupLinesBytes: 1_073_741_824,
  backupManifestBytes: 134_217_728,
});
