/** What every matcher promises about tenants: no scope sees devices out of its reach. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { and, or, parseFilter, type RawGroup } from '#test/support/filters.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { EVERY_DEVICE, makeMatcherQuestions, ONLINE } from './ask-matcher.ts';

export function testMatcherTenants(backend: () => ContractBackend): void {
  const { requestFor, hostnames, collectIds } = makeMatcherQuestions(backend);

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

    test('keeps scopes apart that use the same filter in turn', async () => {
      const { tenant, one, two, three } = await createWorld();
      const filter = parseFilter(EVERY_DEVICE);
      const scopes = [orgScope(one), orgScope(two), partnerScope(tenant.partnerId, [two, three])];
      const ask = async (scope: AccessScope) => {
        const found = await backend().matcher.preview({ ...requestFor(scope), filter }, 10);
        return found.ok ? found.value.devices.map(({ hostname }) => hostname) : found.error.kind;
      };
      const expected = [
        ['one-1', 'one-2'],
        ['two-1', 'two-2'],
        ['three-1', 'three-2', 'two-1', 'two-2'],
      ];
      for (let turn = 0; turn < 4; turn++) {
        expect(await Promise.all(scopes.map(ask))).toStrictEqual(expected);
      }
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

    test('counts for the system exactly the devices that were added', async () => {
      const count = async () => (await collectIds(requestFor(SYSTEM_SCOPE))).length;
      const before = await count();
      const { devices } = await createWorld();
      expect(await count()).toBe(before + devices.length + 1);
    });

    test('reveals nothing of an organization out of reach, even if the filter names its id', async () => {
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
}

/** The devices in the organizations of these devices. */
function ownership(devices: readonly DeviceRecord[]): RawGroup {
  return and({ field: 'orgId', operator: 'in', value: [...new Set(devices.map(({ orgId }) => orgId))] });
}
