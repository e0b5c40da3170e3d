/** How custom fields are changed, also by several at once. */
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aCustomField, newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { loadOwnedFields, ofOrg } from './owned-fields.ts';

/** Texts that a list must keep unchanged. */
const HOSTILE = [
  'null',
  'NULL',
  ' led by a space',
  'a,b',
  '{}',
  '"',
  '\\',
  'two\nlines',
  '🖨',
  "it's",
  'tab\t',
];

export function testCustomFieldChanges(backend: () => ContractBackend): void {
  const find = ({ id }: CustomFieldRecord) => backend().definedFields.find(SYSTEM_SCOPE, id);

  describe('CustomFieldWriter', () => {
    test('keeps names and choices of any text', async () => {
      const { orgId } = await createTenant(backend());
      const owner = ofOrg(orgId);
      const field = aCustomField({
        owner,
        key: 'site_code',
        type: 'dropdown',
        name: `"'\\ 🖨`,
        choices: HOSTILE,
      });
      await backend().unitOfWork(orgScope(orgId), (tx) => tx.customFields.add(field));
      expect(await find(field)).toStrictEqual(field);
      const next = { ...field, name: 'null', choices: HOSTILE.toReversed() };
      await backend().unitOfWork(orgScope(orgId), (tx) => tx.customFields.replace(next));
      expect(await find(field)).toStrictEqual(next);
      expect(await backend().customFields(orgScope(orgId))).toMatchObject([{ choices: next.choices }]);
    });

    test('keeps key, type and owner, whatever is sent', async () => {
      const { tenant, own, neighbours } = await loadOwnedFields(backend());
      const moved = { ...own, owner: neighbours.owner, key: 'c', type: 'text', name: 'New' } as const;
      await backend().unitOfWork(orgScope(tenant.orgId), (tx) => tx.customFields.replace(moved));
      expect(await find(own)).toStrictEqual({ ...own, name: 'New' });
    });

    test('shows changes to filters at once', async () => {
      const { tenant, own, shared } = await loadOwnedFields(backend());
      const scope = orgScope(tenant.orgId);
      const keys = async () => (await backend().customFields(scope)).map(({ key }) => key);
      expect(await keys()).toStrictEqual([shared.key, own.key]);
      const field = aCustomField({ owner: own.owner, key: 'c' });
      await backend().unitOfWork(scope, (tx) => tx.customFields.add(field));
      expect(await keys()).toStrictEqual([shared.key, own.key, 'c']);
      await backend().unitOfWork(scope, (tx) => tx.customFields.remove(own.id));
      expect(await keys()).toStrictEqual([shared.key, 'c']);
    });

    test('sees its own changes, and undoes all of them when the work throws', async () => {
      const { tenant, own } = await loadOwnedFields(backend());
      const added = aCustomField({ owner: own.owner, key: 'a' });
      const seen: unknown[] = [];
      const work = backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
        await tx.customFields.add(added);
        await tx.customFields.replace({ ...own, name: 'New' });
        seen.push(await tx.customFields.holdFieldsOf(own.owner), await find(added), await find(own));
        await tx.customFields.remove(own.id);
        throw new Error('the work failed');
      });
      await expect(work).rejects.toThrow('the work failed');
      expect(seen).toStrictEqual([[added, { ...own, name: 'New' }], null, own]);
      expect([await find(added), await find(own)]).toStrictEqual([null, own]);
    });

    test.each<[string, (field: CustomFieldRecord) => CustomFieldRecord]>([
      ['key and owner', (field) => ({ ...field, id: newId() })],
      ['id', (field) => ({ ...field, key: 'another' })],
    ])('refuses a second field with the same %s', async (_what, twinOf) => {
      const { tenant, own } = await loadOwnedFields(backend());
      const twin = twinOf(own);
      const work = backend().unitOfWork(orgScope(tenant.orgId), (tx) => tx.customFields.add(twin));
      await expect(work).rejects.toThrow();
      expect(await find(own)).toStrictEqual(own);
    });

    test('lets only one of ten concurrent callers define a key, and the others see it', async () => {
      const { orgId } = await createTenant(backend());
      const define = () =>
        backend().unitOfWork(orgScope(orgId), async (tx) => {
          const field = aCustomField({ owner: ofOrg(orgId), key: 'rack' });
          const defined = await tx.customFields.holdFieldsOf(field.owner);
          if (defined?.length === 0) await tx.customFields.add(field);
          return defined?.length;
        });
      const seen = await Promise.all(Array.from({ length: 10 }, define));
      expect(seen.toSorted()).toStrictEqual([0, ...Array.from({ length: 9 }, () => 1)]);
    });

    test('makes a change and a concurrent load wait for each other', async () => {
      const { orgId } = await createTenant(backend());
      const loaded = aCustomField({ owner: ofOrg(orgId), key: 'rack', name: 'Loaded' });
      const define = async () => {
        const field = aCustomField({ owner: ofOrg(orgId), key: 'rack', name: 'Defined' });
        return backend().unitOfWork(orgScope(orgId), async (tx) => {
          const defined = await tx.customFields.holdFieldsOf(field.owner);
          if (defined?.length === 0) await tx.customFields.add(field);
        });
      };
      const load = () => loadFleet(backend(), [loaded]).catch((error: Error) => error.message);
      const outcomes = await Promise.all([define(), load()]);
      const left = await backend().definedFields.list(orgScope(orgId));
      const wasRefused = typeof outcomes[1] === 'string';
      expect(left.map(({ name }) => name)).toStrictEqual([wasRefused ? 'Defined' : 'Loaded']);
    });

    test('is not affected by changes to a field object that was passed in or found', async () => {
      const { tenant, own } = await loadOwnedFields(backend());
      const given = { ...own, choices: ['p', 'q'] };
      await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
        await tx.customFields.replace(given);
        given.choices.push('after it was given');
        const held = await tx.customFields.holdFieldsOf(own.owner);
        Reflect.set(held?.[0]?.choices ?? [], 0, 'after it was found');
      });
      expect((await find(own))?.choices).toStrictEqual(['p', 'q']);
    });
  });
}
