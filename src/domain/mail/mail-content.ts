/** A mail's content before layout. Nothing is escaped yet. */
import type { EpochMs } from '#domain/time.ts';
import type { MailRecipient } from './queued-mail.ts';

export interface MailContent {
  /** Fixed wording only, because it becomes a header. */
  readonly subject: string;
  readonly heading: string;
  readonly name: string | null;
  readonly blocks: readonly MailBlock[];
  readonly footer: string;
}

export type MailWording = Omit<MailContent, 'name'>;

export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: string])[] }
  /** Text that a user typed. */
  | { readonly kind: 'quote'; readonly label: string; readonly lines: readonly string[] }
  | { readonly kind: 'link'; readonly label: string; readonly url: string };

export function paragraph(text: string): MailBlock {
  return { kind: 'paragraph', text };
}

/** In code points; longer names are cut. */
export const MAX_NAME = 100;

/** `Thursday, 12 March 2026`, in UTC. */
export function formatDay(instant: EpochMs): string {
  return DAY.format(instant);
}

/** `Thursday, 12 March 2026 at 08:00 UTC`. */
export function formatInstant(instant: EpochMs): string {
  return `${DAY.format(instant)} at ${TIME.format(instant)} UTC`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Null if the name is unknown or is only the email, which `admin create` may store as the name. */
export function nameOf({ name, email }: MailRecipient): string | null {
  const line = typedLine(name ?? '', MAX_NAME);
  return line === '' || line === email ? null : line;
}

export function accountFooter(baseUrl: string): string {
  return `You are receiving this mail because you have an account at ${baseUrl}.`;
}

/** Removes empty lines at either end, control characters, and marks that reverse the direction of text. */
export function typedLines(text: string): readonly string[] {
  const lines = text
    .replace(LINE_BREAK, '\n')
    .replace(UNPRINTABLE, '')
    .split('\n')
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

export function typedLine(text: string, maxLength: number): string {
  const line = typedLines(text).join(' ').replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

// CR LF is one break. Some mail programs also break at vertical tab, form feed, NEL and Unicode's separators.
const LINE_BREAK = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/gu;

// Controls except tab and line feed; direction marks, embeddings, overrides and isolates; unpaired surrogates.
const UNPRINTABLE = /(?![\t\n])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
