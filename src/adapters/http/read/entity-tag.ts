/** Entity tags of saved filters and the preconditions made of them (Contract: §5; RFC 9110, sections 8.8 and 13). */
import type { Precondition } from '#application/filters/precondition.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';

/** Strong: whatever can be seen of a filter changes with its version only. */
export function entityTagOf({ version }: Pick<SavedFilter, 'version'>): string {
  return `"${version}"`;
}

/**
 * What If-Match demands. A weak tag never matches, nor does a header that is not a list of tags: a writer who
 * asked for protection is refused rather than let through.
 */
export function parseIfMatch(header: string | null): Precondition {
  if (header === null) return { kind: 'none' };
  if (header.trim() === '*') return { kind: 'any' };
  return { kind: 'version', versions: new Set((parseTags(header) ?? []).flatMap(toVersion)) };
}

/** Whether If-None-Match names this filter as it is, by weak comparison. A malformed header names nothing. */
export function isNotModified(header: string | null, filter: Pick<SavedFilter, 'version'>): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return (parseTags(header) ?? []).some((tag) => toVersion(tag.replace('W/', ''))[0] === filter.version);
}

/** The tags of a list, or null where it is not one. */
function parseTags(header: string): readonly string[] | null {
  const tags = header.split(',').map((tag) => tag.trim());
  // RFC 9110, 5.6.1: empty elements of a list are ignored, but one element there has to be.
  const named = tags.filter((tag) => tag !== '');
  return named.length > 0 && named.every((tag) => ENTITY_TAG.test(tag)) ? named : null;
}

/** Our tags hold no comma, so the few foreign ones that do may be split and found malformed. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** The version that a strong tag stands for, or none where it is weak or not one of ours. */
function toVersion(tag: string): readonly number[] {
  return /^"[1-9]\d{0,14}"$/.test(tag) ? [Number(tag.slice(1, -1))] : [];
}
