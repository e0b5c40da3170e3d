/** A matcher over another store passes the contract of the port and the tests of every condition's meaning. */
import type { Backend } from 'fleetsift/application';
import type { FleetRecord } from 'fleetsift/domain';
import { createMemoryBackend } from 'fleetsift/memory';
import { contractsWith } from 'fleetsift/testing';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeAssetMatcher } from './asset-matcher.ts';
import { type Asset, AssetStore, type Incident } from './asset-store.ts';

const store = new AssetStore();
const memory = createMemoryBackend();

/** The suites write their fleets through this port, which also writes to the store. */
const fleetWriter: Backend['fleetWriter'] = async (source, ...rest) => {
  const records = await Array.fromAsync(source);
  const written = await memory.fleetWriter(records, ...rest);
  if (written.ok) {
    const all = records.map(({ record }) => record);
    store.write(all.flatMap(toAsset), all.flatMap(toIncident));
  }
  return written;
};

const backend = {
  ...memory,
  fleetWriter,
  matcher: makeAssetMatcher(store),
  auditEntries: async () => memory.auditEntries(),
};

const contracts = contractsWith({ describe, test, beforeAll, beforeEach, expect });
contracts.testDeviceMatcher(() => backend);
contracts.testFilterSemantics(() => backend);

function toAsset(record: FleetRecord): Asset[] {
  if (record.kind !== 'device') return [];
  const { kind: _, id, orgId, siteId, hostname, displayName, status, patches, ...facts } = record;
  return [
    {
      asset_id: id,
      customer_id: orgId,
      site_id: siteId,
      name: hostname,
      label: displayName,
      state: status,
      facts,
      updates: patches?.map(({ title, status }) => ({ name: title, state: status })) ?? null,
    },
  ];
}

function toIncident(record: FleetRecord): Incident[] {
  if (record.kind !== 'alert') return [];
  const is_critical = record.severity === 'critical' && record.status === 'active';
  return [{ incident_id: record.id, asset_id: record.deviceId, is_critical }];
}
