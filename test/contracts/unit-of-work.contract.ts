/** What every unit of work promises: all or nothing, one writer at a time, and no way past the tenant's walls. */
import { describe, expect, test } from 'vitest';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId } from '#domain/ids.ts';
import {
  anAuditEntry,
  aSavedFilter,
  newId,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';
import type { ContractBackend } from './contract-backend.ts';

/** Two organizations of one partner, each with a filter. */
interface Neighbours {
  readonly tenant: Tenant;
  readonly own: SavedFilter;
  readonly foreign: SavedFilter;
}

/** Scopes that hold the first organization and not the second. */
const SCOPES: readonly [string, (tenant: Tenant) => AccessScope][] = [
  ['an organization', ({ orgId }) => orgScope(orgId)],
  ['a partner', ({ partnerId, orgId }) => partnerScope(partnerId, [orgId])],
  [
    'a subset of a partner',
    ({ partnerId, orgId }) => ({ kind: 'partner', partnerId, orgIds: [orgId], isWhole: false }),
  ],
];

export function testUnitOfWork(backend: () => ContractBackend): void {
  const find = (id: FilterId) => backend().filters.find(SYSTEM_SCOPE, id);
  const isOnRecord = async (id: string) => (await backend().auditEntries()).some((entry) => entry.id === id);

  const createNeighbours = async (): Promise<Neighbours> => {
    const tenant = await createTenant(backend(), 2);
    const own = aSavedFilter({ orgId: tenant.orgId, createdBy: tenant.userId });
    const foreign = aSavedFilter({ orgId: tenant.orgIds[1] ?? newId(), createdBy: tenant.userId });
    await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await tx.filters.add(own);
      await tx.filters.add(foreign);
    });
    return { tenant, own, foreign };
  };

  describe('UnitOfWork', () => {
    test('gives what the work gives', async () => {
      expect(await backend().unitOfWork(SYSTEM_SCOPE, async () => 42)).toBe(42);
    });

    test('commits an added filter with its entry', async () => {
      const { orgId, userId } = await createTenant(backend());
      const filter = aSavedFilter({ orgId, createdBy: userId });
      const entry = anAuditEntry({ action: 'filter.create', orgId, resourceId: filter.id });
      await backend().unitOfWork(orgScope(orgId), async (tx) => {
        await tx.filters.add(filter);
        await tx.audit(entry);
      });
      expect(await find(filter.id)).toStrictEqual(filter);
      expect((await backend().auditEntries()).filter(({ id }) => id === entry.id)).toStrictEqual([entry]);
    });

    test('commits a replaced filter', async () => {
      const { tenant, own } = await createNeighbours();
      const next = {
        ...own,
        name: 'Renamed',
        description: 'now with words',
        version: 2,
        updatedAt: own.updatedAt + 1,
      };
      await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
        await tx.filters.findForUpdate(own.id);
        await tx.filters.replace(next);
      });
      expect(await find(own.id)).toStrictEqual(next);
    });

    test('commits a removed filter', async () => {
      const { tenant, own } = await createNeighbours();
      await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
        await tx.filters.findForUpdate(own.id);
        await tx.filters.remove(own.id);
      });
      expect(await find(own.id)).toBeNull();
    });

    test('sees its own changes before anybody else does', async () => {
      const { tenant, own } = await createNeighbours();
      const added = aSavedFilter({ orgId: tenant.orgId, createdBy: tenant.userId });
      const next = { ...own, name: 'Renamed', version: 2 };
      const seen = await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
        await tx.filters.add(added);
        await tx.filters.findForUpdate(own.id);
        await tx.filters.replace(next);
        return {
          inside: [await tx.filters.findForUpdate(added.id), await tx.filters.findForUpdate(own.id)],
          outside: [await find(added.id), await find(own.id)],
        };
      });
      expect(seen).toStrictEqual({ inside: [added, next], outside: [null, own] });
    });

    test('finds a removed filter no more within the same work', async () => {
      const { tenant, own } = await createNeighbours();
      const found = await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
        await tx.filters.findForUpdate(own.id);
        await tx.filters.remove(own.id);
        return tx.filters.findForUpdate(own.id);
      });
      expect(found).toBeNull();
    });

    test('undoes everything, entries included, when the work throws, and throws the same', async () => {
      const { tenant, own, foreign } = await createNeighbours();
      const added = aSavedFilter({ orgId: tenant.orgId, createdBy: tenant.userId });
      const entry = anAuditEntry();
      const failure = new Error('the work failed');
      const work = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.filters.add(added);
        await tx.filters.findForUpdate(own.id);
        await tx.filters.replace({ ...own, name: 'Renamed', version: 2 });
        await tx.filters.findForUpdate(foreign.id);
        await tx.filters.remove(foreign.id);
        await tx.audit(entry);
        throw failure;
      });
      await expect(work).rejects.toBe(failure);
      expect(await find(added.id)).toBeNull();
      expect(await find(own.id)).toStrictEqual(own);
      expect(await find(foreign.id)).toStrictEqual(foreign);
      expect(await isOnRecord(entry.id)).toBe(false);
    });

    test('goes on after a work that threw', async () => {
      const { orgId, userId } = await createTenant(backend());
      const filter = aSavedFilter({ orgId, createdBy: userId });
      const failing = backend().unitOfWork(SYSTEM_SCOPE, () => Promise.reject(new Error('the work failed')));
      const following = backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
      await expect(failing).rejects.toThrow('the work failed');
      await following;
      expect(await find(filter.id)).toStrictEqual(filter);
    });

    test('loses no update of ten writers on one filter', async () => {
      const { own } = await createNeighbours();
      const write = (i: number) =>
        backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
          const current = await tx.filters.findForUpdate(own.id);
          if (current === null) throw new Error('the filter is gone');
          await tx.filters.replace({
            ...current,
            name: `${current.name} ${i}`,
            version: current.version + 1,
          });
        });
      await Promise.all(Array.from({ length: 10 }, (_, i) => write(i)));
      const after = await find(own.id);
      expect(after?.version).toBe(11);
      expect(after?.name.split(' ').slice(2).toSorted()).toStrictEqual([...'0123456789']);
    });

    test('lets one of two writers remove a filter, and the other find it gone', async () => {
      const { own } = await createNeighbours();
      const remove = () =>
        backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
          const current = await tx.filters.findForUpdate(own.id);
          if (current !== null) await tx.filters.remove(own.id);
          return current !== null;
        });
      expect((await Promise.all([remove(), remove()])).toSorted()).toStrictEqual([false, true]);
    });

    test('refuses a second filter with one id', async () => {
      const { tenant, own } = await createNeighbours();
      const twin = { ...own, name: 'Twin' };
      const work = backend().unitOfWork(orgScope(tenant.orgId), (tx) => tx.filters.add(twin));
      await expect(work).rejects.toThrow();
      expect(await find(own.id)).toStrictEqual(own);
    });

    test('refuses a filter of an organization that does not exist', async () => {
      const { userId } = await createTenant(backend());
      const filter = aSavedFilter({ orgId: newId(), createdBy: userId });
      await expect(backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter))).rejects.toThrow();
      expect(await find(filter.id)).toBeNull();
    });

    test('is not touched by what is done to a filter that was given or found', async () => {
      const { tenant, own } = await createNeighbours();
      const next = { ...own, name: 'Renamed', version: 2 };
      await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
        Reflect.set((await tx.filters.findForUpdate(own.id)) ?? {}, 'name', 'changed after it was found');
        const given = { ...next };
        await tx.filters.replace(given);
        given.name = 'changed after it was given';
      });
      expect(await find(own.id)).toStrictEqual(next);
    });

    test('is over when the work has returned', async () => {
      const { tenant, own } = await createNeighbours();
      const late = await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => ({ tx }));
      await expect(late.tx.filters.findForUpdate(own.id)).rejects.toThrow();
    });
  });

  describe.each(SCOPES)('UnitOfWork within the scope of %s', (_name, scopeOf) => {
    test('finds, replaces, removes and adds what is in reach', async () => {
      const { tenant, own } = await createNeighbours();
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

    test('does not find what is out of reach', async () => {
      const { tenant, foreign } = await createNeighbours();
      const work = (tx: Transaction) => tx.filters.findForUpdate(foreign.id);
      expect(await backend().unitOfWork(scopeOf(tenant), work)).toBeNull();
    });

    test.each<[string, (tx: Transaction, neighbours: Neighbours) => Promise<void>]>([
      ['add a filter out of reach', (tx, { foreign }) => tx.filters.add({ ...foreign, id: newId() })],
      [
        'replace one out of reach',
        (tx, { foreign }) => tx.filters.replace({ ...foreign, name: 'Taken over' }),
      ],
      ['bring one in', (tx, { tenant, foreign }) => tx.filters.replace({ ...foreign, orgId: tenant.orgId })],
      ['send one out', (tx, { own, foreign }) => tx.filters.replace({ ...own, orgId: foreign.orgId })],
      ['remove one out of reach', (tx, { foreign }) => tx.filters.remove(foreign.id)],
    ])('cannot %s, and its entry goes with it', async (_what, attempt) => {
      const neighbours = await createNeighbours();
      const { tenant, own, foreign } = neighbours;
      const entry = anAuditEntry();
      const work = backend().unitOfWork(scopeOf(tenant), async (tx) => {
        await tx.audit(entry);
        await attempt(tx, neighbours);
      });
      await expect(work).rejects.toThrow();
      expect(await backend().filters.list(partnerScope(tenant.partnerId, tenant.orgIds))).toStrictEqual([
        foreign,
        own,
      ]);
      expect(await isOnRecord(entry.id)).toBe(false);
    });
  });

  describe('UnitOfWork of a partner with no organization', () => {
    test('finds nothing', async () => {
      const { tenant, own } = await createNeighbours();
      const scope = partnerScope(tenant.partnerId, []);
      expect(await backend().unitOfWork(scope, (tx) => tx.filters.findForUpdate(own.id))).toBeNull();
    });

    test('adds nothing', async () => {
      const { tenant, own } = await createNeighbours();
      const scope = partnerScope(tenant.partnerId, []);
      const filter = { ...own, id: newId<'filter'>() };
      await expect(backend().unitOfWork(scope, (tx) => tx.filters.add(filter))).rejects.toThrow();
      expect(await find(filter.id)).toBeNull();
    });

    test('puts entries on record all the same', async () => {
      const { partnerId } = await createTenant(backend());
      const entry = anAuditEntry({ partnerId });
      await backend().unitOfWork(partnerScope(partnerId, []), (tx) => tx.audit(entry));
      expect(await isOnRecord(entry.id)).toBe(true);
    });
  });
}
