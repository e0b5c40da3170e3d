/** Changes saved filters. `reads/filters/saved-filter-reader.ts` reads them. */
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  SavedFilterRow,
  toSavedFilter,
  toSavedFilterRow,
} from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import { changeable, FOR_UPDATE } from '#adapters/postgres/transactional/orm.ts';
import type { SavedFilterWriter } from '#application/ports/filters/saved-filter-store.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import { mayChangeFor, ownerIdOf } from '#domain/access/ownership.ts';
import type { FilterLink } from '#domain/filter/filter-links.ts';

import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId } from '#domain/ids.ts';

export function savedFilterWriter(em: EntityManager, scope: AccessScope): SavedFilterWriter {
  const reach = reachOf(scope);
  const hold = (id: FilterId) => em.findOne(SavedFilterRow, { id, ...changeable(scope) }, FOR_UPDATE);
  return {
    holdUsage: async (owner) => {
      if (!mayChangeFor(scope, owner)) throw outOfReach(owner);
      const ownerId = ownerIdOf(owner);
      await em.flush();
      await em.execute(HOLD_USAGE, [ownerId]);
      // A new statement sees what earlier holders of the lock have committed.
      const [row] = await em.execute<UsageRow[]>(SELECT_USAGE[owner.kind], [ownerId]);
      return { filters: Number(row?.filters), conditionBytes: Number(row?.bytes) };
    },
    holdLinks: async (owner) => {
      if (!mayChangeFor(scope, owner)) throw outOfReach(owner);
      await em.flush();
      await em.execute(HOLD_LINKS[owner.kind], [ownerIdOf(owner)]);
    },
    relyingOn: async (id) => {
      await em.flush();
      return em.execute<FilterLink[]>(RELYING_ON, [id, ...reach, id, ...reach]);
    },
    linksFrom: async (ids) => {
      if (ids.length === 0) return [];
      await em.flush();
      return em.execute<FilterLink[]>(LINKS_FROM, [`{${ids.join(',')}}`, ...reach, ...reach]);
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
      // `em.remove` is not used, because its statement would name the id but not the scope.
      const count = await em.nativeDelete(SavedFilterRow, { id, ...changeable(scope) });
      if (count !== 1) throw new Error(`filter ${id} does not exist`);
    },
  };
}

function outOfReach(owner: Owner): Error {
  return new Error(`the ${owner.kind} of the filter is out of reach`);
}

/** `bulk/loads/filter-faults.ts` takes the same lock. */
const HOLD_USAGE = `select pg_advisory_xact_lock(hashtextextended('filters of ' || ?::text, 0))`;

/** `bulk/loads/filter-faults.ts` takes the same locks. */
const HOLD_LINKS: Readonly<Record<Owner['kind'], string>> = {
  organization: `select pg_advisory_xact_lock(hashtextextended('links of filters of ' || g.partner_id::text, 0))
    from organization g where g.id = ?`,
  partner: `select pg_advisory_xact_lock(hashtextextended('links of filters of ' || ?::text, 0))`,
};

/**
 * The parameters of `IN_REACH`: whether everything is in reach, the organizations, the partner if it is in
 * reach as a whole, and the organizations again. `IN_REACH` expresses `ownersInReach` in SQL.
 */
function reachOf(scope: AccessScope): readonly unknown[] {
  const orgIds = `{${(reachableOrgIds(scope) ?? []).join(',')}}`;
  const partnerId = scope.kind === 'partner' && scope.isWhole ? scope.partnerId : null;
  return [scope.kind === 'system', orgIds, partnerId, orgIds];
}

const IN_REACH = `(?::boolean or f.org_id = any(?::uuid[]) or f.partner_id = ?::uuid
  or f.partner_id in (select g.partner_id from organization g where g.id = any(?::uuid[])))`;

const LINK = `f.id, f.name, f.org_id as "orgId", f.partner_id as "partnerId", f.version, f.named::text[] as named`;

const RELYING_ON = `
  with recursive reached(id) as (
    select ?::uuid
    union select f.id from reached r join saved_filter f on f.named @> array[r.id] and f.named <> '{}' and ${IN_REACH})
  select ${LINK} from saved_filter f where f.id <> ?::uuid and f.id in (select r.id from reached r) and ${IN_REACH}`;

const LINKS_FROM = `
  with recursive reached(id) as (
    select unnest(?::uuid[])
    union select e.id from reached r join saved_filter f on f.id = r.id and ${IN_REACH}
      cross join lateral unnest(f.named) e(id))
  select ${LINK} from saved_filter f where f.id in (select r.id from reached r) and ${IN_REACH}`;

interface UsageRow {
  readonly filters: string;
  readonly bytes: string;
}

const USAGE = `select count(*) as filters, coalesce(sum(octet_length(conditions)), 0) as bytes from saved_filter`;

const SELECT_USAGE: Readonly<Record<Owner['kind'], string>> = {
  organization: `${USAGE} where org_id = ?`,
  partner: `${USAGE} where partner_id = ?`,
};
