/** A mail as what it says, before it is laid out as plain text or HTML. Nothing is escaped yet. */

export interface MailContent {
  /** Words of ours alone, so that nothing that was typed gets into a header. */
  readonly subject: string;
  readonly heading: string;
  /** Whom it greets; null where no name is known. */
  readonly name: string | null;
  readonly blocks: readonly MailBlock[];
  /** Why its reader gets it. */
  readonly footer: string;
}

export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: string])[] }
  /** What somebody typed, set apart from what we say. */
  | { readonly kind: 'quote'; readonly label: string; readonly lines: readonly string[] }
  | { readonly kind: 'link'; readonly label: string; readonly url: string };
