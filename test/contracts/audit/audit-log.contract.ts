/** What every audit log promises. */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anAuditEntry, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { createTenant } from '#test/support/tenant.ts';

export function testAuditLog(backend: () => ContractBackend): void {
  const readBack = async (entries: readonly AuditEntry[]) => {
    const ids = new Set(entries.map(({ id }) => id));
    return (await backend().auditEntries()).filter(({ id }) => ids.has(id));
  };

  describe('AuditLog', () => {
    test('has recorded every field of the entry when the promise resolves', async () => {
      const { orgId, partnerId } = await createTenant(backend());
      const entry = anAuditEntry({
        at: SOME_INSTANT + 123,
        actor: { type: 'api_key', id: newId() },
        orgId,
        partnerId,
        action: 'filter.update',
        result: 'denied',
        resourceId: newId(),
        details: {
          fields: ['name', 'conditions'],
          count: 3,
          ratio: 0.5,
          isNew: false,
          note: null,
          text: 'ü 🖨 "\\',
        },
        requestId: 'r'.repeat(128),
        ip: '2001:db8::7',
      });
      await backend().auditLog(entry);
      expect(await readBack([entry])).toStrictEqual([entry]);
    });

    test('takes an entry that has only the required fields', async () => {
      const entry = anAuditEntry({ actor: { type: 'system', id: null } });
      await backend().auditLog(entry);
      expect(await readBack([entry])).toStrictEqual([entry]);
    });

    test('takes an entry about a thing that does not exist', async () => {
      const entry = anAuditEntry({ result: 'denied', resourceId: newId(), details: { reason: 'not_found' } });
      await backend().auditLog(entry);
      expect(await readBack([entry])).toStrictEqual([entry]);
    });

    test('records each of two hundred concurrent entries exactly once', async () => {
      const entries = Array.from({ length: 200 }, (_, i) => anAuditEntry({ details: { i } }));
      await Promise.all(entries.map((entry) => backend().auditLog(entry)));
      const recorded = await readBack(entries);
      expect(recorded.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toStrictEqual(entries);
    });

    test('is not affected by changes to an entry object that was passed in or read', async () => {
      const fields = ['name'];
      const details = { fields };
      const entry = anAuditEntry({ details });
      const before = structuredClone(entry);
      await backend().auditLog(entry);
      fields.push('conditions');
      Reflect.set(details, 'extra', true);
      const [read] = await readBack([entry]);
      Reflect.set(read ?? {}, 'action', 'filter.delete');
      Reflect.set(read?.details ?? {}, 'extra', true);
      expect(await readBack([entry])).toStrictEqual([before]);
    });
  });
}
