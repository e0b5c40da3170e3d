/** What every device reader promises about tenants: only devices of organizations in reach are listed, counted, found. */
import { type AccessScope, canReach, NO_SCOPE } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { and, or } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { core, EVERY_SORT, makeReaderQuestions } from './ask-reader.ts';

export function testReaderTenants(backend: () => ContractBackend): void {
  const { page } = makeReaderQuestions(backend);

  /** Three organizations of one partner and one of another, each with one device that is equal in everything else. */
  const createWorld = async () => {
    const tenant = await createTenant(backend(), 3);
    const stranger = await createTenant(backend());
    const devices = [...tenant.orgIds, stranger.orgId].map((orgId) =>
      aDevice({ orgId, hostname: 'same', tags: ['same'], software: [{ name: 'Same Suite', version: null }] }),
    );
    await loadFleet(backend(), devices);
    const [one, two, three] = tenant.orgIds as [OrgId, OrgId, OrgId];
    const scopes: readonly AccessScope[] = [
      orgScope(one),
      orgScope(two),
      partnerScope(tenant.partnerId, [one, three]),
      partnerScope(tenant.partnerId, tenant.orgIds),
      partnerScope(tenant.partnerId, [two, two]),
      partnerScope(stranger.partnerId, [stranger.orgId]),
      partnerScope(tenant.partnerId, []),
      orgScope(newId()),
      NO_SCOPE,
    ];
    return { devices, scopes, orgIds: [...tenant.orgIds, stranger.orgId] };
  };

  describe('DeviceReader and tenants', () => {
    test('lists and counts only devices in reach, whatever the filter and the order', async () => {
      const { devices, scopes, orgIds } = await createWorld();
      const filters = [
        core(and({ field: 'hostname', operator: 'equals', value: 'same' })),
        core(and({ field: 'tags', operator: 'hasAny', value: ['same'] })),
        core(and({ field: 'software.installed', operator: 'equals', value: 'same suite' })),
        core(
          or({ field: 'orgId', operator: 'in', value: orgIds }, { field: 'hostname', operator: 'isNotNull' }),
        ),
      ];
      for (const scope of scopes) {
        const reached = devices.filter(({ orgId }) => canReach(scope, orgId)).map(({ id }) => id);
        for (const [i, sort] of EVERY_SORT.entries()) {
          const found = await page(scope, { sort, ...filters[i % filters.length] });
          // The builders' ids ascend, and the devices tie in every order.
          expect(found.devices.map(({ id }) => id)).toStrictEqual(reached);
          expect(found.totalCount).toBe(reached.length);
        }
      }
    });

    test('lists every organization for the system', async () => {
      const { devices, orgIds } = await createWorld();
      const filter = core(and({ field: 'orgId', operator: 'in', value: orgIds }));
      const found = await page(SYSTEM_SCOPE, filter);
      expect(found.devices.map(({ id }) => id)).toStrictEqual(devices.map(({ id }) => id));
    });

    test('finds a device only if its organization is in reach', async () => {
      const { devices, scopes } = await createWorld();
      for (const scope of [...scopes, SYSTEM_SCOPE]) {
        for (const { id, orgId } of devices) {
          const found = await backend().deviceReader.find(scope, id);
          expect(found?.device.id ?? null).toBe(canReach(scope, orgId) ? id : null);
        }
      }
    });
  });
}
