import type { FieldError } from '#application/application-error.ts';
import { readWholeNumber, type WholeNumbers } from '#application/input-values.ts';
import { PAGE_LIMIT } from '#application/page.ts';
import {
  DEFAULT_DEVICE_SORT,
  DEVICE_SORT_KEYS,
  type DeviceSort,
  parseDeviceSort,
} from '#domain/device/device-sort.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';

/** Contract: §10, `offset`. */
export const DEVICE_OFFSET: WholeNumbers = { min: 0, max: 1_000_000, fallback: 0 };

/** Contract: §10, `fields`. */
export const MAX_LISTED_FIELDS = 20;

/** Unchecked input; `undefined` if absent. */
export interface DevicePageInput {
  /** A key of `DEVICE_SORT_KEYS`; a leading `-` reverses it. */
  readonly sort?: unknown;
  readonly limit?: unknown;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: unknown;
  /** Cannot be combined with a cursor. */
  readonly offset?: unknown;
  /** Keys of further fields; at most `MAX_LISTED_FIELDS`. */
  readonly fields?: unknown;
  /** Whether to count all matches. Default: only for the first page. */
  readonly count?: unknown;
}

export interface DevicePageChoice {
  readonly sort: DeviceSort;
  readonly limit: number;
  readonly cursor: string | null;
  readonly offset: number;
  readonly withCount: boolean;
}

export function readPageInput(input: DevicePageInput): Result<DevicePageChoice, readonly FieldError[]> {
  const { cursor = null, count = cursor === null } = input;
  const sort = readSort(input.sort);
  const limit = readWholeNumber('limit', input.limit, PAGE_LIMIT);
  const offset = readWholeNumber('offset', input.offset, DEVICE_OFFSET);
  const faults = [sort, limit, offset].flatMap((read) => (read.ok ? [] : [read.error]));
  if (input.cursor !== undefined && input.offset !== undefined) faults.push(TWO_PLACES);
  if (typeof count !== 'boolean') faults.push(NOT_A_FLAG);
  if (Array.isArray(input.fields) && input.fields.length > MAX_LISTED_FIELDS) faults.push(TOO_MANY_FIELDS);
  const isWhole = sort.ok && limit.ok && offset.ok && typeof count === 'boolean';
  if (faults.length > 0 || !isWhole) return err(faults);
  return ok({
    sort: sort.value,
    limit: limit.value,
    cursor: input.cursor === undefined ? null : toCursor(input.cursor),
    offset: offset.value,
    withCount: count,
  });
}

/** Turns anything but a string into an empty cursor, which is invalid (Contract: §10, "anything else"). */
function toCursor(sent: unknown): string {
  return typeof sent === 'string' ? sent : '';
}

const TWO_PLACES: FieldError = {
  path: 'offset',
  code: 'value_not_allowed',
  message: 'offset cannot be sent together with cursor: a cursor says where the page begins',
};

const NOT_A_FLAG: FieldError = {
  path: 'count',
  code: 'invalid_value',
  message: 'count must be true or false',
};

const TOO_MANY_FIELDS: FieldError = {
  path: 'fields',
  code: 'invalid_value',
  message: `fields may have at most ${MAX_LISTED_FIELDS} keys; an export can have more`,
};

function readSort(sent: unknown): Result<DeviceSort, FieldError> {
  if (sent === undefined) return ok(DEFAULT_DEVICE_SORT);
  const sort = typeof sent === 'string' ? parseDeviceSort(sent) : null;
  if (sort !== null) return ok(sort);
  const near = typeof sent === 'string' ? nearestWord(sent.replace(/^-/, ''), DEVICE_SORT_KEYS) : null;
  return err({
    path: 'sort',
    code: 'invalid_value',
    message: `sort must be one of ${DEVICE_SORT_KEYS.join(', ')}, with "-" before it for the reverse${
      near === null ? '' : `; did you mean ${near}?`
    }`,
  });
}
