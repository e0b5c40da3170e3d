/**
 * Entity tags of saved filters and devices and the preconditions built on them (Contract: §5, §10; RFC 9110, sections
 * 8.8 and 13).
 */
import type { Problem } from '#adapters/http/answer/problem-status.ts';
import type { Precondition } from '#application/precondition.ts';
import { deviceRevision, type RevisedDevice } from '#domain/device/revise-device.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';

/** A strong tag: whatever an answer shows of a filter changes only with its version. */
export function entityTagOf({ version }: Pick<SavedFilter, 'version'>): string {
  return `"${version}"`;
}

/** The tag of a device, for If-Match: it changes with what people change, and not with what the device reports. */
export function deviceTagOf(device: RevisedDevice): string {
  return `"${deviceRevision(device)}"`;
}

/**
 * What If-Match demands of a filter. Neither a weak tag nor a header that is not a list of tags ever matches: a writer
 * who asked for protection is refused rather than let through.
 */
export function parseIfMatch(header: string | null): Precondition {
  return parsePrecondition(header, toVersion);
}

/** What If-Match demands of a device, in the same way. */
export function parseDeviceIfMatch(header: string | null): Precondition<string> {
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

/**
 * The problem of a change that was refused, with the reason where it is the header's form: a tag without its quotes,
 * or a weak one, would not have matched any version. `example` is a tag of what was to be changed.
 */
export function explainIfMatch<P extends Problem>(problem: P, header: string | null, example = '"3"'): P {
  if (problem.code !== 'precondition_failed' || header === null) return problem;
  if (parseTags(header)?.some((tag) => !tag.startsWith('W/'))) return problem;
  const bare = BARE_TAG.exec(header)?.[1];
  const right = bare === undefined ? `such as ${example}` : `here "${bare}"`;
  const detail = `If-Match takes an ETag as it was answered, in double quotes and without W/: ${right}.`;
  return { ...problem, detail };
}

/** A version or a revision that only lacks the form of a strong tag. */
const BARE_TAG = /^\s*(?:W\/)?["']?([1-9]\d{0,14}|[0-9a-f]{16})["']?\s*$/i;

/** Whether If-None-Match names the current version, by weak comparison. A malformed header names nothing. */
export function isNotModified(header: string | null, filter: Pick<SavedFilter, 'version'>): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return (parseTags(header) ?? []).some((tag) => toVersion(tag.replace('W/', ''))[0] === filter.version);
}

/** The tags of a list, or null if the header is not a list of tags. */
function parseTags(header: string): readonly string[] | null {
  const tags = header.split(',').map((tag) => tag.trim());
  // RFC 9110, 5.6.1: empty elements of a list are ignored, but at least one element is required.
  const named = tags.filter((tag) => tag !== '');
  return named.length > 0 && named.every((tag) => ENTITY_TAG.test(tag)) ? named : null;
}

/** Our tags contain no comma; a foreign tag that does is split and found malformed, which is just as well. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** The version that a strong tag stands for; none for a weak tag, or one that is not ours. */
function toVersion(tag: string): readonly number[] {
  return /^"[1-9]\d{0,14}"$/.test(tag) ? [Number(tag.slice(1, -1))] : [];
}

/** The revision that a strong tag of a device stands for. */
function toRevision(tag: string): readonly string[] {
  return /^"[0-9a-f]{16}"$/.test(tag) ? [tag.slice(1, -1)] : [];
}
