/** Devices that are written while the next are read: the same rows and faults as if all were read first. */
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { makeFleetWriter } from '#adapters/postgres/bulk/loads/fleet-writer.ts';
import { makeResolveTitleIds } from '#adapters/postgres/bulk/loads/load-titles.ts';
import type { FleetWriter } from '#application/ports/fleet/fleet-writer.ts';
import type { DeviceRecord, FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { ok } from '#domain/result.ts';
import {
  aDevice,
  anAlert,
  anOrganization,
  aPartner,
  aScript,
  aSite,
  located,
  newId,
  SOME_INSTANT,
} from '#test/support/builders.ts';
import {
  BACKEND_OPTIONS,
  createPostgresWorld,
  type PostgresWorld,
} from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { contentsOf, indexNumber, schemaOf, titlesInNoBlock } from './database-state.ts';

/** The size of a batch. */
const CHUNK = 500;
const FLEET_SIZE = 4 * CHUNK + 100;

let world: PostgresWorld;
let pool: Pool;
let tenant: Tenant;
let writeAhead: FleetWriter;

function makeWriter({ backend }: PostgresWorld, on: Pool): FleetWriter {
  return makeFleetWriter({
    pool: on,
    makeResolveTitleIds: () => makeResolveTitleIds(on),
    hashPassword: BACKEND_OPTIONS.hashPassword,
    digestSecret: BACKEND_OPTIONS.digestSecret,
    sealTotpSecret: (secret) => secret,
    takeSealedTotpSecret: (sealed) => ok(sealed),
    checkPatterns: backend.checkPatterns,
    clock: () => SOME_INSTANT,
    newId: BACKEND_OPTIONS.newId,
    afterLargeLoad: async () => undefined,
    chunkSize: CHUNK,
  });
}

async function openWorld(): Promise<PostgresWorld> {
  return createPostgresWorld(inject('databaseUrl'), { clock: () => SOME_INSTANT });
}

/** A dropped database ends idle connections, which the pool reports as an error. */
function openPool(world: PostgresWorld): Pool {
  return new Pool(world.connection('app')).on('error', () => undefined);
}

beforeAll(async () => {
  world = await openWorld();
  pool = openPool(world);
  writeAhead = makeWriter(world, pool);
  tenant = await createTenant(world.backend, 2);
  // The first devices of a database are loaded in a different way.
  await loadFleet(world.backend, [aDevice({ orgId: tenant.orgId })]);
});

afterAll(async () => {
  await pool.end();
  await world.close();
});

/** The result of the work, and how many chunks it wrote ahead; `soFar` counts them during the work. */
async function countingChunks<T>(
  work: (soFar: () => number) => Promise<T>,
): Promise<{ readonly result: T; readonly chunks: number }> {
  const query = vi.spyOn(Client.prototype, 'query');
  const soFar = () =>
    query.mock.calls.filter(([text]) => String(text).startsWith('truncate staged_device')).length;
  try {
    const result = await work(soFar);
    return { result, chunks: soFar() };
  } finally {
    query.mockRestore();
  }
}

function aFullDevice(orgId: OrgId, n: number, given: Partial<DeviceRecord> = {}): DeviceRecord {
  return aDevice({
    orgId,
    hostname: `device-${n}`,
    hardware: { ...aDevice({ orgId }).hardware, model: `model ${n % 50}` },
    network: [{ ipAddress: `10.0.${n % 250}.1`, publicIp: null, macAddress: null }],
    software: Array.from({ length: n % 4 }, (_, i) => ({ name: `Title ${(n * 7 + i) % 300}`, version: '1' })),
    patches: [{ id: newId<'patch'>(), title: 'KB1', status: 'pending' }],
    ...given,
  });
}

const devicesOf = (orgIds: readonly OrgId[]) =>
  Array.from({ length: FLEET_SIZE }, (_, n) =>
    aFullDevice(orgIds[n % orgIds.length] ?? newId<'organization'>(), n),
  );

describe('a load of new devices', () => {
  test('has every chunk written ahead, and leaves the same as a load that is read first', async () => {
    const partner = aPartner();
    const org = anOrganization({ partnerId: partner.id });
    const site = aSite({ orgId: org.id });
    const known: readonly FleetRecord[] = [partner, anOrganization({ partnerId: partner.id })];
    const other = known.flatMap((record) => (record.kind === 'organization' ? [record.id] : []));
    const devices = devicesOf([org.id, ...other]).map((device, n) =>
      device.orgId === org.id && n % 3 === 0 ? { ...device, siteId: site.id } : device,
    );
    const fleet: readonly FleetRecord[] = [
      ...devices
        .slice(-50)
        .map(({ id: deviceId, orgId }) =>
          anAlert({ orgId, deviceId, severity: 'critical', status: 'active' }),
        ),
      org,
      site,
      ...devices.flatMap((device, n): FleetRecord[] =>
        n % 7 === 0
          ? [
              device,
              anAlert({ orgId: device.orgId, deviceId: device.id, severity: 'critical', status: 'active' }),
            ]
          : [device],
      ),
    ];
    const before = [...known, aDevice({ orgId: other[0] ?? newId<'organization'>() })];
    const [one, two] = [await openWorld(), await openWorld()];
    const onePool = openPool(one);
    try {
      for (const each of [one, two]) await loadFleet(each.backend, before);
      const { result, chunks } = await countingChunks(() => makeWriter(one, onePool)(located(fleet)));
      expect(result.ok && result.value.device).toBe(FLEET_SIZE);
      // A chunk ends with a batch, and alerts among the devices fill batches too.
      expect(chunks).toBe(2);
      await loadFleet(two.backend, fleet);
      expect(await contentsOf(one)).toStrictEqual(await contentsOf(two));
      expect(await titlesInNoBlock(one)).toStrictEqual([]);
    } finally {
      await onePool.end();
      await one.close();
      await two.close();
    }
  });

  test('is invisible before it is complete', async () => {
    const { orgId } = await createTenant(world.backend);
    const seen: unknown[] = [];
    const source = async function* () {
      yield* located(devicesOf([orgId]));
      seen.push(...(await world.query('owner', 'select from device where org_id = $1', [orgId])));
    };
    const { result, chunks } = await countingChunks(() => writeAhead(source()));
    expect(result.ok).toBe(true);
    expect(chunks).toBe(4);
    expect(seen).toStrictEqual([]);
    expect(await world.query('owner', 'select from device where org_id = $1', [orgId])).toHaveLength(
      FLEET_SIZE,
    );
  });

  test('leaves nothing when its source throws after some chunks are written', async () => {
    const before = await contentsOf(world);
    const failure = new Error('the file ended in the middle');
    const { result, chunks } = await countingChunks((soFar) => {
      const source = async function* () {
        yield* located(devicesOf(tenant.orgIds));
        await until(async () => soFar() > 0);
        throw failure;
      };
      return writeAhead(source()).then(
        () => 'loaded',
        (error: unknown) => error,
      );
    });
    expect(result).toBe(failure);
    expect(chunks).toBeGreaterThan(0);
    expect({ ...(await contentsOf(world)), software_title: '' }).toStrictEqual({
      ...before,
      software_title: '',
    });
  });
});

describe('a first load of several chunks', () => {
  const partner = aPartner();
  const org = anOrganization({ partnerId: partner.id });
  const known: readonly FleetRecord[] = [
    partner,
    org,
    aScript({ owner: { kind: 'organization', orgId: org.id } }),
  ];

  test('is written ahead without indexes, and leaves the same as a load of one statement', async () => {
    const fleet = devicesOf([org.id]).flatMap((device, n): FleetRecord[] =>
      n % 7 === 0
        ? [device, anAlert({ orgId: org.id, deviceId: device.id, severity: 'critical', status: 'active' })]
        : [device],
    );
    const [one, two] = [await openWorld(), await openWorld()];
    const onePool = openPool(one);
    try {
      for (const each of [one, two]) await loadFleet(each.backend, known);
      const schema = await schemaOf(one);
      const before = await indexNumber(one);
      const { result, chunks } = await countingChunks(() => makeWriter(one, onePool)(located(fleet)));
      expect(result.ok && result.value.device).toBe(FLEET_SIZE);
      expect(chunks).toBe(2);
      expect(await indexNumber(one)).not.toBe(before);
      expect(await schemaOf(one)).toStrictEqual(schema);
      await loadFleet(two.backend, fleet);
      expect(await contentsOf(one)).toStrictEqual(await contentsOf(two));
      expect(await titlesInNoBlock(one)).toStrictEqual([]);
    } finally {
      await onePool.end();
      await one.close();
      await two.close();
    }
  });

  test('leaves everything as it was if a later chunk has an error', async () => {
    const one = await openWorld();
    const onePool = openPool(one);
    try {
      await loadFleet(one.backend, known);
      const [schema, before] = [await schemaOf(one), await contentsOf(one)];
      const index = await indexNumber(one);
      const devices = devicesOf([org.id]);
      const [first = aDevice({ orgId: org.id })] = devices;
      const spoiled = devices.with(-1, { ...first, patches: [] });
      const { result, chunks } = await countingChunks(() => makeWriter(one, onePool)(located(spoiled)));
      expect(chunks).toBe(4);
      expect(result).toStrictEqual({
        ok: false,
        error: [
          { line: FLEET_SIZE, member: 'device.id', message: 'an earlier record of the file has this id' },
        ],
      });
      expect(await schemaOf(one)).toStrictEqual(schema);
      expect(await indexNumber(one)).toBe(index);
      expect({ ...(await contentsOf(one)), software_title: '' }).toStrictEqual({
        ...before,
        software_title: '',
      });
    } finally {
      await onePool.end();
      await one.close();
    }
  });
});

describe('a load in which a later chunk', () => {
  test('changes a stored device leaves that change and all that follow to the end', async () => {
    const devices = devicesOf(tenant.orgIds);
    await loadFleet(world.backend, devices.slice(2 * CHUNK, 2 * CHUNK + 10));
    const renamed = devices.map((device) => ({ ...device, hostname: `new-${device.hostname}` }));
    const { result, chunks } = await countingChunks(() => writeAhead(located(renamed)));
    expect(result.ok).toBe(true);
    expect(chunks).toBe(2);
    const rows = await world.query<{ id: string; hostname: string; patches: number }>(
      'owner',
      `select id, hostname, (select count(*)::int from patch p where p.device_id = d.id) as patches
       from device d where id = any($1) order by id`,
      [renamed.map(({ id }) => id)],
    );
    const expected = renamed.map(({ id, hostname }) => ({ id, hostname, patches: 1 }));
    expect(rows).toStrictEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  });

  test.each<[string, (devices: DeviceRecord[], last: DeviceRecord) => DeviceRecord]>([
    ['repeats an id that was written', (devices, last) => ({ ...last, id: devices[3]?.id ?? last.id })],
    [
      'repeats an id that was written for another organization',
      (devices, last) => ({ ...last, orgId: tenant.orgIds[1] ?? last.orgId, id: devices[0]?.id ?? last.id }),
    ],
    [
      'repeats a patch that was written',
      (devices, last) => ({ ...last, patches: devices[3]?.patches ?? [] }),
    ],
    ['names an unknown organization', (_, last) => ({ ...last, orgId: newId<'organization'>() })],
    ['names an unknown site', (_, last) => ({ ...last, siteId: newId<'site'>() })],
  ])('%s is refused like a load that is read first', async (_, spoil) => {
    const before = await contentsOf(world);
    const devices = devicesOf([tenant.orgId]);
    const at = 3 * CHUNK + 7;
    const last = devices[at] ?? aDevice({ orgId: tenant.orgId });
    const spoiled = devices.with(at, spoil(devices, last));
    const { result, chunks } = await countingChunks(() => writeAhead(located(spoiled)));
    expect(chunks).toBe(3);
    expect(result.ok).toBe(false);
    expect(result).toStrictEqual(await world.backend.fleetWriter(located(spoiled)));
    expect({ ...(await contentsOf(world)), software_title: '' }).toStrictEqual({
      ...before,
      software_title: '',
    });
  });
});

test('a load of more titles than it can remember notes each of them once per organization', async () => {
  // Each organization needs as many bits as the greatest id.
  await world.query('owner', 'alter table software_title alter column id restart with 100000000');
  const partner = aPartner();
  const orgs = [1, 2, 3].map(() => anOrganization({ partnerId: partner.id }));
  const devices = Array.from({ length: FLEET_SIZE }, (_, n) =>
    aFullDevice(orgs[Math.floor(n / CHUNK) % orgs.length]?.id ?? newId<'organization'>(), n, {
      software: [{ name: `Far ${n % 300}`, version: null }],
    }),
  );
  const { result, chunks } = await countingChunks(() => writeAhead(located([partner, ...orgs, ...devices])));
  expect(result.ok).toBe(true);
  expect(chunks).toBeGreaterThan(1);
  const orgIds = orgs.map(({ id }) => id);
  const noted = await world.query(
    'owner',
    'select org_id, title_id from organization_software where org_id = any($1) order by org_id, title_id',
    [orgIds],
  );
  expect(noted).toHaveLength(3 * 300);
  expect(noted).toStrictEqual(
    await world.query(
      'owner',
      `select distinct org_id, title_id from device_software cross join unnest(title_ids) u(title_id)
       where org_id = any($1) order by org_id, title_id`,
      [orgIds],
    ),
  );
});
