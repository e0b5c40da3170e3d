/** Changes all devices of a query at once, and undoes such a change (POST /devices/bulk; Contract: §10). */
import { refuseWithoutDevicesWrite } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  type FieldError,
  invalidField,
  toValidationError,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import { toApplicationError } from '#application/filters/evaluate/run-preview.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { workFor } from '#application/work-for.ts';
import {
  applyBulkChange,
  type BulkChange,
  rememberChange,
  UNDO_MS,
  undoChange,
} from '#domain/device/bulk-change.ts';
import { DEFAULT_DEVICE_SORT } from '#domain/device/device-sort.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import { definitionsIn } from '#domain/filter/catalog/custom-field.ts';
import { fieldsUsed } from '#domain/filter/conditions/fold-conditions.ts';
import type { BulkChangeId, DeviceId, OrgId } from '#domain/ids.ts';
import { MAX_BULK_DEVICES } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type BulkChangeInput, checkBulkChange } from './bulk-change-input.ts';
import { MAX_TAGS, parseCustom, type UncheckedBulkChange } from './check-device-change.ts';
import type { DeviceQuery, ResolveDeviceQuery } from './resolve-device-query.ts';

export interface BulkOutcome {
  readonly changed: number;
  readonly unchanged: number;
  /** This id undoes the change for ten minutes. */
  readonly operationId: BulkChangeId;
}

/** Needs devices:write. Changes all devices or none. */
export type BulkChangeDevices = (
  call: Call,
  input: BulkChangeInput,
) => Promise<Result<BulkOutcome, ApplicationError>>;

interface BulkChangeDeps {
  readonly resolveDeviceQuery: ResolveDeviceQuery;
  readonly deviceReader: Pick<DeviceReader, 'page'>;
  readonly customFields: CustomFieldSource;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
}

export function makeBulkChangeDevices(deps: BulkChangeDeps): BulkChangeDevices {
  return async (call, input) => {
    const attempt = { action: 'device.bulk_update', resourceId: null } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const asked = await checkBulkChange(deps.resolveDeviceQuery, call, input);
    if (!asked.ok) return 'errors' in asked.error ? asked : deps.deny(call, attempt, asked.error);
    const { query, expectedCount, change } = asked.value;
    const find = () => findDevices(deps, call, query, expectedCount);
    const found = await find();
    if (!found.ok) return found;
    return deps.unitOfWork(query.scope, async (tx): Promise<Result<BulkOutcome, ApplicationError>> => {
      const held = await holdDevices(tx, found.value, find);
      if (!held.ok) return held;
      const checked = await checkValues(deps, query, held.value, change);
      if (!checked.ok) return checked;
      const revised = held.value.map((device) => {
        const revision = applyBulkChange(device, checked.value.get(device.orgId) ?? NO_CHANGE);
        return { before: device, revision };
      });
      const overfull = tooManyTags(revised.map(({ revision }) => revision.device));
      if (overfull !== null) return err(overfull);
      const changed = revised.filter(({ revision }) => revision.changed.length > 0);
      const operationId = deps.newId<'bulk-change'>();
      const outcome = { changed: changed.length, unchanged: revised.length - changed.length };
      const orgIds = [...new Set(held.value.map(({ orgId }) => orgId))];
      const entry = deps.makeEntry(call, {
        action: 'device.bulk_update',
        resourceId: operationId,
        orgId: onlyOf(orgIds) ?? query.orgId,
        details: {
          ...outcome,
          fields: [...new Set(changed.flatMap(({ revision }) => revision.changed))].sort(),
          conditionFields: fieldsUsed(query.filter),
          ...(query.filterId !== null && { filterId: query.filterId }),
        },
      });
      await tx.devices.replaceAll(changed.map(({ revision }) => revision.device));
      await tx.bulkChanges.remember({
        id: operationId,
        by: entry.actor,
        expiresAt: entry.at + UNDO_MS,
        orgIds,
        devices: changed.map(({ before, revision }) => rememberChange(before, revision)),
      });
      await tx.audit(entry);
      return ok({ ...outcome, operationId });
    });
  };
}

const NO_CHANGE: BulkChange = { addTags: [], removeTags: [] };

/** Refuses with `count_changed` unless exactly `expectedCount` devices match. */
async function findDevices(
  { deviceReader, clock }: Pick<BulkChangeDeps, 'deviceReader' | 'clock'>,
  call: Call,
  { filter, scope }: DeviceQuery,
  expectedCount: number,
): Promise<Result<readonly DeviceId[], ApplicationError>> {
  const { endTurn: _keepsItsTurn, ...work } = workFor(call);
  const found = await deviceReader.page({
    ...{ filter, scope, at: clock(), ...work },
    ...{
      sort: DEFAULT_DEVICE_SORT,
      limit: MAX_BULK_DEVICES,
      after: null,
      offset: 0,
      withCount: true,
      columns: [],
    },
  });
  if (!found.ok) return err(toApplicationError(found.error));
  const { devices, totalCount } = found.value;
  const actualCount = totalCount ?? devices.length;
  if (actualCount > MAX_BULK_DEVICES) return err(TOO_MANY_DEVICES);
  if (actualCount === expectedCount) return ok(devices.map(({ id }) => id));
  const detail = `${count(actualCount)} now, not ${expectedCount.toLocaleString('en-US')}; nothing was changed. Look at them, then send the new number as expectedCount.`;
  return err({ code: 'count_changed', detail, actualCount });
}

function count(devices: number): string {
  return `${devices.toLocaleString('en-US')} ${devices === 1 ? 'device matches' : 'devices match'}`;
}

export const TOO_MANY_DEVICES: ApplicationError = {
  code: 'too_many_devices',
  detail: `One change covers at most ${MAX_BULK_DEVICES.toLocaleString('en-US')} devices; nothing was changed. Narrow the filter.`,
};

/**
 * Locks the devices, and searches again until every match is locked. After that, no other change of these
 * devices is under way.
 */
async function holdDevices(
  { devices }: Pick<Transaction, 'devices'>,
  found: readonly DeviceId[],
  find: () => Promise<Result<readonly DeviceId[], ApplicationError>>,
): Promise<Result<readonly ChangeableDevice[], ApplicationError>> {
  const held = new Map<DeviceId, ChangeableDevice>();
  for (let missing = found; ; ) {
    for (const device of await devices.hold(missing)) held.set(device.id, device);
    const now = await find();
    if (!now.ok) return now;
    missing = now.value.filter((id) => !held.has(id));
    if (missing.length === 0) return ok(now.value.flatMap((id) => held.get(id) ?? []));
  }
}

async function checkValues(
  { customFields }: Pick<BulkChangeDeps, 'customFields'>,
  { scope }: DeviceQuery,
  devices: readonly ChangeableDevice[],
  { custom, ...change }: UncheckedBulkChange,
): Promise<Result<ReadonlyMap<OrgId, BulkChange>, ApplicationError>> {
  const definitions = Object.keys(custom).length === 0 ? [] : await customFields(scope);
  const changes = new Map<OrgId, BulkChange>();
  const faults = new Map<string, FieldError>();
  for (const [orgId, own] of Map.groupBy(devices, (device) => device.orgId)) {
    const stored = new Set(own.flatMap((device) => [...device.custom.keys()]));
    const values = parseCustom('change.custom', custom, definitionsIn(orgId, definitions), stored);
    if (values.ok) changes.set(orgId, { ...change, custom: values.value });
    // A fault that several organizations share is reported once.
    else for (const fault of values.error) faults.set(`${fault.path} ${fault.message}`, fault);
  }
  return faults.size === 0 ? ok(changes) : err(toValidationError([...faults.values()]));
}

function tooManyTags(devices: readonly ChangeableDevice[]): ApplicationError | null {
  const overfull = devices.filter(({ tags }) => tags.length > MAX_TAGS).length;
  if (overfull === 0) return null;
  const whose = overfull === 1 ? '1 device' : `${overfull.toLocaleString('en-US')} devices`;
  return invalidField(
    'change.addTags',
    'invalid_value',
    `a device has at most ${MAX_TAGS} tags, and ${whose} would have more`,
  );
}

function onlyOf<T>(items: readonly T[]): T | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}

export interface UndoOutcome {
  readonly restored: number;
  /** Devices in reach that were changed again, deleted or moved. */
  readonly skipped: number;
}

/** Needs devices:write. Only for the person or API key that made the change. */
export type UndoBulkChange = (call: Call, id: BulkChangeId) => Promise<Result<UndoOutcome, ApplicationError>>;

export const BULK_CHANGE_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'There is no such change of yours, or its ten minutes are over.',
};

export function makeUndoBulkChange({
  unitOfWork,
  makeEntry,
  deny,
}: Pick<BulkChangeDeps, 'unitOfWork' | 'makeEntry' | 'deny'>): UndoBulkChange {
  return async (call, id) => {
    const attempt = { action: 'device.bulk_undo', resourceId: id } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deny(call, attempt, refusal);
    return unitOfWork(call.caller.scope, async (tx): Promise<Result<UndoOutcome, ApplicationError>> => {
      const { actor, at } = makeEntry(call, attempt);
      const change = await tx.bulkChanges.findForUpdate(id, actor, at);
      if (change === null) return deny(call, attempt, BULK_CHANGE_NOT_FOUND, tx);
      const held = await tx.devices.hold(change.devices.map(({ deviceId }) => deviceId));
      const now = new Map(held.map((device) => [device.id, device]));
      const restored = change.devices.flatMap((changed) => {
        const device = now.get(changed.deviceId);
        if (device === undefined || device.orgId !== changed.orgId) return [];
        const undone = undoChange(device, changed);
        return undone.changed.length === 0 ? [] : [{ ...changed, ...undone }];
      });
      await tx.devices.replaceAll(restored.map(({ device }) => device));
      await tx.bulkChanges.forget(id, restored);
      const outcome = { restored: restored.length, skipped: change.remaining - restored.length };
      const fields = [...new Set(restored.flatMap(({ changed }) => changed))].sort();
      const orgId = onlyOf([...new Set(change.devices.map((device) => device.orgId))]);
      await tx.audit(makeEntry(call, { ...attempt, orgId, details: { ...outcome, fields } }));
      return ok(outcome);
    });
  };
}
