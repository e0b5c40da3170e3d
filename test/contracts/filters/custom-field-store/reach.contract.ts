/** Which callers see and change which custom fields. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aCustomField, newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant } from '#test/support/tenant.ts';
import { loadOwnedFields, ofOrg, ofPartner, REACHES } from './owned-fields.ts';

export function testCustomFieldReach(backend: () => ContractBackend): void {
  describe.each(REACHES)(
    'CustomFieldReader and CustomFieldWriter for %s',
    (_name, scopeOf, sees, changes) => {
      test('list and find only fields in reach', async () => {
        const fields = await loadOwnedFields(backend());
        const scope = scopeOf(fields.tenant);
        const ids = new Set([fields.own.id, fields.neighbours.id, fields.shared.id]);
        // Equal keys are ordered by id: `own` was made before `neighbours`.
        expect((await backend().definedFields.list(scope)).filter(({ id }) => ids.has(id))).toStrictEqual(
          sees.map((name) => fields[name]),
        );
        for (const name of ['own', 'neighbours', 'shared'] as const) {
          const found = await backend().definedFields.find(scope, fields[name].id);
          expect(found).toStrictEqual(sees.includes(name) ? fields[name] : null);
        }
      });

      test('hold, change and remove only fields that the scope may change', async () => {
        for (const name of ['own', 'neighbours', 'shared'] as const) {
          const fields = await loadOwnedFields(backend());
          const scope = scopeOf(fields.tenant);
          const field = fields[name];
          const mayChange = changes.includes(name);
          const held = await backend().unitOfWork(scope, (tx) => tx.customFields.holdFieldsOf(field.owner));
          expect([name, held]).toStrictEqual([name, mayChange ? [field] : null]);
          const rename = backend().unitOfWork(scope, (tx) =>
            tx.customFields.replace({ ...field, name: 'New' }),
          );
          await (mayChange ? rename : expect(rename).rejects.toThrow());
          const find = () => backend().definedFields.find(SYSTEM_SCOPE, field.id);
          expect((await find())?.name).toBe(mayChange ? 'New' : field.name);
          const remove = backend().unitOfWork(scope, (tx) => tx.customFields.remove(field.id));
          await (mayChange ? remove : expect(remove).rejects.toThrow());
          expect((await find()) === null).toBe(mayChange);
        }
      });

      test('add fields only for owners that the scope may change', async () => {
        const { tenant, ...fields } = await loadOwnedFields(backend());
        for (const name of ['own', 'neighbours', 'shared'] as const) {
          const field = aCustomField({ owner: fields[name].owner, key: 'another' });
          const add = backend().unitOfWork(scopeOf(tenant), (tx) => tx.customFields.add(field));
          await (changes.includes(name) ? add : expect(add).rejects.toThrow());
          expect(await backend().definedFields.find(SYSTEM_SCOPE, field.id)).toStrictEqual(
            changes.includes(name) ? field : null,
          );
        }
      });
    },
  );

  describe('CustomFieldReader', () => {
    test('finds nothing for an id that no field has', async () => {
      const { partnerId, orgIds } = await createTenant(backend());
      expect(await backend().definedFields.find(partnerScope(partnerId, orgIds), newId())).toBeNull();
    });

    test('neither lists nor finds anything for strangers', async () => {
      const fields = await loadOwnedFields(backend());
      const stranger = await createTenant(backend(), 2);
      for (const scope of [orgScope(stranger.orgId), partnerScope(stranger.partnerId, stranger.orgIds)]) {
        expect(await backend().definedFields.list(scope)).toStrictEqual([]);
        for (const { id } of [fields.own, fields.neighbours, fields.shared]) {
          expect(await backend().definedFields.find(scope, id)).toBeNull();
        }
      }
    });
  });

  describe('CustomFieldWriter', () => {
    test('holds nothing for an owner that does not exist', async () => {
      const unknown = await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => [
        await tx.customFields.holdFieldsOf(ofOrg(newId())),
        await tx.customFields.holdFieldsOf({ kind: 'partner', partnerId: newId() }),
      ]);
      expect(unknown).toStrictEqual([null, null]);
    });

    test('holds an empty list for an owner without fields', async () => {
      const tenant = await createTenant(backend());
      const held = await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => [
        await tx.customFields.holdFieldsOf(ofOrg(tenant.orgId)),
        await tx.customFields.holdFieldsOf(ofPartner(tenant)),
      ]);
      expect(held).toStrictEqual([[], []]);
    });
  });
}
