import type { Device } from '#domain/device/device.ts';
import type { AlertRecord, ScriptRecord } from '#domain/fleet/fleet-record.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { compareCodePoints, countCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { trimText, unstorableReason } from '#domain/text/storable-text.ts';

/** Best first (Contract: §6). `elsewhere`: inside a word of the title, or in another field. */
export const MATCH_TIERS = { exact: 0, prefix: 1, wordStart: 2, elsewhere: 3 } as const;
export type MatchTier = (typeof MATCH_TIERS)[keyof typeof MATCH_TIERS];

/** Both texts are case-folded, and `foldedText` is not empty. */
export function findMatchTier(foldedTitle: string, foldedText: string): MatchTier {
  let at = foldedTitle.indexOf(foldedText);
  if (at === 0) {
    return foldedTitle.length === foldedText.length ? MATCH_TIERS.exact : MATCH_TIERS.prefix;
  }
  while (at > 0) {
    if (!isWithinWord(foldedTitle, at)) return MATCH_TIERS.wordStart;
    at = foldedTitle.indexOf(foldedText, at + 1);
  }
  return MATCH_TIERS.elsewhere;
}

/**
 * A letter or number of any script. Alphabetic includes the vowel signs of Indic scripts and excludes an emoji's
 * variation selectors.
 */
export const LETTER_OR_DIGIT = /[\p{Alphabetic}\p{N}]/u;

function isWithinWord(title: string, at: number): boolean {
  const isAstral = at > 1 && (title.charCodeAt(at - 1) & 0xfc00) === 0xdc00;
  return LETTER_OR_DIGIT.test(title.slice(isAstral ? at - 2 : at - 1, at));
}

/** A record that contains the text in one of its searched fields. */
export interface SearchHit {
  readonly id: string;
  readonly title: string;
  /** Null if there is none; never empty. */
  readonly description: string | null;
  /** Searched fields besides the title, in the order of the specification. */
  readonly beside: readonly SearchedField[];
}

export interface SearchedField {
  readonly field: string;
  readonly value: string;
}

/** The first field that contains the folded text; null if the title does. */
export function findMatch({ title, beside }: SearchHit, foldedText: string): SearchedField | null {
  if (foldCase(title).includes(foldedText)) return null;
  return beside.find(({ value }) => foldCase(value).includes(foldedText)) ?? null;
}

export interface RankedHit<Hit extends SearchHit = SearchHit> {
  readonly hit: Hit;
  readonly tier: MatchTier;
  readonly foldedTitle: string;
}

/** `foldedText` is the folded text of the search. */
export function rankHit<Hit extends SearchHit>(hit: Hit, foldedText: string): RankedHit<Hit> {
  const foldedTitle = foldCase(hit.title);
  return { hit, foldedTitle, tier: findMatchTier(foldedTitle, foldedText) };
}

/** By tier, then folded title in code point order, then id, so no two hits of a category tie. */
export function compareRankedHits(a: RankedHit, b: RankedHit): number {
  return (
    a.tier - b.tier ||
    compareCodePoints(a.foldedTitle, b.foldedTitle) ||
    compareCodePoints(a.hit.id, b.hit.id)
  );
}

/** In the order of the results (Contract: §6). */
export const SEARCH_CATEGORIES = ['devices', 'scripts', 'alerts', 'settings'] as const;
export type SearchCategory = (typeof SEARCH_CATEGORIES)[number];

/** Categories with records of tenants. Settings pages are the same for all tenants. */
export const STORED_CATEGORIES = ['devices', 'scripts', 'alerts'] as const satisfies SearchCategory[];
export type StoredCategory = (typeof STORED_CATEGORIES)[number];

/** What a search reads of a device. */
export type SearchedDevice = Pick<Device, 'id' | 'hostname' | 'displayName' | 'lastUser' | 'status'>;

/** What a search reads of a script. */
export type SearchedScript = Pick<ScriptRecord, 'id' | 'name' | 'description'>;

/** What a search reads of an alert. */
export type SearchedAlert = Pick<AlertRecord, 'id' | 'title' | 'message'>;

/** In the order of the specification: hostname, displayName, lastUser. */
export function textsOfDevice({
  hostname,
  displayName,
  lastUser,
}: SearchedDevice): readonly (string | null)[] {
  return [hostname, displayName, lastUser];
}

/** Name, then description. */
export function textsOfScript({ name, description }: SearchedScript): readonly (string | null)[] {
  return [name, description];
}

/** Title, then message. */
export function textsOfAlert({ title, message }: SearchedAlert): readonly (string | null)[] {
  return [title, message];
}

/** The title is displayName, or hostname if that is absent or empty; the description is the status. */
export function toDeviceHit({ id, hostname, displayName, lastUser, status }: SearchedDevice): SearchHit {
  const beside = fieldsOf({ hostname: displayName ? hostname : null, lastUser });
  return { id, title: displayName || hostname, description: status, beside };
}

/** An empty description counts as absent. */
export function toScriptHit({ id, name, description }: SearchedScript): SearchHit {
  return { id, title: name, description: description || null, beside: fieldsOf({ description }) };
}

/** The description is the message; an empty one counts as absent. */
export function toAlertHit({ id, title, message }: SearchedAlert): SearchHit {
  return { id, title, description: message || null, beside: fieldsOf({ message }) };
}

function fieldsOf(texts: Readonly<Record<string, string | null>>): readonly SearchedField[] {
  return Object.entries(texts).flatMap(([field, value]) => (value ? [{ field, value }] : []));
}

/** In code points, after trimming (Spec: Limits). */
export const MAX_SEARCH_TEXT_LENGTH = 100;

/** The trimmed text, or what is wrong with it. */
export function parseSearchText(value: unknown): Result<string, string> {
  if (value === undefined) return err(`q is required: the text to search for, ${ALLOWED}`);
  if (typeof value !== 'string') return err(`q must be a string of ${ALLOWED}`);
  const reason = unstorableReason(value);
  if (reason !== null) return err(`q ${reason}`);
  const text = trimText(value);
  const length = countCodePoints(text);
  return length >= 1 && length <= MAX_SEARCH_TEXT_LENGTH
    ? ok(text)
    : err(`q must have ${ALLOWED} after trimming; it has ${length}`);
}

const ALLOWED = `1 to ${MAX_SEARCH_TEXT_LENGTH} characters`;
