/** What every source of custom fields promises. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import type { CustomFieldRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aCustomField, newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

export function testCustomFieldSource(backend: () => ContractBackend): void {
  /** The order of the organizations is not promised. */
  const read = async (scope: AccessScope): Promise<readonly CustomFieldDefinition[]> =>
    (await backend().customFields(scope)).map((definition) => ({
      ...definition,
      orgIds: definition.orgIds.toSorted(),
    }));

  const ofOrg = (orgId: OrgId): Owner => ({ kind: 'organization', orgId });
  const ofPartner = ({ partnerId }: Tenant): Owner => ({ kind: 'partner', partnerId });

  const defined = (record: CustomFieldRecord, orgIds: readonly OrgId[]): CustomFieldDefinition => ({
    key: record.key,
    label: record.name,
    type: record.type,
    choices: record.choices,
    owner: record.owner.kind,
    orgIds: orgIds.toSorted(),
  });

  describe('CustomFieldSource', () => {
    test("gives an organization its own definitions and its partner's", async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const own = aCustomField({ owner: ofOrg(one), key: 'asset_tag', name: 'Asset tag' });
      const neighbours = aCustomField({ owner: ofOrg(two), key: 'asset_tag' });
      const shared = aCustomField({ owner: ofPartner(tenant), key: 'seats', type: 'number' });
      await loadFleet(backend(), [own, neighbours, shared]);
      expect(await read(orgScope(one))).toStrictEqual([defined(own, [one]), defined(shared, [one])]);
    });

    test('gives a partner the definitions in reach, each with the organizations it applies to', async () => {
      const tenant = await createTenant(backend(), 3);
      const [one, two, three] = tenant.orgIds as [OrgId, OrgId, OrgId];
      const own = aCustomField({ owner: ofOrg(two), key: 'b' });
      const outOfReach = aCustomField({ owner: ofOrg(three), key: 'c' });
      const shared = aCustomField({ owner: ofPartner(tenant), key: 'a' });
      await loadFleet(backend(), [own, outOfReach, shared]);
      const scope: AccessScope = {
        kind: 'partner',
        partnerId: tenant.partnerId,
        orgIds: [one, two],
        isWhole: false,
      };
      expect(await read(scope)).toStrictEqual([defined(shared, [one, two]), defined(own, [two])]);
    });

    test('gives the system all definitions', async () => {
      const first = await createTenant(backend(), 2);
      const second = await createTenant(backend());
      const key = `k${newId().replaceAll('-', '')}`;
      const ofFirst = aCustomField({ owner: ofPartner(first), key });
      const ofSecond = aCustomField({ owner: ofOrg(second.orgId), key, type: 'number' });
      await loadFleet(backend(), [ofFirst, ofSecond]);
      expect((await read(SYSTEM_SCOPE)).filter((definition) => definition.key === key)).toStrictEqual([
        defined(ofFirst, first.orgIds),
        defined(ofSecond, [second.orgId]),
      ]);
    });

    test("leaves out a partner's definitions if none of its organizations is in reach", async () => {
      const tenant = await createTenant(backend());
      const stranger = await createTenant(backend());
      await loadFleet(backend(), [aCustomField({ owner: ofPartner(tenant), key: 'seats' })]);
      expect(await read(orgScope(stranger.orgId))).toStrictEqual([]);
      expect(await read(partnerScope(tenant.partnerId, []))).toStrictEqual([]);
      expect(await read(orgScope(newId()))).toStrictEqual([]);
    });

    test('gives a dropdown with its choices in their order', async () => {
      const { orgId } = await createTenant(backend());
      const ring = aCustomField({
        owner: ofOrg(orgId),
        key: 'ring',
        type: 'dropdown',
        choices: ['late', 'early', 'Früh 🖨', ''],
      });
      await loadFleet(backend(), [ring]);
      expect(await read(orgScope(orgId))).toStrictEqual([defined(ring, [orgId])]);
    });

    test.each(['text', 'number', 'boolean', 'date'] as const)('gives a field of type %s', async (type) => {
      const { orgId } = await createTenant(backend());
      const field = aCustomField({ owner: ofOrg(orgId), key: 'a_1', type });
      await loadFleet(backend(), [field]);
      expect(await read(orgScope(orgId))).toStrictEqual([defined(field, [orgId])]);
    });

    test('orders definitions by key in code point order, then by id', async () => {
      const tenant = await createTenant(backend());
      const { orgId } = tenant;
      // The ids ascend as they are made, against the order of the keys.
      const keys = ['z', 'ab', 'a_b', 'a2', 'a'];
      const fields = keys.map((key) => aCustomField({ owner: ofOrg(orgId), key }));
      const twin = aCustomField({ owner: ofPartner(tenant), key: 'ab', name: 'the younger' });
      await loadFleet(backend(), [twin, ...fields]);
      expect((await read(orgScope(orgId))).map(({ key, label }) => [key, label])).toStrictEqual([
        ['a', 'a'],
        ['a2', 'a2'],
        ['a_b', 'a_b'],
        ['ab', 'ab'],
        ['ab', 'the younger'],
        ['z', 'z'],
      ]);
    });

    test("applies a partner's definition to an organization that joins later", async () => {
      const tenant = await createTenant(backend());
      const shared = aCustomField({ owner: ofPartner(tenant), key: 'seats' });
      await loadFleet(backend(), [shared]);
      const newcomer = newId<'organization'>();
      await loadFleet(backend(), [
        { kind: 'organization', id: newcomer, partnerId: tenant.partnerId, name: 'Newcomer' },
      ]);
      expect(await read(orgScope(newcomer))).toStrictEqual([defined(shared, [newcomer])]);
    });

    test('is not affected by changes to a definition object that was passed in or read', async () => {
      const { orgId } = await createTenant(backend());
      const choices = ['early', 'late'];
      const field = aCustomField({ owner: ofOrg(orgId), key: 'ring', type: 'dropdown', choices });
      const before = structuredClone(field);
      await loadFleet(backend(), [field]);
      choices.push('never');
      const [given] = await backend().customFields(orgScope(orgId));
      Reflect.set(given?.choices ?? [], 0, 'changed');
      Reflect.set(given?.orgIds ?? [], 0, newId());
      expect(await read(orgScope(orgId))).toStrictEqual([defined(before, [orgId])]);
    });
  });
}
