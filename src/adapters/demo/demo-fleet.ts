/** Two service providers, their customers and about 2,000 devices (Contract: §9, "Running it"). */
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { EpochMs } from '#domain/time.ts';
import { deviceAlerts, organizationAlerts } from './alerts.ts';
import { customFieldRecord } from './custom-fields.ts';
import { type DemoSecrets, type DemoSignIn, demoApiKeys, demoUsers } from './demo-accounts.ts';
import { CONTENT, ORGANIZATIONS, PARTNERS } from './demo-data.ts';
import { demoDevice } from './demo-device.ts';
import { plannedDevices } from './device-plan.ts';
import { filterRecords, scriptRecords } from './saved-filters.ts';
import { stableId } from './seeded-random.ts';

export interface DemoFleet {
  /** Generated lazily; every iteration yields the same records. */
  readonly records: Iterable<LocatedRecord>;
  /** Printed at the first start. */
  readonly signIns: readonly DemoSignIn[];
  /** Reaches all organizations of the larger partner. */
  readonly apiKey: string;
  readonly counts: { readonly partners: number; readonly organizations: number; readonly devices: number };
}

/**
 * Ids, names and measurements never change, and timestamps keep their distance from `now`, so loading the demo again
 * updates the same records.
 */
export function demoFleet(now: EpochMs, secrets: DemoSecrets): DemoFleet {
  const { records: users, signIns } = demoUsers(secrets);
  const apiKeys = demoApiKeys(now, secrets);
  return {
    records: { [Symbol.iterator]: () => located(fleetRecords(now, [...users, ...apiKeys])) },
    signIns,
    apiKey: apiKeys[0].key,
    counts: {
      partners: PARTNERS.length,
      organizations: ORGANIZATIONS.length,
      devices: ORGANIZATIONS.reduce((sum, { devices }) => sum + devices, 0),
    },
  };
}

function* fleetRecords(now: EpochMs, accounts: readonly FleetRecord[]): Generator<FleetRecord> {
  for (const { key, name } of PARTNERS) {
    yield { kind: 'partner', id: stableId('partner', key), name };
  }
  for (const { key, name, partner } of ORGANIZATIONS) {
    yield {
      kind: 'organization',
      id: stableId('organization', key),
      partnerId: stableId('partner', partner),
      name,
    };
  }
  for (const { key, sites } of ORGANIZATIONS) {
    const orgId = stableId('organization', key);
    for (const site of sites) {
      yield { kind: 'site', id: stableId('site', `${key}/${site.key}`), orgId, name: site.name };
    }
  }
  yield* accounts;
  yield* CONTENT.customFields.map(customFieldRecord);
  yield* scriptRecords();
  for (const organization of ORGANIZATIONS) {
    yield* organizationAlerts(organization, now);
    for (const planned of plannedDevices(organization)) {
      const device = demoDevice(planned, now);
      yield device;
      yield* deviceAlerts(device, now);
    }
  }
  yield* filterRecords(now);
}

function* located(records: Iterable<FleetRecord>): Generator<LocatedRecord> {
  const seen = new Map<FleetRecord['kind'], number>();
  let line = 0;
  for (const record of records) {
    const index = seen.get(record.kind) ?? 0;
    seen.set(record.kind, index + 1);
    line += 1;
    yield { record, line, member: `demo.${record.kind}[${index}]` };
  }
}
