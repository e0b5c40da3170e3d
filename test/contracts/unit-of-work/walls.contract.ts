/** What every unit of work promises of its scope: no way past the tenant's walls. */
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { FilterId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  anAuditEntry,
  aSavedFilter,
  newId,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';
import { createNeighbours, type Neighbours } from './neighbours.ts';

/** Scopes that hold the first organization and not the second. */
const SCOPES: readonly [string, (tenant: Tenant) => AccessScope][] = [
  ['an organization', ({ orgId }) => orgScope(orgId)],
  ['a partner', ({ partnerId, orgId }) => partnerScope(partnerId, [orgId])],
  [
    'a subset of a partner',
    ({ partnerId, orgId }) => ({ kind: 'partner', partnerId, orgIds: [orgId], isWhole: false }),
  ],
];

export function testWalls(backend: () => ContractBackend): void {
  const find = (id: FilterId) => backend().filters.find(SYSTEM_SCOPE, id);
  const isOnRecord = async (id: string) => (await backend().auditEntries()).some((entry) => entry.id === id);

  describe.each(SCOPES)('UnitOfWork within the scope of %s', (_name, scopeOf) => {
    test('finds, replaces, removes and adds filters in reach', async () => {
      const { tenant, own } = await createNeighbours(backend());
      const added = aSavedFilter({ orgId: tenant.orgId, createdBy: tenant.userId });
      const next = { ...own, name: 'Renamed', version: 2 };
      const found = await backend().unitOfWork(scopeOf(tenant), async (tx) => {
        await tx.filters.add(added);
        const current = await tx.filters.findForUpdate(own.id);
        await tx.filters.replace(next);
        return current;
      });
      expect(found).toStrictEqual(own);
      expect(await find(own.id)).toStrictEqual(next);
      await backend().unitOfWork(scopeOf(tenant), async (tx) => {
        await tx.filters.findForUpdate(added.id);
        await tx.filters.remove(added.id);
      });
      expect(await find(added.id)).toBeNull();
    });

    test('does not find a filter out of reach', async () => {
      const { tenant, foreign } = await createNeighbours(backend());
      const work = (tx: Transaction) => tx.filters.findForUpdate(foreign.id);
      expect(await backend().unitOfWork(scopeOf(tenant), work)).toBeNull();
    });

    test.each<[string, (tx: Transaction, neighbours: Neighbours) => Promise<void>]>([
      ['add a filter out of reach', (tx, { foreign }) => tx.filters.add({ ...foreign, id: newId() })],
      [
        'replace a filter out of reach',
        (tx, { foreign }) => tx.filters.replace({ ...foreign, name: 'Taken over' }),
      ],
      [
        'move a filter into reach',
        (tx, { tenant, foreign }) => tx.filters.replace({ ...foreign, orgId: tenant.orgId }),
      ],
      [
        'move a filter out of reach',
        (tx, { own, foreign }) => tx.filters.replace({ ...own, orgId: foreign.orgId }),
      ],
      ['remove a filter out of reach', (tx, { foreign }) => tx.filters.remove(foreign.id)],
    ])('cannot %s, and undoes the audit entry', async (_what, attempt) => {
      const neighbours = await createNeighbours(backend());
      const { tenant, own, foreign } = neighbours;
      const entry = anAuditEntry();
      const work = backend().unitOfWork(scopeOf(tenant), async (tx) => {
        await tx.audit(entry);
        await attempt(tx, neighbours);
      });
      await expect(work).rejects.toThrow();
      expect(
        await Array.fromAsync(backend().filters.list(partnerScope(tenant.partnerId, tenant.orgIds))),
      ).toStrictEqual([foreign, own]);
      expect(await isOnRecord(entry.id)).toBe(false);
    });
  });

  describe('UnitOfWork of a partner with no organization', () => {
    test('finds nothing', async () => {
      const { tenant, own } = await createNeighbours(backend());
      const scope = partnerScope(tenant.partnerId, []);
      expect(await backend().unitOfWork(scope, (tx) => tx.filters.findForUpdate(own.id))).toBeNull();
    });

    test('adds nothing', async () => {
      const { tenant, own } = await createNeighbours(backend());
      const scope = partnerScope(tenant.partnerId, []);
      const filter = { ...own, id: newId<'filter'>() };
      await expect(backend().unitOfWork(scope, (tx) => tx.filters.add(filter))).rejects.toThrow();
      expect(await find(filter.id)).toBeNull();
    });

    test('still records audit entries', async () => {
      const { partnerId } = await createTenant(backend());
      const entry = anAuditEntry({ partnerId });
      await backend().unitOfWork(partnerScope(partnerId, []), (tx) => tx.audit(entry));
      expect(await isOnRecord(entry.id)).toBe(true);
    });
  });
}
