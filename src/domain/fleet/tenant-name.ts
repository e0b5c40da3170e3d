/** Names of partners, organizations and people, as an operator gives them. */

import { err, ok, type Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { unindexableReason } from '#domain/text/storable-text.ts';

/** The name without white space around it, or what is wrong with it: it is one line in which something can be seen. */
export function parseTenantName(text: string): Result<string, string> {
  const reason = unindexableReason(text) ?? (VISIBLE.test(text) ? null : 'must not be empty');
  if (reason !== null) return err(reason);
  const name = text.trim();
  return /\p{Cc}/u.test(name) ? err('must be one line, without control characters') : ok(name);
}

const VISIBLE = /[^\s\p{C}\p{Z}]/u;

/** Whether two names are the same within one parent: in any case, and after trimming. */
export function isSameName(one: string, other: string): boolean {
  return foldCase(one.trim()) === foldCase(other.trim());
}
