/** Entity tags and preconditions (Contract: §5, §10; RFC 9110, sections 8.8 and 13). */
import type { Problem } from '#adapters/http/answer/problem-status.ts';
import type { Precondition } from '#application/precondition.ts';
import { type Person, personRevision } from '#domain/access/person.ts';
import { deviceRevision, type RevisedDevice } from '#domain/device/revise-device.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import { err, type Result } from '#domain/result.ts';

/** A strong tag, because answers about a filter change only with its version. */
export function entityTagOf({ version }: Pick<SavedFilter, 'version'>): string {
  return `"${version}"`;
}

/** The tag changes with people's edits, not with the device's reports. */
export function deviceTagOf(device: RevisedDevice): string {
  return `"${deviceRevision(device)}"`;
}

export function personTagOf(person: Person): string {
  return `"${personRevision(person)}"`;
}

/**
 * Weak tags and malformed headers match nothing: a client that asked for protection must not get through unprotected.
 */
export function parseIfMatch(header: string | null): Precondition {
  return parsePrecondition(header, toVersion);
}

/** For devices and people, whose tags are revisions instead of versions. */
export function parseRevisionIfMatch(header: string | null): Precondition<string> {
  return parsePrecondition(header, toRevision);
}

function parsePrecondition<V extends number | string>(
  header: string | null,
  toValue: (tag: string) => readonly V[],
): Precondition<V> {
  if (header === null) return { kind: 'none' };
  if (header.trim() === '*') return { kind: 'any' };
  return { kind: 'version', versions: new Set((parseTags(header) ?? []).flatMap(toValue)) };
}

/** Explains why a weak or unquoted tag never matches. `example` is a tag of the resource's kind. */
export function explainIfMatch<T>(
  result: Result<T, Problem>,
  header: string | null,
  example = '"3"',
): Result<T, Problem> {
  if (result.ok || result.error.code !== 'precondition_failed' || header === null) return result;
  if (parseTags(header)?.some((tag) => !tag.startsWith('W/'))) return result;
  const bare = BARE_TAG.exec(header)?.[1];
  const right = bare === undefined ? `such as ${example}` : `here "${bare}"`;
  const detail = `If-Match takes an ETag as it was answered, in double quotes and without W/: ${right}.`;
  return err({ ...result.error, detail });
}

const BARE_TAG = /^\s*(?:W\/)?["']?([1-9]\d{0,14}|[0-9a-f]{16})["']?\s*$/i;

/** Compares weakly. A malformed header matches nothing. */
export function isNotModified(header: string | null, filter: Pick<SavedFilter, 'version'>): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return (parseTags(header) ?? []).some((tag) => toVersion(tag.replace('W/', ''))[0] === filter.version);
}

function parseTags(header: string): readonly string[] | null {
  const tags = header.split(',').map((tag) => tag.trim());
  // RFC 9110, 5.6.1: empty elements are ignored, but one element is required.
  const named = tags.filter((tag) => tag !== '');
  return named.length > 0 && named.every((tag) => ENTITY_TAG.test(tag)) ? named : null;
}

/** Our tags contain no comma. A foreign tag with a comma is split, so it counts as malformed. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

function toVersion(tag: string): readonly number[] {
  return /^"[1-9]\d{0,14}"$/.test(tag) ? [Number(tag.slice(1, -1))] : [];
}

function toRevision(tag: string): readonly string[] {
  return /^"[0-9a-f]{16}"$/.test(tag) ? [tag.slice(1, -1)] : [];
}
