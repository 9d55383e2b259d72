/** Where skills stand: a space of the home (canon, quarantine, archive), or a mounted folder of a host. */
export interface Place {
  /** What qualified names end with: a fingerprint, `universal`, or a mount's id. */
  readonly id: string;
  readonly kind: "space" | "mount";
  /** Twelve hex digits, or "*". */
  readonly fingerprint: string;
  /** Absolute path: the space's folder, or the mounted folder as the person gave it. */
  readonly dir: string;
}
