/** What every unit of work promises: all or nothing, and one writer at a time. */
import type { FilterId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anAuditEntry, aSavedFilter, newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant } from '#test/support/tenant.ts';
import { createNeighbours } from './neighbours.ts';

export function testAtomicity(backend: () => ContractBackend): void {
  const find = (id: FilterId) => backend().filters.find(SYSTEM_SCOPE, id);
  const isOnRecord = async (id: string) => (await backend().auditEntries()).some((entry) => entry.id === id);

  describe('UnitOfWork', () => {
    test('returns what the work returns', async () => {
      expect(await backend().unitOfWork(SYSTEM_SCOPE, async () => 42)).toBe(42);
    });

    test('commits an added filter with its audit entry', async () => {
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
      const { tenant, own } = await createNeighbours(backend());
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
      const { tenant, own } = await createNeighbours(backend());
      await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
        await tx.filters.findForUpdate(own.id);
        await tx.filters.remove(own.id);
      });
      expect(await find(own.id)).toBeNull();
    });

    test('sees its own changes before anybody else does', async () => {
      const { tenant, own } = await createNeighbours(backend());
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

    test('no longer finds a removed filter within the same work', async () => {
      const { tenant, own } = await createNeighbours(backend());
      const found = await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
        await tx.filters.findForUpdate(own.id);
        await tx.filters.remove(own.id);
        return tx.filters.findForUpdate(own.id);
      });
      expect(found).toBeNull();
    });

    test('undoes everything, including audit entries, when the work throws, and rethrows the error', async () => {
      const { tenant, own, foreign } = await createNeighbours(backend());
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

    test('works again after work that threw', async () => {
      const { orgId, userId } = await createTenant(backend());
      const filter = aSavedFilter({ orgId, createdBy: userId });
      const failing = backend().unitOfWork(SYSTEM_SCOPE, () => Promise.reject(new Error('the work failed')));
      const following = backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
      await expect(failing).rejects.toThrow('the work failed');
      await following;
      expect(await find(filter.id)).toStrictEqual(filter);
    });

    test('loses no update of ten concurrent writers on one filter', async () => {
      const { own } = await createNeighbours(backend());
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

    test('lets only one of two concurrent writers remove a filter', async () => {
      const { own } = await createNeighbours(backend());
      const remove = () =>
        backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
          const current = await tx.filters.findForUpdate(own.id);
          if (current !== null) await tx.filters.remove(own.id);
          return current !== null;
        });
      expect((await Promise.all([remove(), remove()])).toSorted()).toStrictEqual([false, true]);
    });

    test('refuses a second filter with the same id', async () => {
      const { tenant, own } = await createNeighbours(backend());
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

    test('is not affected by changes to a filter object that was passed in or found', async () => {
      const { tenant, own } = await createNeighbours(backend());
      const next = { ...own, name: 'Renamed', version: 2 };
      await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
        Reflect.set((await tx.filters.findForUpdate(own.id)) ?? {}, 'name', 'changed after it was found');
        const given = { ...next };
        await tx.filters.replace(given);
        given.name = 'changed after it was given';
      });
      expect(await find(own.id)).toStrictEqual(next);
    });

    test('refuses to continue after the work has returned', async () => {
      const { tenant, own } = await createNeighbours(backend());
      const late = await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => ({ tx }));
      await expect(late.tx.filters.findForUpdate(own.id)).rejects.toThrow();
    });
  });
}
