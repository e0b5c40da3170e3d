import type { Pool } from 'pg';
import type { FilterId } from '#domain/ids.ts';
import { ORGANIZATION_COUNT, orgIdAt } from '../fleet/fleet-plan.ts';
import type { sampleDevices } from '../matching/sample-devices.ts';
import { drawFilter } from '../matching/saved-filter-set.ts';

export const PROBE_TAG = 'live-probe';

/** A filter on the tag that probes change. */
export async function watchProbe(pool: Pool): Promise<FilterId> {
  const conditions = JSON.stringify({
    operator: 'AND',
    conditions: [{ field: 'tags', operator: 'contains', value: PROBE_TAG }],
  });
  return insertFilters(pool, [{ name: 'live bench probe', orgId: orgIdAt(0), conditions }]);
}

export async function watchFilters(
  pool: Pool,
  sample: ReturnType<typeof sampleDevices>,
  from: number,
  until: number,
): Promise<void> {
  await insertFilters(
    pool,
    Array.from({ length: until - from }, (_, i) => ({
      name: `live bench ${from + i}`,
      orgId: orgIdAt((from + i) % ORGANIZATION_COUNT),
      conditions: JSON.stringify(drawFilter(from + i, sample)),
    })),
  );
}

interface NewFilter {
  readonly name: string;
  readonly orgId: string;
  readonly conditions: string;
}

/** As the owner, because thousands of them are watched one by one otherwise. Returns the first one's id. */
async function insertFilters(pool: Pool, filters: readonly NewFilter[]): Promise<FilterId> {
  const { rows } = await pool.query<{ id: FilterId }>(
    `with added as (
       insert into saved_filter (id, org_id, name, conditions, created_by, created_at, updated_at, version)
       select gen_random_uuid(), org_id, name, conditions, gen_random_uuid(), now(), now(), 1
       from unnest($1::uuid[], $2::text[], $3::text[]) f(org_id, name, conditions) returning id, org_id
     ), organizations as (
       insert into live_organization (org_id) select distinct org_id from added on conflict do nothing
     ), feeds as (
       insert into live_filter (filter_id, org_id) select id, org_id from added
     ), marks as (
       insert into live_mark (partner_id, kind) select distinct g.partner_id, 'changed'::mark_kind
       from added join organization g on g.id = added.org_id
     ) select id from added`,
    [
      filters.map(({ orgId }) => orgId),
      filters.map(({ name }) => name),
      filters.map(({ conditions }) => conditions),
    ],
  );
  const [first] = rows;
  if (first === undefined) throw new Error('no filter was added');
  return first.id;
}
