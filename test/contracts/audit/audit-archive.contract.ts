/** What every archive of the audit log promises. */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anAuditEntry, newId } from '#test/support/builders.ts';

export function testAuditArchive(backend: () => ContractBackend): void {
  /** Long before the entries of other suites. */
  const recordAt = async (...instants: readonly string[]): Promise<readonly AuditEntry[]> => {
    const entries = instants.map((at) => anAuditEntry({ at: Date.parse(at) }));
    for (const entry of entries) await backend().auditLog(entry);
    return entries;
  };
  const dropBefore = (instant: string, entry = anAuditEntry()) =>
    backend().auditArchive.dropMonthsBefore(Date.parse(instant), (months) => ({
      ...entry,
      details: { months },
    }));
  const keptOf = async (entries: readonly AuditEntry[]) => {
    const ids = new Set(entries.map(({ id }) => id));
    return (await backend().auditEntries()).filter(({ id }) => ids.has(id));
  };

  describe('AuditArchive', () => {
    test('drops whole months that are over, and no other', async () => {
      const entries = await recordAt(
        '1998-11-30T23:59:59.999Z',
        '1998-12-01T00:00:00.000Z',
        '1998-12-31T23:59:59.999Z',
        '1999-01-01T00:00:00.000Z',
      );
      expect(await dropBefore('1998-12-31T23:59:59.999Z')).toStrictEqual(['1998-11']);
      expect(await keptOf(entries)).toStrictEqual(entries.slice(1));
      expect(await dropBefore('1999-01-01T00:00:00.000Z')).toStrictEqual(['1998-12']);
      expect(await keptOf(entries)).toStrictEqual(entries.slice(3));
      await dropBefore('1999-02-01T00:00:00.000Z');
    });

    test('audits a drop with its months, and audits nothing if no month was dropped', async () => {
      await recordAt('1997-01-05T00:00:00.000Z', '1997-03-05T00:00:00.000Z');
      const [done, nothing] = [anAuditEntry(), anAuditEntry()];
      await dropBefore('1997-04-01T00:00:00.000Z', done);
      expect(await dropBefore('1997-04-01T00:00:00.000Z', nothing)).toStrictEqual([]);
      expect(await keptOf([done, nothing])).toStrictEqual([
        { ...done, details: { months: ['1997-01', '1997-03'] } },
      ]);
    });

    test('prepares months repeatedly, and takes entries of any month before and after that', async () => {
      const now = Date.parse('1996-11-15T00:00:00.000Z');
      const before = await recordAt(
        '1996-10-15T00:00:00Z',
        '1996-11-15T00:00:00Z',
        '1997-01-31T23:59:59.999Z',
      );
      await Promise.all([1, 2, 3].map(() => backend().auditArchive.prepareMonths(now)));
      const after = await recordAt('1996-10-16T00:00:00Z', '1996-12-15T00:00:00Z', '1997-02-01T00:00:00Z');
      expect((await keptOf([...before, ...after])).map(({ id }) => id).toSorted()).toStrictEqual(
        [...before, ...after].map(({ id }) => id).toSorted(),
      );
      await dropBefore('1997-03-01T00:00:00.000Z', anAuditEntry({ id: newId() }));
      expect(await keptOf([...before, ...after])).toStrictEqual([]);
    });
  });
}
