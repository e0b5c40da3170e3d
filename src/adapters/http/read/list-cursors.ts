/** Positions in lists as clients carry them from one page to the next. Clients must not look into them. */
import { FIRST_INSTANT, LAST_INSTANT } from '#application/input-values.ts';
import type { AuditPosition } from '#application/ports/audit/audit-reader.ts';
import type { AlertPosition, ScriptPosition } from '#domain/fleet/fleet-lists.ts';
import { parseId } from '#domain/ids.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';

/** How the positions of one list are written. */
export interface CursorForm<Position> {
  readonly print: (position: Position) => string;
  /** Null for text that `print` never made. */
  readonly parse: (cursor: string) => Position | null;
}

export const AUDIT_CURSOR = cursorForm<AuditPosition>(
  ({ at, id }) => `${at}.${id}`,
  (text) => {
    const [, at, sentId] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
    const id = parseId<'audit-entry'>(sentId);
    return id === null || Number(at) > LAST_INSTANT ? null : { at: Number(at), id };
  },
);

export const ALERT_CURSOR = jsonForm<AlertPosition>(
  ({ createdAt, id }) => [createdAt, id],
  ([createdAt, sentId]) => {
    const id = parseId<'alert'>(sentId);
    return id !== null && isInstant(createdAt) ? { createdAt, id } : null;
  },
);

export const SCRIPT_CURSOR = jsonForm<ScriptPosition>(
  ({ name, id }) => [name, id],
  ([name, sentId]) => {
    const id = parseId<'script'>(sentId);
    return id !== null && isText(name) ? { name, id } : null;
  },
);

export const PATCH_CURSOR = jsonForm<string>(
  (title) => [title],
  ([title]) => (isText(title) ? title : null),
);

function jsonForm<Position>(
  toParts: (position: Position) => readonly unknown[],
  toPosition: (parts: readonly unknown[]) => Position | null,
): CursorForm<Position> {
  return cursorForm(
    (position) => JSON.stringify(toParts(position)),
    (text) => {
      const parts = readJson(text);
      return Array.isArray(parts) ? toPosition(parts) : null;
    },
  );
}

function cursorForm<Position>(
  toText: (position: Position) => string,
  toPosition: (text: string) => Position | null,
): CursorForm<Position> {
  const print = (position: Position) => Buffer.from(toText(position)).toString('base64url');
  return {
    print,
    parse: (cursor) => {
      const position = toPosition(Buffer.from(cursor, 'base64url').toString());
      return position !== null && print(position) === cursor ? position : null;
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isInstant(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value >= FIRST_INSTANT && value <= LAST_INSTANT
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && unstorableReason(value) === null;
}
