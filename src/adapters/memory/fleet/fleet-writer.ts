import { makeYieldToEventLoop } from '#adapters/memory/scheduling/slices.ts';
import { freezeEntry, recordChange } from '#adapters/memory/stores/audit-stores.ts';
import { moveOpenRequest } from '#adapters/memory/stores/deletion/deletion-request-store.ts';
import { supersede } from '#adapters/memory/stores/fleet/saved-filter-store.ts';
import { toDevice } from '#adapters/memory/tables/device-table.ts';
import {
  putApiKey,
  putEnrolmentKey,
  putUser,
  toStoredApiKey,
  toStoredUser,
} from '#adapters/memory/tables/users.ts';
import type { StoredAlert, StoredApiKey, StoredUser, World } from '#adapters/memory/tables/world.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { FleetWriter } from '#application/ports/fleet/fleet-writer.ts';
import type { Device } from '#domain/device/device.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { AlertRecord, DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { fromRemembered, joinKeys } from '#domain/inventory/machine-keys.ts';
import { err, ok } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { checkFleet } from './check-fleet.ts';
import { toFilter } from './check-quotas.ts';
import { countRecords, type StagedFleet, type StagedRows, stageFleet } from './staged-fleet.ts';

export interface FleetWriterDeps {
  readonly world: World;
  readonly clock: Clock;
  readonly hashPassword: PasswordHasher;
  readonly digestSecret: DigestSecret;
  readonly checkPatterns: PatternChecker;
}

export function makeFleetWriter(deps: FleetWriterDeps): FleetWriter {
  const { world, clock, hashPassword, digestSecret, checkPatterns } = deps;
  return async (source, onProgress, makeEntry, { allowMoves = false } = {}) => {
    const fleet = await stageFleet(source, onProgress);
    // Hashing is slow on purpose, so it happens outside the lock.
    const users = await hashUsers(fleet, hashPassword, clock());
    return world.lock(async () => {
      const faults = await checkFleet({ world, checkPatterns, digestSecret, allowMoves }, fleet);
      if (faults.length > 0) return err(faults);
      const now = clock();
      const apiKeys = [...fleet.rows.apiKey.values()].map((key) => toStoredApiKey(key, digestSecret, now));
      const devices = await makeDevices(world, fleet.rows);
      const filters = [...fleet.rows.filter.values()].map((record) => toFilter(world, record, now));
      const alerts = [...fleet.rows.alert.values()].map((record) => toStoredAlert(world, record, now));
      const moved = movedDevices(world, fleet.rows);
      const counts = countRecords(fleet, (userId) => !world.erasedUsers.has(userId));
      const entry = await makeEntry?.(counts, moved.size);
      moveAlerts(world, moved);
      putFleet(world, fleet.rows, { users, apiKeys, devices, alerts, filters, now });
      recordChange(world, entry);
      return ok(counts);
    });
  };
}

/** More would not be faster, because Node hashes in four threads by default. */
const HASHES_AT_ONCE = 4;

async function hashUsers(
  { rows }: StagedFleet,
  hashPassword: PasswordHasher,
  now: EpochMs,
): Promise<readonly StoredUser[]> {
  const hashed: StoredUser[] = [];
  const waiting = rows.user.values();
  const work = async () => {
    for (const user of waiting)
      if (user.status !== 'deleted') hashed.push(await toStoredUser(user, hashPassword, now));
  };
  await Promise.all(Array.from({ length: HASHES_AT_ONCE }, work));
  return hashed;
}

async function makeDevices(world: World, rows: StagedRows): Promise<readonly Device[]> {
  const yieldToEventLoop = makeYieldToEventLoop();
  const newAlerts = countNewAlerts(world, rows.alert);
  const devices: Device[] = [];
  for (const record of rows.device.values()) {
    const known = world.devices.get(record.id)?.criticalAlertCount ?? 0;
    devices.push(toDevice(record, known + (newAlerts.get(record.id) ?? 0)));
    await yieldToEventLoop();
  }
  for (const [id, change] of newAlerts) {
    const device = rows.device.has(id) ? undefined : world.devices.get(id);
    if (device === undefined) continue;
    devices.push({ ...device, criticalAlertCount: device.criticalAlertCount + change });
  }
  return devices;
}

function countNewAlerts(
  world: World,
  alerts: ReadonlyMap<unknown, AlertRecord>,
): ReadonlyMap<DeviceId, number> {
  const changes = new Map<DeviceId, number>();
  const count = (alert: AlertRecord | undefined, by: number) => {
    if (alert === undefined || alert.deviceId === null) return;
    const counts = alert.severity === 'critical' && alert.status === 'active';
    if (counts) changes.set(alert.deviceId, (changes.get(alert.deviceId) ?? 0) + by);
  };
  for (const alert of alerts.values()) {
    count(world.alerts.get(alert.id), -1);
    count(alert, 1);
  }
  return changes;
}

function toStoredAlert(world: World, record: AlertRecord, now: EpochMs): StoredAlert {
  return { ...record, createdAt: record.createdAt ?? world.alerts.get(record.id)?.createdAt ?? now };
}

function movedDevices(world: World, rows: StagedRows): ReadonlyMap<DeviceId, OrgId> {
  const moved = new Map<DeviceId, OrgId>();
  for (const { id, orgId } of rows.device.values()) {
    const known = world.devices.get(id);
    if (known !== undefined && known.orgId !== orgId) moved.set(id, orgId);
  }
  return moved;
}

function moveAlerts(world: World, moved: ReadonlyMap<DeviceId, OrgId>): void {
  if (moved.size === 0) return;
  for (const alert of world.alerts.values()) {
    const orgId = alert.deviceId === null ? undefined : moved.get(alert.deviceId);
    if (orgId !== undefined) world.alerts.set(alert.id, { ...alert, orgId });
  }
}

interface Made {
  readonly users: readonly StoredUser[];
  readonly apiKeys: readonly StoredApiKey[];
  readonly devices: readonly Device[];
  readonly alerts: readonly StoredAlert[];
  readonly filters: readonly SavedFilter[];
  readonly now: EpochMs;
}

/** Synchronous, so readers never see half a fleet. */
function putFleet(
  world: World,
  rows: StagedRows,
  { users, apiKeys, devices, alerts, filters, now }: Made,
): void {
  for (const partner of rows.partner.values()) world.partners.set(partner.id, { ...partner });
  for (const organization of rows.organization.values()) {
    world.organizations.set(organization.id, { ...organization });
  }
  for (const site of rows.site.values()) world.sites.set(site.id, { ...site });
  for (const user of users) {
    putUser(world, user, rows.user.get(user.id)?.recoveryCodeSha256s ?? []);
    moveOpenRequest(world, user);
  }
  for (const { id, status, updatedAt } of rows.user.values()) {
    if (status === 'deleted' && !world.erasedUsers.has(id)) world.erasedUsers.set(id, updatedAt ?? now);
  }
  for (const key of rows.enrolmentKey.values()) putEnrolmentKey(world, key);
  for (const key of apiKeys) putApiKey(world, key);
  for (const field of rows.customField.values()) {
    world.customFields.set(field.id, { ...field, owner: { ...field.owner }, choices: [...field.choices] });
  }
  for (const script of rows.script.values()) {
    world.scripts.set(script.id, { ...script, owner: { ...script.owner } });
  }
  for (const alert of alerts) world.alerts.set(alert.id, alert);
  for (const device of devices) world.devices.put(device);
  for (const record of rows.device.values()) putMachine(world, record);
  for (const { id, patches } of rows.device.values()) {
    world.patches.replace(
      id,
      (patches ?? []).flatMap((patch) => patch.id ?? []),
    );
  }
  for (const filter of filters) {
    const known = world.filters.get(filter.id);
    if (known !== undefined && known.version !== filter.version) {
      const kept = world.filterVersions.get(filter.id) ?? [];
      world.filterVersions.set(filter.id, supersede(kept, known));
    }
    world.filters.set(filter.id, filter);
  }
  for (const { kind: _, id, ...stored } of rows.deletionRequest.values()) {
    if (!world.deletionRequests.has(id)) world.deletionRequests.set(id, structuredClone(stored));
  }
  putAuditEntries(world, rows.auditEntry);
}

/** Stored values that the record lacks stay as they are. */
function putMachine({ devices: { machines } }: World, { id, orgId, ...given }: DeviceRecord): void {
  const { inventoryIds = [], systemUuid, knownKeys = [], reportsSince, makesContact, inventoriedAt } = given;
  const known = machines.get(id);
  machines.put(orgId, id, {
    ...known,
    inventoryIds: new Set([...known.inventoryIds, ...inventoryIds]),
    systemUuid: systemUuid ?? known.systemUuid,
    remembered: joinKeys(known.remembered, fromRemembered(knownKeys)),
    reportsSince: reportsSince ?? known.reportsSince,
    makesContact: makesContact || known.makesContact,
    inventoriedAt: inventoriedAt ?? known.inventoriedAt,
  });
}

function putAuditEntries({ auditEntries }: World, records: StagedRows['auditEntry']): void {
  if (records.size === 0) return;
  const known = new Set(auditEntries.map(({ id }) => id));
  for (const { kind: _, ...entry } of records.values())
    if (!known.has(entry.id)) auditEntries.push(freezeEntry(entry));
  auditEntries.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}
