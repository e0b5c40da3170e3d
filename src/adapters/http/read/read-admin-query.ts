/** Query strings of the administrator's routes, with every fault in them (Contract: §1, §7, §8). */
import type { HttpContext } from '#adapters/http/http-env.ts';
import type { FieldError } from '#application/application-error.ts';
import type { AuditPosition, AuditQuery } from '#application/ports/audit-reader.ts';
import type { DeletionListQuery } from '#application/ports/deletion/deletion-request-store.ts';
import { type AuditAction, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';
import { DELETION_STATUSES, type DeletionStatus } from '#domain/deletion/deletion-request.ts';
import { isUuid } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { LAST_INSTANT, parseAuditCursor } from './audit-cursor.ts';
import { readQueryValue } from './read-query.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** `status`, `limit` (1-200, 50) and `offset` (0). */
export function readDeletionListQuery(c: HttpContext): Result<DeletionListQuery, readonly FieldError[]> {
  const read = makeReader(c);
  const query = {
    status: read('status', toStatus),
    limit: read('limit', toLimit) ?? DEFAULT_LIMIT,
    offset: read('offset', toOffset) ?? 0,
  };
  return read.faults.length === 0 ? ok(query) : err(read.faults);
}

/** `action`, `actorId`, `resourceId`, `from`, `to`, `limit` (1-200, 50) and `cursor`. */
export function readAuditQuery(c: HttpContext): Result<AuditQuery, readonly FieldError[]> {
  const read = makeReader(c);
  const query = {
    action: read('action', toAction),
    actorId: read('actorId', toUuid),
    resourceId: read('resourceId', toUuid),
    from: read('from', toFirstInstant),
    to: read('to', toLastInstant),
    after: read('cursor', toPosition),
    limit: read('limit', toLimit) ?? DEFAULT_LIMIT,
  };
  const { from, to } = query;
  if (from !== null && to !== null && from > to) {
    read.faults.push({ path: 'from', code: 'out_of_range', message: 'from must not be after to' });
  }
  return read.faults.length === 0 ? ok(query) : err(read.faults);
}

/** What a parameter has to be, where it is none. */
type Parse<T> = (text: string) => Result<T, Pick<FieldError, 'code' | 'message'>>;

/** Reads parameters one by one, null where absent, and gathers what is wrong with them. */
function makeReader(c: HttpContext) {
  const faults: FieldError[] = [];
  const read = <T>(name: string, parse: Parse<T>): T | null => {
    const text = readQueryValue(c, name);
    if (!text.ok) {
      faults.push(text.error);
      return null;
    }
    if (text.value === undefined) return null;
    const parsed = parse(text.value);
    if (parsed.ok) return parsed.value;
    faults.push({ path: name, code: parsed.error.code, message: `${name} ${parsed.error.message}` });
    return null;
  };
  return Object.assign(read, { faults });
}

const toStatus: Parse<DeletionStatus> = (text) => {
  const status = DELETION_STATUSES.find((known) => known === text);
  return status === undefined
    ? err({ code: 'invalid_value', message: `must be one of ${DELETION_STATUSES.join(', ')}` })
    : ok(status);
};

const toAction: Parse<AuditAction> = (text) =>
  Object.hasOwn(RESOURCE_TYPES, text)
    ? ok(text as AuditAction)
    : err({ code: 'invalid_value', message: `must be one of ${Object.keys(RESOURCE_TYPES).join(', ')}` });

const toUuid: Parse<string> = (text) =>
  isUuid(text) ? ok(text.toLowerCase()) : err({ code: 'invalid_value', message: 'must be a UUID' });

const toPosition: Parse<AuditPosition> = (text) => {
  const position = parseAuditCursor(text);
  return position === null
    ? err({ code: 'invalid_value', message: 'must be a nextCursor as it was answered' })
    : ok(position);
};

const NOT_A_DATE = {
  code: 'invalid_value',
  message: 'must be an ISO 8601 date, as 2026-02-10 or 2026-02-10T08:00:00Z',
};

const toFirstInstant: Parse<EpochMs> = (text) => {
  const instant = parseIsoInstant(text);
  return instant === null ? err(NOT_A_DATE) : ok(within9999Years(instant.epochMs));
};

/** A day without a time is meant with all of it. */
const toLastInstant: Parse<EpochMs> = (text) => {
  const instant = parseIsoInstant(text);
  if (instant === null) return err(NOT_A_DATE);
  const last = instant.kind === 'date' ? instant.epochMs + DAY_MS - 1 : instant.epochMs;
  return ok(within9999Years(last));
};

/** An offset can take an instant beyond the years that can be written, and that databases can take. */
function within9999Years(instant: EpochMs): EpochMs {
  return Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT);
}

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');

const toLimit = wholeNumber(1, MAX_LIMIT);
/** Far beyond every list, and within what a database takes. */
const toOffset = wholeNumber(0, 1_000_000_000);

function wholeNumber(min: number, max: number): Parse<number> {
  return (text) =>
    PLAIN_INTEGER.test(text) && Number(text) >= min && Number(text) <= max
      ? ok(Number(text))
      : err({ code: 'out_of_range', message: `must be a whole number from ${min} to ${max}` });
}

const PLAIN_INTEGER = /^(?:0|[1-9]\d{0,14})$/;
