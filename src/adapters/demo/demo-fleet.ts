/**
 * The demo: two service providers, their customers and about 2,000 devices, so that there is
 * something to find on the first start (Contract: §9, "Running it").
 */
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

/** The records, and what is needed to try them. */
export interface DemoFleet {
  /** Generated lazily; every iteration yields the same ones. */
  readonly records: Iterable<LocatedRecord>;
  /** The administrators whose sign-in details are printed at the first start: platform, partner, organization. */
  readonly signIns: readonly DemoSignIn[];
  /** A key to try with curl at once: of the administrator of the larger partner, for all its organizations. */
  readonly apiKey: string;
  readonly counts: { readonly partners: number; readonly organizations: number; readonly devices: number };
}

/**
 * The demo as it is at `now`. Ids, names and measurements are the same at any time and timestamps keep their
 * distance from `now`, so that loading it again updates what is there. Only the secrets are passed in.
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

/** A record comes after the records that it refers to. */
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

/** Numbers the records as if each were a line of a file; the member is its kind and index. */
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
