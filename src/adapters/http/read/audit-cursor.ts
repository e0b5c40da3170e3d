/** A place in the audit log as clients carry it from one page to the next: opaque to them. */
import { LAST_INSTANT } from '#application/date-input.ts';
import type { AuditPosition } from '#application/ports/audit/audit-reader.ts';
import { parseId } from '#domain/ids.ts';

/** The position as a cursor. */
export function printAuditCursor({ at, id }: AuditPosition): string {
  return Buffer.from(`${at}.${id}`).toString('base64url');
}

/** The position, or null for a cursor that {@link printAuditCursor} did not make. */
export function parseAuditCursor(cursor: string): AuditPosition | null {
  const [, at, id] = POSITION.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const entryId = parseId<'audit-entry'>(id);
  if (entryId === null || Number(at) > LAST_INSTANT) return null;
  const position = { at: Number(at), id: entryId };
  return printAuditCursor(position) === cursor ? position : null;
}

const POSITION = /^(\d{1,15})\.(.+)$/;
