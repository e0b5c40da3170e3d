/** What every fleet writer promises of faulty fleets: it names faults by line and member, and writes nothing. */
import { TITLE_LIMITS } from '#domain/device/title-quota.ts';
import { MAX_TITLE_BYTES_PER_ORGANIZATION, MAX_TITLE_LENGTH } from '#domain/limits.ts';
import { err } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aDevice,
  anApiKey,
  anOrganization,
  aUser,
  located,
  newId,
  orgScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { FAULT_CASES } from './fault-cases.ts';
import { makeFleetQuestions, placesOf } from './write-fleet.ts';

export function testFleetFaults(backend: () => ContractBackend): void {
  const { write, furnish, shareTwo, hostnames } = makeFleetQuestions(backend);

  describe('FleetWriter, faults', () => {
    test.each(FAULT_CASES)(
      'names %s by line and member, and writes nothing',
      async (_what, recordsOf, places) => {
        const [own, other] = await shareTwo();
        const good = anOrganization({ partnerId: own.partnerId });
        const outcome = await write(good, ...recordsOf(own, other));
        expect(placesOf(outcome)).toStrictEqual(places);
        expect(await backend().organizationExists(good.id)).toBe(false);
      },
    );

    test('names the device whose software titles exceed the limit of its organization', async () => {
      const { orgId } = await createTenant(backend());
      const has = (from: number, count: number) =>
        Array.from({ length: count }, (_, i) => ({
          name: String.fromCodePoint(0x20000 + from + i).repeat(MAX_TITLE_LENGTH),
          version: null,
        }));
      const most = MAX_TITLE_BYTES_PER_ORGANIZATION / (4 * MAX_TITLE_LENGTH);
      const full = aDevice({ orgId, software: has(0, most) });
      const outcome = await write(
        full,
        aDevice({ orgId, software: has(most, 1) }),
        aDevice({ orgId, software: has(0, 1) }),
      );
      expect(outcome).toStrictEqual(
        err([
          {
            line: 2,
            member: 'device.software',
            message: TITLE_LIMITS['too-many-title-bytes'],
          },
        ]),
      );
      expect(placesOf(await write(full))).toStrictEqual([]);
      expect(placesOf(await write(aDevice({ orgId, software: has(most, 1) })))).toStrictEqual([
        '1 device.software',
      ]);
    });

    test('names a patch id of another device and an API key id of another user', async () => {
      const own = await furnish();
      const { orgId, userId } = own;
      const patch = { id: newId<'patch'>(), title: 'KB1', status: 'pending' } as const;
      const user = aUser();
      const key = anApiKey({ userId: user.id });
      await loadFleet(backend(), [aDevice({ orgId, patches: [patch] }), user, key]);
      const outcome = await write(aDevice({ orgId, patches: [patch] }), anApiKey({ id: key.id, userId }));
      expect(placesOf(outcome)).toStrictEqual(['1 device.patches[0].id', '2 apiKey.id']);
    });

    test('accepts a patch and an API key that are loaded again', async () => {
      const { orgId } = await createTenant(backend());
      const patch = { id: newId<'patch'>(), title: 'KB1', status: 'pending' } as const;
      const device = aDevice({ orgId, patches: [patch] });
      const user = aUser();
      const key = anApiKey({ userId: user.id });
      await loadFleet(backend(), [device, user, key]);
      expect(placesOf(await write(device, user, key))).toStrictEqual([]);
    });

    test('names an email that another user has already', async () => {
      const user = aUser();
      await loadFleet(backend(), [user]);
      expect(placesOf(await write(aUser({ email: user.email.toUpperCase() })))).toStrictEqual([
        '1 user.email',
      ]);
    });

    test('lets two users swap their emails', async () => {
      const [one, two] = [aUser(), aUser()];
      await loadFleet(backend(), [one, two]);
      expect(placesOf(await write({ ...one, email: two.email }, { ...two, email: one.email }))).toStrictEqual(
        [],
      );
      expect(await backend().accounts.findUserByEmail(one.email)).toBe(two.id);
      expect(await backend().accounts.findUserByEmail(two.email)).toBe(one.id);
    });

    test('accepts only one of two concurrent users with the same email', async () => {
      const user = aUser();
      const outcomes = await Promise.all([write(user), write(aUser({ email: user.email }))]);
      expect(outcomes.map(placesOf).toSorted((a, b) => a.length - b.length)).toStrictEqual([
        [],
        ['1 user.email'],
      ]);
    });

    test('stores both of two concurrent fleets', async () => {
      const tenant = await createTenant(backend());
      const fleets = ['a', 'b'].map((name) =>
        [1, 2, 3].map((i) => aDevice({ orgId: tenant.orgId, hostname: `${name}${i}` })),
      );
      await Promise.all(fleets.map((devices) => loadFleet(backend(), devices)));
      expect(await hostnames(tenant, and({ field: 'hostname', operator: 'isNotNull' }))).toStrictEqual([
        'a1',
        'a2',
        'a3',
        'b1',
        'b2',
        'b3',
      ]);
    });

    test('names a place by the line and member that it was given', async () => {
      const record = aDevice({ orgId: newId() });
      const outcome = await backend().fleetWriter([{ record, line: 4711, member: 'devices[12]' }]);
      expect(placesOf(outcome)).toStrictEqual(['4711 devices[12].orgId']);
    });

    test('describes faults in the words of the rules', async () => {
      const { orgId } = await furnish();
      const [unknown, user] = [newId<'organization'>(), aUser()];
      const device = aDevice({ orgId });
      const outcome = await write(
        ...[user, aUser({ email: user.email }), device, { ...device }],
        ...[aDevice({ orgId: unknown }), aDevice({ orgId, siteId: newId() }), anApiKey({ userId: newId() })],
      );
      const messages = outcome.ok
        ? []
        : outcome.error.map(({ message }) => message.replace(/[0-9a-f-]{36}/, 'ID'));
      expect(messages).toStrictEqual([
        'another user has this email',
        'an earlier record of the file has this id',
        'there is no organization ID',
        'the organization has no site ID',
        'there is no user ID',
      ]);
    });

    test('names a hundred faults at most', async () => {
      const outcome = await write(...Array.from({ length: 150 }, () => aDevice({ orgId: newId() })));
      expect(placesOf(outcome)).toHaveLength(100);
    });

    test('changes no stored record if a fleet is refused', async () => {
      const tenant = await furnish();
      const [before] = await Array.fromAsync(backend().filters.list(orgScope(tenant.orgId)));
      const outcome = await write(
        { ...tenant.device, hostname: 'renamed' },
        ...tenant.records
          .filter((record) => record.kind === 'filter')
          .map((record) => ({ ...record, name: 'Renamed' })),
        aDevice({ orgId: newId() }),
      );
      expect(placesOf(outcome)).toStrictEqual(['3 device.orgId']);
      expect(await hostnames(tenant, and({ field: 'hostname', operator: 'isNotNull' }))).toStrictEqual([
        'desk',
      ]);
      expect(await Array.fromAsync(backend().filters.list(SYSTEM_SCOPE))).toContainEqual(before);
    });

    test('rethrows what the source throws, and writes nothing', async () => {
      const { partnerId } = await createTenant(backend());
      const good = anOrganization({ partnerId });
      const failure = new Error('the file ended in the middle');
      const source = async function* () {
        yield* located([good]);
        throw failure;
      };
      await expect(backend().fleetWriter(source())).rejects.toBe(failure);
      expect(await backend().organizationExists(good.id)).toBe(false);
    });

    test('accepts the next fleet after a refused one', async () => {
      const { partnerId } = await createTenant(backend());
      const good = anOrganization({ partnerId });
      await write(aDevice({ orgId: newId() }));
      expect(placesOf(await write(good))).toStrictEqual([]);
      expect(await backend().organizationExists(good.id)).toBe(true);
    });
  });
}
