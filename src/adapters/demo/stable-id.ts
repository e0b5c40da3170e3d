/** Ids of demo rows: the same in every run, so that loading the demo twice upserts the same rows. */
import { hash } from 'node:crypto';
import { type Id, parseId } from '#domain/ids.ts';

/**
 * The id of the record with this kind and name: it looks like a UUIDv7 from January or February 2025, and the rest is a
 * digest of the name.
 */
export function stableId<K extends string>(kind: K, name: string): Id<K> {
  const digest = hash('sha256', `fleetsift demo ${kind} ${name}`, 'hex');
  const issuedAt = (FIRST_ISSUE_MS + Number.parseInt(digest.slice(0, 8), 16)).toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(digest.slice(8, 9), 16) & 0x3) | 0x8).toString(16);
  const text = `${issuedAt.slice(0, 8)}-${issuedAt.slice(8)}-7${digest.slice(9, 12)}-${variant}${digest.slice(12, 15)}-${digest.slice(15, 27)}`;
  const id = parseId<K>(text);
  if (id === null) {
    throw new Error(`not a UUID: ${text}`);
  }
  return id;
}

const FIRST_ISSUE_MS = Date.UTC(2025, 0, 1);
