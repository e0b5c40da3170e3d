/** Changes saved filters on PostgreSQL; `reads/saved-filter-reader.ts` reads them. */
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SavedFilterWriter } from '#application/ports/filters/saved-filter-store.ts';
import { type AccessScope, canReach, reachableOrgIds } from '#domain/access/access-scope.ts';
import { SavedFilterRow, toSavedFilter, toSavedFilterRow } from './entities/saved-filter-row.ts';

/** The filters of one transaction. */
export function savedFilterWriter(em: EntityManager, scope: AccessScope): SavedFilterWriter {
  return {
    findForUpdate: async (id) => {
      const row = await em.findOne(
        SavedFilterRow,
        { id, ...inReach(scope) },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      return row === null ? null : toSavedFilter(row);
    },
    add: async (filter) => {
      if (!canReach(scope, filter.orgId)) throw new Error(`organization ${filter.orgId} is out of reach`);
      await em.insert(SavedFilterRow, toSavedFilterRow(filter));
    },
    replace: async (filter) => {
      const { id, ...changed } = toSavedFilterRow(filter);
      const count = await em.nativeUpdate(SavedFilterRow, { id, ...inReach(scope) }, changed);
      if (count !== 1) throw new Error(`filter ${id} is not there to be replaced`);
    },
    remove: async (id) => {
      const count = await em.nativeDelete(SavedFilterRow, { id, ...inReach(scope) });
      if (count !== 1) throw new Error(`filter ${id} is not there to be removed`);
    },
  };
}

/** The first wall: the statement's own predicate. */
function inReach(scope: AccessScope): { orgId?: { $in: string[] } } {
  const orgIds = reachableOrgIds(scope);
  return orgIds === null ? {} : { orgId: { $in: [...orgIds] } };
}
