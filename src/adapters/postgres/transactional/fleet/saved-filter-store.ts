/** Changes saved filters; `reads/filters/saved-filter-reader.ts` reads them. */
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  SavedFilterRow,
  toSavedFilter,
  toSavedFilterRow,
} from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import { FOR_UPDATE, inReach } from '#adapters/postgres/transactional/orm.ts';
import type { SavedFilterWriter } from '#application/ports/filters/saved-filter-store.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import type { FilterId } from '#domain/ids.ts';

export function savedFilterWriter(em: EntityManager, scope: AccessScope): SavedFilterWriter {
  const hold = (id: FilterId) => em.findOne(SavedFilterRow, { id, ...inReach(scope) }, FOR_UPDATE);
  return {
    holdUsage: async (orgId) => {
      if (!canReach(scope, orgId)) throw new Error(`organization ${orgId} is out of reach`);
      await em.flush();
      await em.execute(HOLD_USAGE, [orgId]);
      // A new statement, which sees the commits of earlier lock holders.
      const [row] = await em.execute<UsageRow[]>(SELECT_USAGE, [orgId]);
      return { filters: Number(row?.filters), conditionBytes: Number(row?.bytes) };
    },
    findForUpdate: async (id) => {
      const row = await hold(id);
      return row === null ? null : toSavedFilter(row);
    },
    add: async (filter) => {
      if (!canReach(scope, filter.orgId)) throw new Error(`organization ${filter.orgId} is out of reach`);
      em.create(SavedFilterRow, toSavedFilterRow(filter));
      await em.flush();
    },
    replace: async (filter) => {
      const row = await hold(filter.id);
      if (row === null) throw new Error(`filter ${filter.id} does not exist`);
      em.assign(row, toSavedFilterRow(filter));
    },
    remove: async (id) => {
      await em.flush();
      // The statement of `em.remove` would carry the id but not the scope.
      const count = await em.nativeDelete(SavedFilterRow, { id, ...inReach(scope) });
      if (count !== 1) throw new Error(`filter ${id} does not exist`);
    },
  };
}

/** Shared with `bulk/loads/filter-faults.ts`. */
const HOLD_USAGE = `select pg_advisory_xact_lock(hashtextextended('filters of ' || ?::text, 0))`;

interface UsageRow {
  readonly filters: string;
  readonly bytes: string;
}

const SELECT_USAGE = `
  select count(*) as filters, coalesce(sum(octet_length(conditions)), 0) as bytes from saved_filter where org_id = ?`;
