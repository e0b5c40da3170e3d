/** Places in the lists of a fleet as clients carry them from one page to the next: opaque to them. */
import { FIRST_INSTANT, LAST_INSTANT } from '#application/date-input.ts';
import type { AlertPosition, ScriptPosition } from '#domain/fleet/fleet-lists.ts';
import { parseId } from '#domain/ids.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';

/** How the places of one list are written. */
export interface CursorForm<Place> {
  readonly print: (place: Place) => string;
  /** The place, or null for whatever `print` did not make. */
  readonly parse: (cursor: string) => Place | null;
}

export const ALERT_CURSOR = cursorForm<AlertPosition>(
  ({ createdAt, id }) => [createdAt, id],
  ([createdAt, sentId]) => {
    const id = parseId<'alert'>(sentId);
    return id !== null && isInstant(createdAt) ? { createdAt, id } : null;
  },
);

export const SCRIPT_CURSOR = cursorForm<ScriptPosition>(
  ({ name, id }) => [name, id],
  ([name, sentId]) => {
    const id = parseId<'script'>(sentId);
    return id !== null && isText(name) ? { name, id } : null;
  },
);

export const PATCH_CURSOR = cursorForm<string>(
  (title) => [title],
  ([title]) => (isText(title) ? title : null),
);

/** `toParts` and `toPlace` turn a place into JSON values and back. */
function cursorForm<Place>(
  toParts: (place: Place) => readonly unknown[],
  toPlace: (parts: readonly unknown[]) => Place | null,
): CursorForm<Place> {
  const print = (place: Place) => Buffer.from(JSON.stringify(toParts(place))).toString('base64url');
  return {
    print,
    parse: (cursor) => {
      const parts = readJson(Buffer.from(cursor, 'base64url').toString());
      const place = Array.isArray(parts) ? toPlace(parts) : null;
      return place !== null && print(place) === cursor ? place : null;
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
