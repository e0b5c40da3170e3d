/** What every explainer promises about tenants: it counts only devices in reach. */
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aCustomField,
  aDevice,
  newId,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and, or } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { explainRaw } from './ask-explainer.ts';

export function testExplainerTenants(backend: () => ContractBackend): void {
  describe('FilterExplainer and tenants', () => {
    const createWorld = async () => {
      const tenant = await createTenant(backend(), 2);
      const stranger = await createTenant(backend());
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const name = `host-${newId()}`;
      const deviceOf = (orgId: OrgId) =>
        aDevice({
          orgId,
          hostname: name,
          hardware: { ...aDevice({ orgId }).hardware, model: name },
          network: [{ ipAddress: name, publicIp: null, macAddress: null }],
          software: [{ name, version: null }],
        });
      await loadFleet(backend(), [one, two, two, stranger.orgId].map(deviceOf));
      return { tenant, one, two, name };
    };

    /** Conditions on fields that a backend may keep in separate tables. */
    const named = (name: string) =>
      ['hostname', 'hardware.model', 'network.ipAddress', 'software.installed'].map((field) => ({
        field,
        operator: 'equals',
        value: name,
      }));

    test('counts the devices in scope only, at every node', async () => {
      const { tenant, one, two, name } = await createWorld();
      const group = and(...named(name));
      const scopes = [
        [1, orgScope(one)],
        [2, orgScope(two)],
        [3, partnerScope(tenant.partnerId, [one, two])],
        [2, partnerScope(tenant.partnerId, [two, two])],
        [0, partnerScope(tenant.partnerId, [])],
        [0, orgScope(newId())],
        [0, { kind: 'none' }],
      ] as const;
      for (const [count, scope] of scopes) {
        expect(await explainRaw(backend(), scope, group)).toStrictEqual({
          deviceCount: count,
          totalCount: count,
          sampledCount: null,
          counts: [{ count, countWithout: null }, ...named(name).map(() => ({ count, countWithout: count }))],
          device: null,
        });
      }
    });

    test('counts every organization for the system', async () => {
      const { name } = await createWorld();
      const { counts } = await explainRaw(backend(), SYSTEM_SCOPE, or(...named(name)));
      expect(counts.map(({ count }) => count)).toStrictEqual([4, 4, 4, 4, 4]);
    });

    test('reads custom fields as each organization defines them', async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const ring = (orgId: OrgId, choices: readonly string[]) =>
        aCustomField({ owner: { kind: 'organization', orgId }, key: 'ring', type: 'dropdown', choices });
      const devices = [one, two].flatMap((orgId) =>
        ['early', 'late'].map((value) => aDevice({ orgId, custom: new Map([['ring', value]]) })),
      );
      await loadFleet(backend(), [ring(one, ['early']), ring(two, ['early', 'late']), ...devices]);
      const scope = partnerScope(tenant.partnerId, tenant.orgIds);
      const group = and(
        { field: 'custom.ring', operator: 'equals', value: 'late' },
        { field: 'custom.ring', operator: 'notEquals', value: 'late' },
      );
      const [late] = devices.filter(({ orgId, custom }) => orgId === one && custom.get('ring') === 'late');
      const explained = await explainRaw(backend(), scope, group, { deviceId: late?.id ?? newId() });
      expect(explained.counts.map(({ count }) => count)).toStrictEqual([0, 1, 3]);
      expect(explained.device?.map(({ matches, actual }) => [matches, actual])).toStrictEqual([
        [false, undefined],
        [false, null],
        [true, null],
      ]);
    });
  });
}
