/** A file of the backup that was not put in place, because the home has something else there. */
export interface KeptHere {
  readonly path: string;
  /**
   * Of the backup's text, seen from the home: `older` than what stands there, `newer` than it, `differs`; `moved`: the
   * skill stands elsewhere by now.
   */
  readonly reason: "differs" | "older" | "newer" | "moved";
  /** Where what the home has stands. */
  readonly stands: string;
  /** Where the backup's text is kept, below the home; null for what is no skill: the archive alone has it. */
  readonly text: string | null;
}
