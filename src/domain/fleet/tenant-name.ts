import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { unindexableReason } from '#domain/text/storable-text.ts';

const MAX_LENGTH = 200;

/** The trimmed name or its fault. A name is one line of at most 200 characters, with visible ones. */
export function parseTenantName(text: string): Result<string, string> {
  const reason = unindexableReason(text) ?? (VISIBLE.test(text) ? null : 'must not be empty');
  if (reason !== null) return err(reason);
  const name = text.trim();
  if (countCodePoints(name) > MAX_LENGTH) return err(`must have at most ${MAX_LENGTH} characters`);
  return /\p{Cc}/u.test(name) ? err('must be one line, without control characters') : ok(name);
}

const VISIBLE = /[^\s\p{C}\p{Z}]/u;

/** Ignores case, and white space at the ends. */
export function isSameName(one: string, other: string): boolean {
  return foldCase(one.trim()) === foldCase(other.trim());
}
