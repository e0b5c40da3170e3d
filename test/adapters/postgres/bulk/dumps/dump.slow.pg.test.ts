/** A dump that is loaded into another database and dumped again is the same text, byte for byte. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import type { PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { DeletionRequestRecord, FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { isBlank } from '#domain/text/storable-text.ts';
import { RECORDS } from '#test/adapters/demo/fixed-demo.ts';
import {
  aCustomField,
  aDevice,
  aFilter,
  anApiKey,
  anAuditEntry,
  aSite,
  aUser,
  located,
  newId,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { ANY_HASH, dump, loadDump } from '#test/support/database/dumps.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { randomWorld } from '#test/support/random/random-worlds.ts';
import { createLoneTenant, loadFleet } from '#test/support/tenant.ts';

const DAY_MS = 86_400_000;
const worlds: PostgresWorld[] = [];
/** Two services share a key, and one has another. */
let from: PostgresBackend;
let to: PostgresBackend;
let stranger: PostgresBackend;

async function open(secretKey: string): Promise<PostgresBackend> {
  const world = await createPostgresWorld(inject('databaseUrl'), {
    secretKey,
    hashPassword: async () => ANY_HASH,
  });
  worlds.push(world);
  return world.backend;
}

beforeAll(async () => {
  from = await open('k'.repeat(40));
  to = await open('k'.repeat(40));
  stranger = await open('another key'.repeat(4));
});

afterAll(async () => {
  for (const world of worlds) await world.close();
});

async function clear(): Promise<void> {
  for (const world of worlds) {
    await world.query('owner', 'truncate partner, organization, app_user, audit_log, software_title cascade');
  }
}

/** Records that only dumps have, in every state. */
function keptRecords(orgId: OrgId, by: UserId): readonly FleetRecord[] {
  const site = aSite({ orgId });
  const request = (
    userId: UserId,
    given: object,
    more: Partial<DeletionRequestRecord> = {},
  ): DeletionRequestRecord => {
    const id = newId<'deletion-request'>();
    return {
      kind: 'deletionRequest',
      id,
      request: {
        ...{ id, userId, orgId, partnerId: null, reason: null },
        ...{ requestedAt: SOME_INSTANT, processBy: SOME_INSTANT + 30 * DAY_MS },
        ...{ createdAt: SOME_INSTANT, updatedAt: SOME_INSTANT + 1 },
        ...given,
      } as DeletionRequestRecord['request'],
      failures: 0,
      problem: null,
      nextAttemptAt: null,
      remindedAt: null,
      ...more,
    };
  };
  const inOrg = { scope: 'organization', orgId } as const;
  const users = ['pending', 'processing', 'cancelled', 'rejected'].map((name) =>
    aUser({ membership: inOrg, name, email: `${name}-${newId()}@example.com` }),
  );
  const [pending, processing, cancelled, rejected] = users.map(({ id }) => id) as [
    UserId,
    UserId,
    UserId,
    UserId,
  ];
  const erased = aUser({ membership: inOrg });
  const verdict = { at: SOME_INSTANT + DAY_MS, by, note: null };
  return [
    site,
    ...users,
    {
      ...aUser({ membership: inOrg, email: `gone-${newId()}@example.com` }),
      status: 'disabled',
      createdAt: 1,
      updatedAt: 2,
    },
    { ...erased, email: '', name: '', password: null, status: 'deleted', createdAt: 1, updatedAt: 2 },
    aUser({
      membership: { scope: 'system' },
      totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      email: `mfa-${newId()}@example.com`,
      recoveryCodeSha256s: ['a', 'b'].map((code) => digestSecret(`${code}${newId()}`)),
    }),
    { ...anApiKey({ userId: by }), revokedAt: SOME_INSTANT, createdAt: 5 },
    {
      kind: 'enrolmentKey',
      ...{
        id: newId<'enrolment-key'>(),
        orgId,
        siteId: site.id,
        name: 'Office',
        keySha256: digestSecret(newId()),
      },
      ...{ createdAt: SOME_INSTANT, expiresAt: SOME_INSTANT + DAY_MS, revokedAt: SOME_INSTANT + 1 },
    },
    aDevice({
      orgId,
      siteId: site.id,
      inventoryIds: ['pc-2', 'pc-1'],
      systemUuid: '4c4c4544-0051-4a10-8056-b4c04f4e3732',
      knownKeys: [
        { kind: 'serial', key: 'former-1' },
        { kind: 'mac', key: '44:85:00:2b:90:bc' },
      ],
      reportsSince: SOME_INSTANT,
      makesContact: true,
      inventoriedAt: SOME_INSTANT + DAY_MS,
    }),
    {
      ...aFilter({ orgId, createdBy: by, name: 'Changed twice' }),
      createdAt: 1_000,
      updatedAt: 2_000,
      version: 3,
    },
    request(pending, { status: 'pending', reason: 'leaving' }, { remindedAt: SOME_INSTANT + 23 * DAY_MS }),
    request(
      processing,
      { status: 'processing', verdict: { ...verdict, note: 'fine' } },
      {
        failures: 2,
        problem: 'a lock',
        nextAttemptAt: SOME_INSTANT + 40 * DAY_MS,
      },
    ),
    request(cancelled, { status: 'cancelled', verdict: null }),
    request(rejected, { status: 'cancelled', verdict: { ...verdict, note: 'no' } }),
    request(erased.id, { status: 'completed', verdict }),
    { kind: 'auditEntry', ...anAuditEntry({ orgId, actor: { type: 'user', id: by } }) },
    {
      kind: 'auditEntry',
      ...anAuditEntry({
        actor: { type: 'system', id: null },
        action: 'fleet.load',
        resourceType: 'fleet',
        at: SOME_INSTANT - 400 * DAY_MS,
        details: { command: 'load', devices: 3, none: null, fields: ['a', 'b'], ok: true },
        ip: '192.0.2.1',
      }),
    },
  ];
}

/** The dump of one service, and of the other after loading it. */
async function thereAndBack(reading = {}): Promise<readonly [string, string]> {
  const text = await dump(from, reading);
  const loaded = await loadDump(to, text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error.slice(0, 5)));
  return [text, await dump(to, reading)];
}

describe('dump(load(dump(x))) equals dump(x)', () => {
  test('for the demo, with and without credentials', async () => {
    await clear();
    await loadFleet(from, RECORDS);
    const [plain, plainAgain] = await thereAndBack({ withCredentials: false });
    expect(plainAgain).toBe(plain);
    expect(plain).not.toMatch(/passwordHash|totpSecret|keySha256|fsk_/);
    const [whole, again] = await thereAndBack();
    expect(again).toBe(whole);
    expect(whole.split('\n')).toHaveLength(RECORDS.length + 1);
  }, 120_000);

  test('for everything that only a dump has', async () => {
    await clear();
    const { orgId, userId } = await createLoneTenant(from);
    const records = keptRecords(orgId, userId);
    await loadFleet(from, records);
    const [text, again] = await thereAndBack();
    expect(again).toBe(text);
    const kinds = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    for (const record of records) {
      expect(kinds.filter(({ kind, id }) => kind === record.kind && id === record.id)).toHaveLength(1);
    }
    // A second load changes nothing.
    const repeated = await loadDump(to, text);
    expect(repeated.ok).toBe(true);
    expect(withoutUpdates(await dump(to))).toBe(withoutUpdates(text));
  });

  test('after an organization has moved to another partner, whose staff alone reach it', async () => {
    await clear();
    const { partnerId, orgId } = await createLoneTenant(from);
    const other = await createLoneTenant(from);
    const narrowed = aUser({ membership: { scope: 'partner', partnerId, orgIds: [orgId] } });
    await loadFleet(from, [narrowed]);
    await loadFleet(from, [{ kind: 'organization', id: orgId, partnerId: other.partnerId, name: 'Moved' }]);
    const [text, again] = await thereAndBack();
    expect(again).toBe(text);
    expect(text).toMatch(new RegExp(`"id":"${narrowed.id}".*"orgIds":\\[\\]`));
  });

  test('for any fleet', async () => {
    await fc.assert(
      fc.asyncProperty(randomWorld(25), async ({ records }) => {
        await clear();
        await loadFleet(from, records.map(loadable));
        const [text, again] = await thereAndBack();
        expect(again).toBe(text);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  }, 120_000);
});

/** The record without blank and long names, which loads and the service refuse. */
function loadable(record: FleetRecord): FleetRecord {
  const short = <T extends string | null>(text: T) =>
    (text === null ? null : [...(text as string)].slice(0, 499).join('')) as T;
  const named = (text: string) => (isBlank(text) ? `${short(text)}x` : short(text));
  if (record.kind === 'customField') return { ...record, choices: [...new Set(record.choices.map(named))] };
  if (record.kind !== 'device') return record;
  return {
    ...record,
    hostname: named(record.hostname),
    hardware: { ...record.hardware, serialNumber: short(record.hardware.serialNumber) },
    network: record.network.map(({ ipAddress, publicIp, macAddress }) => ({
      ...{ ipAddress: short(ipAddress), publicIp: short(publicIp), macAddress: short(macAddress) },
    })),
    software: record.software.map((one) => ({ ...one, name: named(one.name) })),
    volumes: record.volumes.map((one) => ({ ...one, name: named(one.name) })),
    patches: record.patches?.map((one) => ({ ...one, title: named(one.title) })) ?? null,
  };
}

test('invisible names, which earlier versions accepted, are dumped in a form that can be loaded', async () => {
  await clear();
  const { orgId, userId } = await createLoneTenant(from);
  const device = aDevice({
    orgId,
    hostname: '\u0085',
    software: [{ name: '\u0001\u007f', version: '1' }],
    patches: [{ id: null, title: '\u0085', status: 'pending' }],
  });
  const field = aCustomField({
    key: 'room',
    owner: { kind: 'organization', orgId },
    type: 'dropdown',
    choices: ['a', '\u0085'],
  });
  await loadFleet(from, [device, { ...field, name: '\u0085' }, anApiKey({ userId, name: '\u0085' })]);
  const [text, again] = await thereAndBack();
  expect(again).toBe(text);
  expect(await to.deviceReader.find(orgScope(orgId), device.id)).toMatchObject({
    device: {
      hostname: 'U+0085',
      software: [{ name: 'U+0001 U+007F' }],
      patches: [{ title: 'U+0085' }],
    },
  });
  expect(text).toContain('"choices":["a","U+0085"]');
});

describe('a dump with credentials', () => {
  test('brings passwords, second factors, recovery codes and keys', async () => {
    await clear();
    const { orgId, userId } = await createLoneTenant(from);
    const key = anApiKey({ userId });
    const person = aUser({
      membership: { scope: 'organization', orgId },
      totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      recoveryCodeSha256s: [digestSecret('code')],
    });
    await loadFleet(from, [key, person]);
    await loadDump(to, await dump(from));
    expect(await to.principals.findApiKey(digestSecret(key.key))).toMatchObject({ grant: { id: key.id } });
    const { factor, isTaken } = await to.unitOfWork(SYSTEM_SCOPE, async ({ mfa }) => ({
      factor: await mfa.findFactor(person.id),
      isTaken: await mfa.takeRecoveryCode(person.id, digestSecret('code')),
    }));
    expect(factor).toMatchObject({ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
    expect(isTaken).toBe(true);
    expect(await to.signIns.findByEmail(person.email)).toMatchObject({ passwordHash: ANY_HASH });
  });

  test('is refused by a service with another SECRET_KEY; the error names the key, and nothing is written', async () => {
    await clear();
    const { orgId } = await createLoneTenant(from);
    const person = aUser({ membership: { scope: 'organization', orgId }, totpSecret: 'JBSWY3DPEHPK3PXP' });
    await loadFleet(from, [person]);
    const text = await dump(from);
    const refused = await loadDump(stranger, text);
    if (refused.ok) throw new Error('the dump was loaded');
    const line = text.split('\n').findIndex((one) => one.includes(person.id)) + 1;
    expect(refused.error).toStrictEqual([
      {
        line,
        member: 'user.totpSecret',
        message: expect.stringMatching(/id is .{11}\).*SECRET_KEY_PREVIOUS/),
      },
    ]);
    expect(await dump(stranger)).toBe('');
  });
});

describe('a dump without credentials', () => {
  test('leaves credentials of known people unchanged, and lets no new person sign in', async () => {
    await clear();
    const { orgId } = await createLoneTenant(from);
    const person = aUser({
      membership: { scope: 'organization', orgId },
      totpSecret: 'JBSWY3DPEHPK3PXP',
      recoveryCodeSha256s: [digestSecret('code')],
    });
    await loadFleet(from, [person]);
    const whole = await dump(from);
    const plain = await dump(from, { withCredentials: false });
    await loadDump(to, plain);
    expect(await to.signIns.findByEmail(person.email)).toMatchObject({ passwordHash: null });
    await loadDump(from, plain);
    expect(withoutUpdates(await dump(from))).toBe(withoutUpdates(whole));
  });
});

describe('a load into a database that has rows', () => {
  test('does not undo erasures, revocations and decisions on requests', async () => {
    await clear();
    const { orgId, userId } = await createLoneTenant(from);
    await loadFleet(from, keptRecords(orgId, userId));
    const text = await dump(from);
    await loadDump(to, text);
    const older = text
      .replaceAll(/,"revokedAt":"[^"]*"/g, '')
      .replaceAll(/,"status":"cancelled"/g, ',"status":"pending"')
      .replaceAll(/,"processed(At|By)":"[^"]*"/g, '')
      .replaceAll(/,"adminNote":"[^"]*"/g, '')
      .replaceAll(/"status":"(processing|completed)"/g, '"status":"pending"');
    expect(older).not.toBe(text);
    const loaded = await loadDump(to, older);
    expect(loaded.ok ? [] : loaded.error).toStrictEqual([]);
    expect(withoutUpdates(await dump(to))).toBe(withoutUpdates(text));
  });

  test('does not erase a person whom the dump has as erased', async () => {
    await clear();
    const { orgId, userId } = await createLoneTenant(from);
    const tombstone = { kind: 'user', id: userId, scope: 'organization', orgId, status: 'deleted' };
    expect(await loadDump(from, JSON.stringify(tombstone))).toMatchObject({
      ok: false,
      error: [{ line: 1, member: 'user.status' }],
    });
  });

  test('refuses an audit entry that differs from the one with its id', async () => {
    await clear();
    const entry = anAuditEntry();
    await loadFleet(from, [{ kind: 'auditEntry', ...entry }]);
    expect(
      await from.fleetWriter(located([{ kind: 'auditEntry', ...entry, action: 'filter.create' }])),
    ).toMatchObject({ ok: false, error: [{ line: 1, member: 'auditEntry.id' }] });
  });
});

/** A load updates the users in it. */
function withoutUpdates(text: string): string {
  return text.replaceAll(/"updatedAt":"[^"]*"/g, '');
}
