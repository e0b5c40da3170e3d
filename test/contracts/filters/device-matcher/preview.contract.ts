/** What every matcher promises of previews: count, order, limit, snapshot, and cancellation. */
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, orgScope, partnerScope, SOME_INSTANT } from '#test/support/builders.ts';
import { and, parseFilter } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { MANY, makeMatcherQuestions, ONLINE } from './ask-matcher.ts';

export function testMatcherPreview(backend: () => ContractBackend): void {
  const { requestFor, hostnames, createNamed, shareMany } = makeMatcherQuestions(backend);

  describe('DeviceMatcher.preview', () => {
    test('gives only the fields that a preview lists', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({
        orgId,
        hostname: 'Srv-1',
        displayName: 'Büro 🖨',
        osType: 'linux',
        status: 'maintenance',
        lastSeenAt: SOME_INSTANT + 123,
        lastUser: 'sam',
      });
      const bare = aDevice({ orgId, hostname: 'srv-2', status: 'pending' });
      await loadFleet(backend(), [device, bare]);
      expect(await backend().matcher.preview(requestFor(orgScope(orgId)), 10)).toStrictEqual(
        ok({
          totalCount: 2,
          devices: [
            {
              id: device.id,
              hostname: 'Srv-1',
              displayName: 'Büro 🖨',
              osType: 'linux',
              status: 'maintenance',
              lastSeenAt: SOME_INSTANT + 123,
            },
            {
              id: bare.id,
              hostname: 'srv-2',
              displayName: null,
              osType: null,
              status: 'pending',
              lastSeenAt: null,
            },
          ],
        }),
      );
    });

    test.each([
      [1, ['a']],
      [2, ['a', 'b']],
      [4, ['a', 'b', 'c', 'd']],
      [5, ['a', 'b', 'c', 'd', 'e']],
      [6, ['a', 'b', 'c', 'd', 'e']],
      [100, ['a', 'b', 'c', 'd', 'e']],
    ])('counts all five matches and gives at most the first %i', async (limit, names) => {
      const { orgId } = await createNamed('d', 'b', 'e', 'a', 'c');
      const found = await backend().matcher.preview(requestFor(orgScope(orgId)), limit);
      const given = found.ok && [found.value.totalCount, found.value.devices.map(({ hostname }) => hostname)];
      expect(given).toStrictEqual([5, names]);
    });

    test('gives nothing if nothing matches', async () => {
      const { orgId } = await createNamed('a', 'b');
      const request = requestFor(orgScope(orgId), and({ field: 'hostname', operator: 'equals', value: 'c' }));
      expect(await backend().matcher.preview(request, 10)).toStrictEqual(ok({ totalCount: 0, devices: [] }));
    });

    test('orders by lower-cased hostname in code point order', async () => {
      const names = [
        '～wave',
        '🖨printer',
        'ß',
        'Beta',
        'ALPHA-2',
        'alpha',
        '_x',
        'Zulu',
        'Ärger',
        'srv-10',
        'SRV-2',
        'srv_1',
        '10',
        '9',
      ];
      const { orgId } = await createNamed(...names);
      expect(await hostnames(orgScope(orgId))).toStrictEqual([
        '10',
        '9',
        '_x',
        'alpha',
        'ALPHA-2',
        'Beta',
        'srv-10',
        'SRV-2',
        'srv_1',
        'Zulu',
        'ß',
        'Ärger',
        '～wave',
        '🖨printer',
      ]);
    });

    test('orders hostnames that differ in case alone by id', async () => {
      const { orgId } = await createTenant(backend());
      const twins = ['Twin', 'TWIN', 'twin', 'tWIN'].map((hostname) => aDevice({ orgId, hostname }));
      await loadFleet(backend(), twins.toReversed());
      // The builders' ids ascend.
      expect(await hostnames(orgScope(orgId))).toStrictEqual(['Twin', 'TWIN', 'twin', 'tWIN']);
    });

    test.each([
      ['^srv-(sql|db)-[a-z]+$', ['srv-db-b', 'srv-sql-a', 'srv-sql-c']],
      ['^srv-(sql|sql-|db)', ['srv-db-b', 'srv-sql', 'srv-sql-a', 'srv-sql-c']],
      ['^SRV-(DB|db)', ['SRV-DB-A']],
      ['^srv_(a|b)', ['srv_a']],
    ])('finds each hostname once by a pattern with several possible beginnings: %s', async (value, found) => {
      const { orgId } = await createNamed(
        ...['srv-sql-c', 'SRV-DB-A', 'srv-db-b', 'srv-sql-a', 'srv-sql', 'srv-ap-a', 'srv_a', 'srvxa'],
      );
      const pattern = and({ field: 'hostname', operator: 'matches', value });
      expect(await hostnames(orgScope(orgId), pattern)).toStrictEqual(found);
      const other = await createNamed('srv-ap-z');
      expect(await hostnames(orgScope(other.orgId), pattern)).toStrictEqual([]);
    });

    test('orders over all organizations at once', async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      await loadFleet(backend(), [
        ...['b', 'd'].map((hostname) => aDevice({ orgId: one, hostname })),
        ...['a', 'c'].map((hostname) => aDevice({ orgId: two, hostname })),
      ]);
      const scope = partnerScope(tenant.partnerId, [one, two]);
      const found = await backend().matcher.preview(requestFor(scope), 3);
      const given = found.ok && [found.value.totalCount, found.value.devices.map(({ hostname }) => hostname)];
      expect(given).toStrictEqual([4, ['a', 'b', 'c']]);
    });

    test('gives the first of many devices', async () => {
      const { tenant, ids } = await shareMany();
      const found = await backend().matcher.preview(requestFor(orgScope(tenant.orgId)), 100);
      const given = found.ok && [found.value.totalCount, found.value.devices.map(({ id }) => id)];
      // The builders' hostnames carry the ids, which ascend.
      expect(given).toStrictEqual([MANY, ids.slice(0, 100)]);
    });

    test('counts decommissioned devices like any other', async () => {
      const { orgId } = await createTenant(backend());
      await loadFleet(backend(), [
        aDevice({ orgId, hostname: 'gone', status: 'decommissioned' }),
        aDevice({ orgId, hostname: 'here' }),
      ]);
      expect(await hostnames(orgScope(orgId))).toStrictEqual(['gone', 'here']);
    });

    test('evaluates at the instant that it is given', async () => {
      const { orgId } = await createTenant(backend());
      await loadFleet(backend(), [aDevice({ orgId, hostname: 'seen', lastSeenAt: SOME_INSTANT })]);
      const withinHour = parseFilter(
        and({ field: 'lastSeenAt', operator: 'withinLast', value: { amount: 1, unit: 'hours' } }),
      );
      const countAt = async (at: number) => {
        const request = { ...requestFor(orgScope(orgId)), filter: withinHour, at };
        const found = await backend().matcher.preview(request, 10);
        return found.ok && found.value.totalCount;
      };
      expect(await countAt(SOME_INSTANT + 3_600_000)).toBe(1);
      expect(await countAt(SOME_INSTANT + 3_600_001)).toBe(0);
    });

    test('counts and lists from one snapshot, whatever is written meanwhile', async () => {
      const { orgId } = await createTenant(backend());
      const pair = ['left', 'right'].map((hostname) => aDevice({ orgId, hostname }));
      // Each load changes both devices, so that exactly one is online at any instant.
      const flip = (i: number) =>
        loadFleet(
          backend(),
          pair.map(
            (device, j) => ({ ...device, status: i % 2 === j ? 'online' : 'offline' }) satisfies DeviceRecord,
          ),
        );
      await flip(0);
      const looking = Array.from({ length: 60 }, async (_, i) => {
        if (i % 3 === 0) await flip(i / 3);
        const found = await backend().matcher.preview(requestFor(orgScope(orgId), ONLINE), 10);
        return found.ok && [found.value.totalCount, found.value.devices.length];
      });
      expect(await Promise.all(looking)).toStrictEqual(looking.map(() => [1, 1]));
    });

    test('refuses a request that is already cancelled', async () => {
      const { orgId } = await createNamed('a');
      const request = { ...requestFor(orgScope(orgId)), signal: AbortSignal.abort() };
      expect(await backend().matcher.preview(request, 10)).toStrictEqual(err({ kind: 'cancelled' }));
    });

    test('ends a request that is cancelled while it runs', async () => {
      const { tenant } = await shareMany();
      const controller = new AbortController();
      const request = { ...requestFor(orgScope(tenant.orgId)), signal: controller.signal };
      const looking = backend().matcher.preview(request, 10);
      controller.abort();
      expect(await looking).toStrictEqual(err({ kind: 'cancelled' }));
    });

    test('works as before after a cancelled request', async () => {
      const { orgId } = await createNamed('a');
      await backend().matcher.preview({ ...requestFor(orgScope(orgId)), signal: AbortSignal.abort() }, 10);
      expect(await hostnames(orgScope(orgId))).toStrictEqual(['a']);
    });

    test('ignores a signal that does not fire', async () => {
      const { orgId } = await createNamed('a');
      const request = { ...requestFor(orgScope(orgId)), signal: new AbortController().signal };
      expect((await backend().matcher.preview(request, 10)).ok).toBe(true);
    });

    test('refuses a regular expression that cannot be evaluated', async () => {
      const { orgId } = await createNamed('a');
      const request = requestFor(
        orgScope(orgId),
        and({ field: 'hostname', operator: 'matches', value: '(a' }),
      );
      const found = await backend().matcher.preview(request, 10);
      expect(found.ok ? null : found.error.kind).toBe('invalid-pattern');
      expect(found.ok || found.error.kind !== 'invalid-pattern' ? '' : found.error.reason).toContain(
        'parentheses () not balanced',
      );
    });

    test('is not affected by changes to a device object that was found', async () => {
      const { orgId } = await createNamed('a');
      const look = async () => {
        const found = await backend().matcher.preview(requestFor(orgScope(orgId)), 10);
        return found.ok ? found.value.devices : [];
      };
      const [found] = await look();
      Reflect.set(found ?? {}, 'hostname', 'changed');
      expect((await look()).map(({ hostname }) => hostname)).toStrictEqual(['a']);
    });
  });
}
