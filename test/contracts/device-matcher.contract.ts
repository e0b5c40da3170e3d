/** What every device matcher promises beside the meaning of conditions, which `filter-semantics` has. */
import { describe, expect, test } from 'vitest';
import { type MatchRequest, MatchStreamError } from '#application/ports/device-matcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import {
  aCustomField,
  aDevice,
  anAlert,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and, findHostnames, or, parseFilter, type RawGroup } from '#test/support/filters.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import type { ContractBackend } from './contract-backend.ts';

const EVERY_DEVICE = and({ field: 'hostname', operator: 'isNotNull' });
const ONLINE = and({ field: 'status', operator: 'equals', value: 'online' });
const CRITICAL = and({ field: 'alerts.critical', operator: 'equals', value: true });
const PATCHES_PENDING = and({ field: 'patches.pending', operator: 'equals', value: true });

/** More than two batches of any size that a matcher is likely to use. */
const MANY = 2500;

export function testDeviceMatcher(backend: () => ContractBackend): void {
  const requestFor = (scope: AccessScope, group: RawGroup = EVERY_DEVICE): MatchRequest => ({
    filter: parseFilter(group),
    scope,
    at: SOME_INSTANT,
    onBehalfOf: 'test',
  });

  const hostnames = (scope: AccessScope, group: RawGroup = EVERY_DEVICE) =>
    findHostnames(backend(), scope, group);

  const collectIds = async (request: MatchRequest): Promise<readonly DeviceId[]> =>
    (await Array.fromAsync(backend().matcher.streamIds(request))).flat();

  const createNamed = async (...names: readonly string[]): Promise<Tenant> => {
    const tenant = await createTenant(backend());
    await loadFleet(
      backend(),
      names.map((hostname) => aDevice({ orgId: tenant.orgId, hostname })),
    );
    return tenant;
  };

  const createMany = async (): Promise<{ tenant: Tenant; ids: readonly DeviceId[] }> => {
    const tenant = await createTenant(backend());
    const devices = Array.from({ length: MANY }, () => aDevice({ orgId: tenant.orgId }));
    await loadFleet(backend(), devices);
    return { tenant, ids: devices.map(({ id }) => id) };
  };

  describe('DeviceMatcher and tenants', () => {
    /** Each of three organizations of a partner has two devices; a stranger's has one. */
    const createWorld = async () => {
      const tenant = await createTenant(backend(), 3);
      const stranger = await createTenant(backend());
      const devicesOf = (orgId: OrgId, name: string) => [
        aDevice({ orgId, hostname: `${name}-1` }),
        aDevice({ orgId, hostname: `${name}-2`, status: 'offline' }),
      ];
      const [one, two, three] = tenant.orgIds as [OrgId, OrgId, OrgId];
      const devices = [...devicesOf(one, 'one'), ...devicesOf(two, 'two'), ...devicesOf(three, 'three')];
      const strange = aDevice({ orgId: stranger.orgId, hostname: 'stranger' });
      await loadFleet(backend(), [...devices, strange]);
      return { tenant, stranger, one, two, three, devices, strange };
    };

    test('looks at the devices of one organization only', async () => {
      const { two } = await createWorld();
      expect(await hostnames(orgScope(two))).toStrictEqual(['two-1', 'two-2']);
      expect(await collectIds(requestFor(orgScope(two)))).toHaveLength(2);
    });

    test('looks at the devices of the organizations that a partner reaches', async () => {
      const { tenant, one, three } = await createWorld();
      const scope = partnerScope(tenant.partnerId, [one, three]);
      expect(await hostnames(scope)).toStrictEqual(['one-1', 'one-2', 'three-1', 'three-2']);
      expect(await hostnames(scope, ONLINE)).toStrictEqual(['one-1', 'three-1']);
    });

    test('counts a device once, however often its organization is named', async () => {
      const { tenant, one } = await createWorld();
      const scope = partnerScope(tenant.partnerId, [one, one]);
      expect(await hostnames(scope)).toStrictEqual(['one-1', 'one-2']);
    });

    test.each<[string, (tenant: Tenant) => AccessScope]>([
      ['a partner with no organization', ({ partnerId }) => partnerScope(partnerId, [])],
      ['an organization that does not exist', () => orgScope(newId())],
    ])('finds nothing for %s', async (_name, scopeOf) => {
      const { tenant } = await createWorld();
      const scope = scopeOf(tenant);
      expect(await hostnames(scope)).toStrictEqual([]);
      expect(await hostnames(scope, and({ field: 'tags', operator: 'isEmpty' }))).toStrictEqual([]);
      expect(await collectIds(requestFor(scope))).toStrictEqual([]);
    });

    test('looks at every organization for the system', async () => {
      const { devices, strange } = await createWorld();
      expect(await hostnames(SYSTEM_SCOPE, ownership([...devices, strange]))).toStrictEqual(
        [...devices, strange].map(({ hostname }) => hostname).toSorted(),
      );
    });

    test('adds for the system what the organizations have, and no more', async () => {
      const count = async () => (await collectIds(requestFor(SYSTEM_SCOPE))).length;
      const before = await count();
      const { devices } = await createWorld();
      expect(await count()).toBe(before + devices.length + 1);
    });

    test('gives nothing away of an organization out of reach, by its id or otherwise', async () => {
      const { one, two, devices } = await createWorld();
      const scope = orgScope(one);
      expect(await hostnames(scope, and({ field: 'orgId', operator: 'equals', value: two }))).toStrictEqual(
        [],
      );
      expect(
        await hostnames(scope, or({ field: 'orgId', operator: 'in', value: [two] }, EVERY_DEVICE)),
      ).toStrictEqual(['one-1', 'one-2']);
      expect(await hostnames(scope, ownership(devices))).toStrictEqual(['one-1', 'one-2']);
    });
  });

  describe('DeviceMatcher.preview', () => {
    test('gives the facts of a device that a preview lists, and no other', async () => {
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
    ])('counts all of five matches and gives the first %i at most', async (limit, names) => {
      const { orgId } = await createNamed('d', 'b', 'e', 'a', 'c');
      const found = await backend().matcher.preview(requestFor(orgScope(orgId)), limit);
      const given = found.ok && [found.value.totalCount, found.value.devices.map(({ hostname }) => hostname)];
      expect(given).toStrictEqual([5, names]);
    });

    test('gives nothing where nothing matches', async () => {
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

    test('gives the first of many', async () => {
      const { tenant, ids } = await createMany();
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

    test('refuses work that nobody waits for any more', async () => {
      const { orgId } = await createNamed('a');
      const request = { ...requestFor(orgScope(orgId)), signal: AbortSignal.abort() };
      expect(await backend().matcher.preview(request, 10)).toStrictEqual(err({ kind: 'cancelled' }));
    });

    test('ends work when nobody waits for it any more', async () => {
      const { tenant } = await createMany();
      const controller = new AbortController();
      const request = { ...requestFor(orgScope(tenant.orgId)), signal: controller.signal };
      const looking = backend().matcher.preview(request, 10);
      controller.abort();
      expect(await looking).toStrictEqual(err({ kind: 'cancelled' }));
    });

    test('is as good as new after work that was given up', async () => {
      const { orgId } = await createNamed('a');
      await backend().matcher.preview({ ...requestFor(orgScope(orgId)), signal: AbortSignal.abort() }, 10);
      expect(await hostnames(orgScope(orgId))).toStrictEqual(['a']);
    });

    test('takes no notice of a signal that does not fire', async () => {
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

    test('is not touched by what is done to a device that was found', async () => {
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

  describe('DeviceMatcher.streamIds', () => {
    test('gives each matching device once, across batches', async () => {
      const { tenant, ids } = await createMany();
      const streamed = await collectIds(requestFor(orgScope(tenant.orgId)));
      expect(streamed.toSorted()).toStrictEqual(ids);
    });

    test('gives as many as a preview counts', async () => {
      const { orgId } = await createTenant(backend());
      const statuses = ['online', 'offline', 'pending'] as const;
      await loadFleet(
        backend(),
        Array.from({ length: 100 }, (_, i) => aDevice({ orgId, status: statuses[i % 3] ?? 'online' })),
      );
      const request = requestFor(orgScope(orgId), ONLINE);
      const found = await backend().matcher.preview(request, 1);
      expect(found.ok && found.value.totalCount).toBe(34);
      expect(new Set(await collectIds(request)).size).toBe(34);
    });

    test('gives no batch, or none with an id, where nothing matches', async () => {
      const { orgId } = await createTenant(backend());
      expect(await collectIds(requestFor(orgScope(orgId)))).toStrictEqual([]);
    });

    test('streams one snapshot, whatever is written between two batches', async () => {
      const { tenant, ids } = await createMany();
      const streamed: DeviceId[] = [];
      let isFirst = true;
      for await (const batch of backend().matcher.streamIds(requestFor(orgScope(tenant.orgId), ONLINE))) {
        streamed.push(...batch);
        if (!isFirst) continue;
        isFirst = false;
        const others = ids.map((id) => aDevice({ orgId: tenant.orgId, id, status: 'offline' }));
        await loadFleet(backend(), [...others, aDevice({ orgId: tenant.orgId })]);
      }
      expect(streamed.toSorted()).toStrictEqual(ids);
    });

    test('can be given up by its reader', async () => {
      const { tenant } = await createMany();
      const first: DeviceId[] = [];
      for await (const batch of backend().matcher.streamIds(requestFor(orgScope(tenant.orgId)))) {
        first.push(...batch);
        break;
      }
      expect(first.length).toBeGreaterThan(0);
      expect(first.length).toBeLessThan(MANY);
      expect(await collectIds(requestFor(orgScope(tenant.orgId)))).toHaveLength(MANY);
    });

    test('throws where nobody waits any more, before the first batch', async () => {
      const { orgId } = await createNamed('a');
      const request = { ...requestFor(orgScope(orgId)), signal: AbortSignal.abort() };
      await expect(collectIds(request)).rejects.toStrictEqual(new MatchStreamError({ kind: 'cancelled' }));
    });

    test('throws where nobody waits any more, between two batches', async () => {
      const { tenant } = await createMany();
      const controller = new AbortController();
      const request = { ...requestFor(orgScope(tenant.orgId)), signal: controller.signal };
      const stream = backend().matcher.streamIds(request)[Symbol.asyncIterator]();
      expect((await stream.next()).done).toBe(false);
      controller.abort();
      const rest = async () => {
        while (!(await stream.next()).done);
      };
      await expect(rest()).rejects.toStrictEqual(new MatchStreamError({ kind: 'cancelled' }));
    });

    test('throws on a regular expression that cannot be evaluated', async () => {
      const { orgId } = await createNamed('a');
      const request = requestFor(
        orgScope(orgId),
        and({ field: 'hostname', operator: 'matches', value: '[' }),
      );
      await expect(collectIds(request)).rejects.toThrow(MatchStreamError);
    });
  });

  describe('DeviceMatcher and custom fields', () => {
    test("reads a key by the organization's own definition before its partner's", async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const ofPartner = aCustomField({
        owner: { kind: 'partner', partnerId: tenant.partnerId },
        key: 'seats',
        type: 'number',
      });
      const ofOrg = aCustomField({ owner: { kind: 'organization', orgId: two }, key: 'seats', type: 'text' });
      const devicesOf = (orgId: OrgId, name: string) => [
        aDevice({ orgId, hostname: `${name}-number`, custom: new Map([['seats', 5]]) }),
        aDevice({ orgId, hostname: `${name}-text`, custom: new Map([['seats', '5']]) }),
      ];
      await loadFleet(backend(), [ofPartner, ofOrg, ...devicesOf(one, 'one'), ...devicesOf(two, 'two')]);
      const isFive = and({ field: 'custom.seats', operator: 'equals', value: '5' });
      expect(await hostnames(orgScope(one), isFive)).toStrictEqual(['one-number']);
      expect(await hostnames(orgScope(two), isFive)).toStrictEqual(['two-text']);
    });

    test('reads a key in each organization by the definition that speaks for it', async () => {
      const tenant = await createTenant(backend(), 3);
      const [one, two, three] = tenant.orgIds as [OrgId, OrgId, OrgId];
      const ring = (orgId: OrgId, choices: readonly string[]) =>
        aCustomField({ owner: { kind: 'organization', orgId }, key: 'ring', type: 'dropdown', choices });
      const devicesOf = (orgId: OrgId, name: string) =>
        ['early', 'late'].map((value) =>
          aDevice({ orgId, hostname: `${name}-${value}`, custom: new Map([['ring', value]]) }),
        );
      await loadFleet(backend(), [
        ring(one, ['early']),
        ring(two, ['early', 'late']),
        ...devicesOf(one, 'one'),
        ...devicesOf(two, 'two'),
        ...devicesOf(three, 'three'),
      ]);
      const scope = partnerScope(tenant.partnerId, tenant.orgIds);
      const inRing = (value: string) => and({ field: 'custom.ring', operator: 'equals', value });
      expect(await hostnames(scope, inRing('early'))).toStrictEqual(['one-early', 'two-early']);
      // What is no choice of the organization, and what nobody defined there, counts as missing.
      expect(await hostnames(scope, inRing('late'))).toStrictEqual(['two-late']);
      expect(
        await hostnames(scope, and({ field: 'custom.ring', operator: 'notIn', value: ['early', 'late'] })),
      ).toStrictEqual(['one-late', 'three-early', 'three-late']);
    });
  });

  describe('DeviceMatcher, alerts and patches', () => {
    const createDevice = async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'device' });
      const other = aDevice({ orgId, hostname: 'other' });
      await loadFleet(backend(), [device, other]);
      return { orgId, device, other, scope: orgScope(orgId) };
    };

    test.each([
      ['critical', 'active', ['device']],
      ['critical', 'acknowledged', []],
      ['critical', 'resolved', []],
      ['high', 'active', []],
      ['info', 'active', []],
    ] as const)('sees an alert that is %s and %s: %j', async (severity, status, expected) => {
      const { orgId, device, scope } = await createDevice();
      await loadFleet(backend(), [anAlert({ orgId, deviceId: device.id, severity, status })]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual(expected);
    });

    test('sees no alert on a device where it is about none', async () => {
      const { orgId, scope } = await createDevice();
      await loadFleet(backend(), [anAlert({ orgId })]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual([]);
    });

    test('sees the last of two alerts end', async () => {
      const { orgId, device, scope } = await createDevice();
      const alerts = [
        anAlert({ orgId, deviceId: device.id }),
        anAlert({ orgId, deviceId: device.id }),
      ] as const;
      await loadFleet(backend(), alerts);
      await loadFleet(backend(), [{ ...alerts[0], status: 'resolved' }]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual(['device']);
      await loadFleet(backend(), [{ ...alerts[1], severity: 'high' }]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual([]);
    });

    test('counts an alert that is loaded again once', async () => {
      const { orgId, device, scope } = await createDevice();
      const alert = anAlert({ orgId, deviceId: device.id });
      await loadFleet(backend(), [alert]);
      await loadFleet(backend(), [alert]);
      await loadFleet(backend(), [{ ...alert, status: 'resolved' }]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual([]);
    });

    test('follows an alert from one device to another', async () => {
      const { orgId, device, other, scope } = await createDevice();
      const alert = anAlert({ orgId, deviceId: device.id });
      await loadFleet(backend(), [alert]);
      await loadFleet(backend(), [{ ...alert, deviceId: other.id }]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual(['other']);
      await loadFleet(backend(), [{ ...alert, deviceId: null }]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual([]);
    });

    test('sees an alert that comes together with its device', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'device' });
      await loadFleet(backend(), [anAlert({ orgId, deviceId: device.id }), device]);
      expect(await hostnames(orgScope(orgId), CRITICAL)).toStrictEqual(['device']);
    });

    test.each([
      [[], []],
      [['pending'], ['device']],
      [['installed', 'pending', 'pending'], ['device']],
      [['installed', 'failed'], []],
    ] as const)('sees whether one of the patches %j is pending: %j', async (statuses, expected) => {
      const { device, scope } = await createDevice();
      const patches = statuses.map((status, i) => ({ id: null, title: `KB${i}`, status }));
      await loadFleet(backend(), [{ ...device, patches }]);
      expect(await hostnames(scope, PATCHES_PENDING)).toStrictEqual(expected);
    });
  });
}

/** That a device is one of these organizations'. */
function ownership(devices: readonly DeviceRecord[]): RawGroup {
  return and({ field: 'orgId', operator: 'in', value: [...new Set(devices.map(({ orgId }) => orgId))] });
}
