/** Changes saved filters; `reads/filters/saved-filter-reader.ts` reads them. */
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  SavedFilterRow,
  toSavedFilter,
  toSavedFilterRow,
} from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import { changeable, FOR_UPDATE } from '#adapters/postgres/transactional/orm.ts';
import type { SavedFilterWriter } from '#application/ports/filters/saved-filter-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { mayChangeFor } from '#domain/access/ownership.ts';
import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId } from '#domain/ids.ts';

export function savedFilterWriter(em: EntityManager, scope: AccessScope): SavedFilterWriter {
  const hold = (id: FilterId) => em.findOne(SavedFilterRow, { id, ...changeable(scope) }, FOR_UPDATE);
  return {
    holdUsage: async (owner) => {
      if (!mayChangeFor(scope, owner)) throw outOfReach(owner);
      const ownerId = owner.kind === 'organization' ? owner.orgId : owner.partnerId;
      await em.flush();
      await em.execute(HOLD_USAGE, [ownerId]);
      // A new statement, which sees the commits of earlier lock holders.
      const [row] = await em.execute<UsageRow[]>(SELECT_USAGE[owner.kind], [ownerId]);
      return { filters: Number(row?.filters), conditionBytes: Number(row?.bytes) };
    },
    findForUpdate: async (id) => {
      const row = await hold(id);
      return row === null ? null : toSavedFilter(row);
    },
    add: async (filter) => {
      const owner = ownerOfFilter(filter);
      if (!mayChangeFor(scope, owner)) throw outOfReach(owner);
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
      const count = await em.nativeDelete(SavedFilterRow, { id, ...changeable(scope) });
      if (count !== 1) throw new Error(`filter ${id} does not exist`);
    },
  };
}

function outOfReach(owner: Owner): Error {
  return new Error(`the ${owner.kind} of the filter is out of reach`);
}

/** Shared with `bulk/loads/filter-faults.ts`. */
const HOLD_USAGE = `select pg_advisory_xact_lock(hashtextextended('filters of ' || ?::text, 0))`;

interface UsageRow {
  readonly filters: string;
  readonly bytes: string;
}

const SELECT_USAGE: Readonly<Record<Owner['kind'], string>> = {
  organization: `
  select count(*) as filters, coalesce(sum(octet_length(conditions)), 0) as bytes from saved_filter where org_id = ?`,
  partner: `
  select count(*) as filters, coalesce(sum(octet_length(conditions)), 0) as bytes from saved_filter where partner_id = ?`,
};
