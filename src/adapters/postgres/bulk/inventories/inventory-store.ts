/** Stores each inventory in one transaction. Inventories of the same machine wait for each other. */
import type { Pool, PoolClient } from 'pg';
import { recordChange } from '#adapters/postgres/audit-insert.ts';
import type { CopyValue, Row } from '#adapters/postgres/bulk/device-rows.ts';
import { runPrepared } from '#adapters/postgres/bulk/prepared.ts';
import { withScope } from '#adapters/postgres/bulk/with-scope.ts';
import { classifyFailure, DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import { foldedCompanion, versionKeyOf } from '#adapters/postgres/derived-columns.ts';
import type {
  InventoryOutcome,
  InventoryReading,
  InventoryRefusal,
  InventoryStore,
} from '#application/ports/fleet/inventory-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { findTooLongTitle } from '#domain/device/title-quota.ts';
import { lastUserAfter, stateAfter } from '#domain/inventory/device-inventory.ts';
import { findMachine, reportedMachine } from '#domain/inventory/find-machine.ts';
import { lostKeys } from '#domain/inventory/machine-keys.ts';
import { signsAfter } from '#domain/inventory/presence.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { printInstantOrNull } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';
import { noteContact } from './contacts.ts';
import { insertRow, rememberKeys, replaceParts, updateDevice } from './inventory-rows.ts';
import { lockMachine, readKnownMachines, type StoredMachine } from './known-machines.ts';

export interface InventoryStoreDeps {
  /** Connects as the app role. Its `lock_timeout` is short. */
  readonly pool: Pool;
  readonly newId: IdGenerator;
}

export function makeInventoryStore({ pool, newId }: InventoryStoreDeps): InventoryStore {
  return {
    store: async (reading, makeEntry) => {
      const { orgId } = reading;
      let makesRoom = false;
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const stored = await withScope(
          pool,
          { kind: 'organization', orgId },
          async (client) => {
            const outcome = await storeOnce({ client, newId, makesRoom }, reading);
            if (outcome !== 'moved-on' && outcome.ok) await recordChange(client, makeEntry?.(outcome.value));
            return outcome;
          },
          { shouldCommit: (outcome) => outcome !== 'moved-on' && outcome.ok },
        ).catch(refuseBusy);
        if (stored === 'moved-on') continue;
        if (stored.ok || makesRoom || !MAY_HAVE_ROOM.has(stored.error)) return stored;
        makesRoom = true;
      }
      throw new Error(`a device changed ${MAX_TRIES} times while an inventory of it was stored`);
    },
    contact: (reading) =>
      withScope(pool, { kind: 'organization', orgId: reading.orgId }, (client) =>
        noteContact(client, reading),
      ).catch(refuseBusy),
  };
}

/** Reports a conflict as `DatabaseBusyError`: a load, for example, may have locked the device too long. */
function refuseBusy(error: unknown): never {
  throw classifyFailure(error) === 'conflict' ? new DatabaseBusyError() : error;
}

const MAY_HAVE_ROOM: ReadonlySet<InventoryRefusal> = new Set([
  'too-many-titles',
  'too-many-versions',
  'too-many-title-bytes',
]);

const MAX_TRIES = 20;

interface Storing {
  readonly client: PoolClient;
  readonly newId: IdGenerator;
  readonly makesRoom: boolean;
}

/** Returns `moved-on` if the device changed after it was found: it may now belong to another machine. */
async function storeOnce(
  { client, newId, makesRoom }: Storing,
  reading: InventoryReading,
): Promise<Result<InventoryOutcome, InventoryRefusal> | 'moved-on'> {
  const { orgId, source, inventory, now } = reading;
  const refusal = await refusalOf(client, reading);
  if (refusal !== null) return err(refusal);
  const reported = reportedMachine(inventory);
  await lockMachine(client, orgId, reported);
  const known = findMachine(reported, await readKnownMachines(client, orgId, reported));
  if (known === null && inventory.kind === 'partial') return err('unknown-device');
  if (findTooLongTitle(inventory.fields.software ?? []) >= 0) return err('too-long-title');
  const id = known?.id ?? newId<'device'>();
  const isFirstReport = source === 'report' && known?.hasReported !== true;
  const [uuid] = reported.keys.uuids;
  const columns: Row = {
    ...inventoryColumns(reading, known),
    ...(isFirstReport && { reports_since: printInstantOrNull(now) }),
    ...(uuid !== undefined && { system_uuid: uuid }),
    ...(source === 'report' && signColumns(reading, known?.inventoriedAt ?? null)),
  };
  if (known === null) {
    await insertRow(client, 'device', {
      id,
      org_id: orgId,
      enrolled_at: printInstantOrNull(now),
      ...columns,
    });
  } else if (!(await updateDevice(client, orgId, known, columns))) {
    return 'moved-on';
  }
  if (known !== null) {
    const { serials, uuids } = lostKeys(known.currentKeys, reported.keys);
    const losesSerial = inventory.fields.hardware?.serialNumber !== undefined;
    await rememberKeys(
      client,
      { id, orgId },
      {
        serials: losesSerial ? serials : [],
        uuids: uuid === undefined ? [] : uuids,
        macs: [],
      },
    );
  }
  if (known?.inventoryIds.has(reported.inventoryId) !== true) {
    const name = { device_id: id, org_id: orgId, inventory_id: reported.inventoryId };
    await insertRow(client, 'device_inventory_id', name);
  }
  if (inventory.tag !== null) {
    await runPrepared(
      client,
      'update device set tags = array_append(tags, $2) where id = $1 and $2 <> all(tags)',
      [id, inventory.tag],
    );
  }
  const replaced = await replaceParts(client, id, orgId, inventory, makesRoom);
  if (replaced === 'moved-on') return replaced;
  if (replaced !== 'replaced') return err(replaced);
  return ok({ deviceId: id, created: known === null, isFirstReport });
}

async function refusalOf(
  client: PoolClient,
  { orgId, siteId }: InventoryReading,
): Promise<InventoryRefusal | null> {
  const { rows } = await runPrepared<{ has_site: boolean }>(
    client,
    `select $2::uuid is null or exists (select 1 from site where id = $2 and org_id = $1) as has_site
     from organization where id = $1`,
    [orgId, siteId],
  );
  if (rows[0] === undefined) return 'unknown-organization';
  return rows[0].has_site ? null : 'unknown-site';
}

function signColumns(reading: InventoryReading, before: EpochMs | null): Row {
  const { makesContact, inventoriedAt } = signsAfter(reading, before);
  return { makes_contact: makesContact, inventoried_at: printInstantOrNull(inventoriedAt) };
}

function inventoryColumns(
  { inventory, source, siteId, ip = null, now }: Omit<InventoryReading, 'orgId'>,
  known: StoredMachine | null,
): Row {
  const { fields } = inventory;
  const {
    status,
    lastSeenAt,
    uptimeSeconds = fields.uptimeSeconds,
  } = stateAfter(inventory, source, now, known?.status ?? null);
  const { cpuPercent, ramPercent, diskPercent } = fields.metrics ?? {};
  const texts = {
    os_version: fields.osVersion,
    os_build: fields.osBuild,
    agent_version: fields.agentVersion,
    last_user: lastUserAfter(inventory, known?.lastUser ?? null),
    last_seen_ip: ip ?? undefined,
  };
  const columns: Readonly<Record<string, CopyValue | undefined>> = {
    status,
    last_seen_at: ifGiven(lastSeenAt, printInstantOrNull),
    site_id: siteId ?? undefined,
    hostname: fields.hostname,
    hostname_lc: ifGiven(fields.hostname, foldCase),
    device_role: fields.deviceRole,
    os_type: fields.osType,
    architecture: fields.architecture,
    uptime_seconds: uptimeSeconds,
    cpu_percent: cpuPercent,
    ram_percent: ramPercent,
    disk_percent: diskPercent,
    ...texts,
    ...Object.fromEntries(
      Object.entries(texts).map(([column, text]) => [`${column}_lc`, ifGiven(text, foldedCompanion)]),
    ),
    os_version_key: ifGiven(fields.osVersion, versionKeyOf),
    agent_version_key: ifGiven(fields.agentVersion, versionKeyOf),
  };
  return Object.fromEntries(
    Object.entries(columns).filter((column): column is [string, CopyValue] => column[1] !== undefined),
  );
}

function ifGiven<T, U>(value: T | undefined, convert: (value: T) => U): U | undefined {
  return value === undefined ? undefined : convert(value);
}
