/** A mail's content before layout. Nothing is escaped yet. */

export interface MailContent {
  /** Fixed wording only, because it becomes a header. */
  readonly subject: string;
  readonly heading: string;
  /** Null if unknown. */
  readonly name: string | null;
  readonly blocks: readonly MailBlock[];
  /** Why the reader receives the mail. */
  readonly footer: string;
}

export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: string])[] }
  /** Text that a user typed, set apart from our own. */
  | { readonly kind: 'quote'; readonly label: string; readonly lines: readonly string[] }
  | { readonly kind: 'link'; readonly label: string; readonly url: string };
