/** A Markdown file beside a skill (S1.9): its title is the first heading, if there is one. */
export interface Reference {
  readonly title?: string;
  readonly body: string;
}
