/** What every source of names promises. */
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aFilter,
  anOrganization,
  aSite,
  newId,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

export function testNamesInReach(backend: () => ContractBackend): void {
  describe('NamesInReach', () => {
    test('gives the organizations in reach and no others, by id', async () => {
      // Loaded last, but first by id.
      const first = newId<'organization'>();
      const tenant = await createTenant(backend(), 3);
      await loadFleet(backend(), [anOrganization({ id: first, partnerId: tenant.partnerId })]);
      const [one, two] = tenant.orgIds.toSorted() as [OrgId, OrgId];
      const ids = async (scope: Parameters<ContractBackend['namesInReach']>[0]) =>
        (await backend().namesInReach(scope, 'organization')).map(({ id }) => id);
      expect(await ids(orgScope(one))).toStrictEqual([one]);
      const scope = partnerScope(tenant.partnerId, [two, one, first]);
      expect(await ids(scope)).toStrictEqual([first, one, two]);
      expect(await ids(orgScope(newId()))).toStrictEqual([]);
      expect(await ids({ kind: 'none' })).toStrictEqual([]);
      expect(await ids(SYSTEM_SCOPE)).toStrictEqual(expect.arrayContaining(tenant.orgIds.toSorted()));
    });

    test('gives the sites of the organizations in reach, with their names unchanged', async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const here = [
        aSite({ orgId: one, name: 'Straße 1' }),
        aSite({ orgId: one, name: 'Straße 2' }),
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const there = aSite({ orgId: two, name: 'Elsewhere' });
      await loadFleet(backend(), [there, ...here.toReversed()]);
      const names = await backend().namesInReach(orgScope(one), 'site');
      expect(names).toStrictEqual(here.map(({ id, name }) => ({ id, name })));
      expect(await backend().namesInReach(orgScope(newId()), 'site')).toStrictEqual([]);
    });

    test('gives the filters of the organizations in reach and of their partner', async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const createdBy = tenant.userId;
      const here = aFilter({ orgId: one, createdBy, name: 'Here' });
      const wide = aFilter({ orgId: null, partnerId: tenant.partnerId, createdBy, name: 'Everywhere' });
      await loadFleet(backend(), [here, wide, aFilter({ orgId: two, createdBy, name: 'Elsewhere' })]);
      const names = async (scope: Parameters<ContractBackend['namesInReach']>[0]) =>
        (await backend().namesInReach(scope, 'filter')).map(({ name }) => name).toSorted();
      expect(await names(orgScope(one))).toStrictEqual(['Everywhere', 'Here']);
      expect(await names(partnerScope(tenant.partnerId, [two]))).toStrictEqual(['Elsewhere', 'Everywhere']);
      expect(await names(orgScope(newId()))).toStrictEqual([]);
      const found = {
        scope: orgScope(one),
        limit: 20,
        onBehalfOf: 'test',
        source: 'filters',
        typed: 'HERE',
      } as const;
      const completed = await backend().findValues(found);
      expect(completed.map(({ value }) => value)).toStrictEqual(['Here', 'Everywhere']);
    });
  });
}
