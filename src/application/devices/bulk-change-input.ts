/** The body of a change of many devices (POST /devices/bulk; Contract: §10). */
import type { ApplicationError, FieldError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import { type DeviceId, parseId } from '#domain/ids.ts';
import { MAX_BULK_IDS } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { parseBulkChange, type UncheckedBulkChange } from './check-device-change.ts';
import type { DeviceQuery, DeviceQueryInput, ResolveDeviceQuery } from './resolve-device-query.ts';

/** Unchecked input. Exactly one of conditions, q, filterId and ids must be sent. */
export interface BulkChangeInput extends DeviceQueryInput {
  readonly ids?: unknown;
  /** How many devices matched when the sender looked. */
  readonly expectedCount?: unknown;
  readonly change?: unknown;
}

export interface CheckedBulkChange {
  readonly query: DeviceQuery;
  readonly expectedCount: number;
  readonly change: UncheckedBulkChange;
}

/** Reports every fault. */
export async function checkBulkChange(
  resolveDeviceQuery: ResolveDeviceQuery,
  call: Call,
  { ids: sentIds, expectedCount: sentCount, change: sentChange, ...asked }: BulkChangeInput,
): Promise<Result<CheckedBulkChange, ApplicationError>> {
  const restrictions = Object.entries({
    conditions: asked.conditions,
    q: asked.q,
    filterId: asked.filterId,
    ids: sentIds,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const faults: FieldError[] = [];
  if (restrictions.length !== 1) {
    faults.push({
      path: restrictions[1] ?? 'conditions',
      code: restrictions.length === 0 ? 'value_required' : 'value_not_allowed',
      message: `send exactly one of conditions, q, filterId and ids; ${restrictions.join(' and ') || 'none'} was sent`,
    });
  }
  const ids = sentIds === undefined ? ok([]) : parseIds(sentIds);
  if (!ids.ok) faults.push(...ids.error);
  const isCount = typeof sentCount === 'number' && Number.isSafeInteger(sentCount) && sentCount >= 0;
  if (!isCount) {
    faults.push({
      path: 'expectedCount',
      code: sentCount === undefined ? 'value_required' : 'out_of_range',
      message: 'expectedCount must be the number of devices that you expect to match, a whole number from 0',
    });
  }
  const change = parseBulkChange(sentChange);
  if (!change.ok) faults.push(...change.error);
  const one = restrictions.length === 1 && ids.ok;
  const query = await resolveDeviceQuery(call, {
    orgId: asked.orgId,
    ...(one && asked),
    ...(one && sentIds !== undefined && { conditions: byIds(ids.value) }),
  });
  if (!query.ok) {
    if (!('errors' in query.error)) return query;
    faults.push(...query.error.errors);
  }
  if (query.ok && isCount && change.ok && faults.length === 0) {
    return ok({ query: query.value, expectedCount: sentCount, change: change.value });
  }
  return err(toFilterError(faults));
}

function byIds(ids: readonly DeviceId[]): object {
  return { operator: 'AND', conditions: [{ field: 'id', operator: 'in', value: ids }] };
}

function parseIds(sent: unknown): Result<readonly DeviceId[], readonly FieldError[]> {
  if (!Array.isArray(sent) || sent.length > MAX_BULK_IDS) {
    const message = `ids must be a list of at most ${MAX_BULK_IDS.toLocaleString('en-US')} ids of devices`;
    return err([{ path: 'ids', code: 'invalid_value', message }]);
  }
  const parsed = sent.map((id: unknown) => parseId<'device'>(id));
  const faults = parsed.flatMap((id, i): FieldError[] =>
    id === null ? [{ path: `ids[${i}]`, code: 'invalid_value', message: `ids[${i}] must be a UUID` }] : [],
  );
  return faults.length > 0 ? err(faults) : ok(parsed.flatMap((id) => id ?? []));
}
