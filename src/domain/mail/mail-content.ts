/** The content of a mail before it is laid out as plain text or HTML. Nothing is escaped yet. */

export interface MailContent {
  /** Fixed wording only, so that nothing a user typed gets into a header. */
  readonly subject: string;
  readonly heading: string;
  /** Who is greeted; null if no name is known. */
  readonly name: string | null;
  readonly blocks: readonly MailBlock[];
  /** Why the reader receives it. */
  readonly footer: string;
}

export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: string])[] }
  /** Text that a user typed, set apart from our own. */
  | { readonly kind: 'quote'; readonly label: string; readonly lines: readonly string[] }
  | { readonly kind: 'link'; readonly label: string; readonly url: string };
