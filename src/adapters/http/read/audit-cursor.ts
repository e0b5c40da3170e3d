/** A place in the audit log as clients carry it from one page to the next: a text that says nothing to them. */
import type { AuditPosition } from '#application/ports/audit-reader.ts';
import { parseId } from '#domain/ids.ts';

/** A position as a cursor. */
export function printAuditCursor({ at, id }: AuditPosition): string {
  return Buffer.from(`${at}.${id}`).toString('base64url');
}

/** The position of a cursor, or null where it was not made here. */
export function parseAuditCursor(cursor: string): AuditPosition | null {
  const [, at, id] = POSITION.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const entryId = parseId<'audit-entry'>(id);
  if (entryId === null || Number(at) > LAST_INSTANT) return null;
  const position = { at: Number(at), id: entryId };
  return printAuditCursor(position) === cursor ? position : null;
}

/** The end of the year 9999: no entry is later, and databases have their limits. */
export const LAST_INSTANT = Date.UTC(10_000, 0) - 1;

const POSITION = /^(\d{1,15})\.(.+)$/;
