import type { PoolClient } from 'pg';
import { MEASURED_COLUMNS } from '#adapters/postgres/schema/live.ts';
import type { FilterReads } from '#application/ports/live/memberships.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { OrgId } from '#domain/ids.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';
import { IS_SETTLED } from './live-sql.ts';

export interface OrganizationRow {
  readonly orgId: OrgId;
  /** Whether changes of the organization's devices leave marks. */
  readonly isLive: boolean;
  readonly isSettled: boolean;
}

export const ORGANIZATIONS = `
  select g.id as "orgId", l.org_id is not null as "isLive", ${IS_SETTLED} as "isSettled"
  from organization g left join live_organization l on l.org_id = g.id where g.partner_id = $1`;

/** The organizations that need marks because filters over them are watched. */
export class LiveOrganizations {
  readonly orgIds: readonly OrgId[];
  /** Organizations whose changed devices leave no marks yet. */
  readonly missing: readonly OrgId[];
  /** Organizations whose changed devices still leave marks, which no watched filter needs. */
  readonly unneeded: readonly OrgId[];
  readonly #settled: ReadonlySet<OrgId>;

  constructor(organizations: readonly OrganizationRow[], watched: readonly Pick<SavedFilter, 'orgId'>[]) {
    const ofOrganizations = new Set(watched.map(({ orgId }) => orgId));
    const needed = organizations.filter(
      ({ orgId }) => ofOrganizations.has(null) || ofOrganizations.has(orgId),
    );
    this.orgIds = needed.map(({ orgId }) => orgId);
    this.missing = needed.flatMap(({ orgId, isLive }) => (isLive ? [] : [orgId]));
    this.unneeded = organizations.flatMap(({ orgId, isLive }) =>
      isLive && !this.orgIds.includes(orgId) ? [orgId] : [],
    );
    this.#settled = new Set(needed.flatMap(({ orgId, isSettled }) => (isSettled ? [orgId] : [])));
  }

  readonly isIncomplete = ({ orgId }: SavedFilter): boolean => orgId === null && this.missing.length > 0;

  /** Whether all changes of the filter's devices have left marks under the current rules (`silence`, `measured`). */
  readonly isSettled = ({ orgId }: SavedFilter, stricter: ReadonlySet<OrgId> = NONE): boolean =>
    (orgId === null ? this.orgIds : [orgId]).every((id) => this.#settled.has(id) && !stricter.has(id));
}

const NONE: ReadonlySet<never> = new Set();

interface Finish {
  readonly readsOf: ReadonlyMap<OrgId, FilterReads>;
  /** Organizations whose devices this evaluation read. */
  readonly touched: ReadonlySet<OrgId>;
  readonly at: EpochMs;
}

/**
 * Stores the rules by which changes of devices add marks, and `at` as the instant of the evaluation. Returns the
 * organizations in which more changes add marks than before. If `live` is null, no filters were read. Then memberships
 * changed only in `touched` organizations, and only these get `at`.
 */
export async function finishOrganizations(
  client: PoolClient,
  live: LiveOrganizations | null,
  { readsOf, touched, at }: Finish,
): Promise<ReadonlySet<OrgId>> {
  if (live === null) {
    if (touched.size > 0) await client.query(TOUCH_ORGANIZATIONS, [[...touched], printInstant(at)]);
    return NONE;
  }
  const { orgIds, missing, unneeded } = live;
  if (missing.length > 0) await client.query(ADD_ORGANIZATIONS, [missing]);
  if (unneeded.length > 0) await client.query(REMOVE_ORGANIZATIONS, [unneeded]);
  const { rows } = await client.query<{ orgId: OrgId; isStricter: boolean }>(FINISH_ORGANIZATIONS, [
    orgIds,
    orgIds.map((orgId) => toSeconds(readsOf.get(orgId)?.silence ?? null)),
    orgIds.map((orgId) => toMeasured(readsOf.get(orgId)?.fields ?? new Set()).join()),
    printInstant(at),
  ]);
  return new Set(rows.filter(({ isStricter }) => isStricter).map(({ orgId }) => orgId));
}

const TOUCH_ORGANIZATIONS = `
  update live_organization set evaluated_at = $2 where org_id = any($1) and silence is not null`;

const ADD_ORGANIZATIONS = `
  insert into live_organization (org_id) select unnest($1::uuid[]) on conflict do nothing`;

/** If a filter was watched meanwhile, `watch_filter` has updated the row, so this statement fails. */
const REMOVE_ORGANIZATIONS = 'delete from live_organization where org_id = any($1)';

/** Stands for infinity. PostgreSQL can still subtract it from an instant. */
const LONGEST_SILENCE_S = 1_000 * 365 * 86_400;

function toSeconds(silence: number | null): number | null {
  return silence === null ? null : Math.min(Math.floor(silence) / 1_000, LONGEST_SILENCE_S);
}

function toMeasured(fields: ReadonlySet<string>): readonly string[] {
  return MEASURED_COLUMNS.filter((column) => MEASURED_BY[column].some((key) => fields.has(key)));
}

const MEASURED_BY: Readonly<Record<(typeof MEASURED_COLUMNS)[number], readonly string[]>> = {
  cpu_percent: ['metrics.cpuPercent', 'metrics.reported'],
  ram_percent: ['metrics.ramPercent', 'metrics.reported'],
  disk_percent: ['metrics.diskPercent', 'metrics.reported'],
  uptime_seconds: ['uptimeSeconds'],
};

/**
 * Stricter rules clear `barrier`. The next evaluation sets it to the end of the snapshot that it reads. A transaction
 * that has not seen the new rules is older than this barrier (see `IS_SETTLED`).
 */
const FINISH_ORGANIZATIONS = `
  update live_organization l set evaluated_at = $4, silence = n.silence, measured = n.measured,
    barrier = case when not n.is_stricter then coalesce(l.barrier, pg_snapshot_xmax(pg_current_snapshot())) end
  from (
    select r.*, r.silence is not null and (o.silence is null or r.silence < o.silence)
      or not r.measured <@ o.measured as is_stricter
    from (
      select u.org_id, make_interval(secs => u.seconds) as silence, string_to_array(u.measured, ',') as measured
      from unnest($1::uuid[], $2::float8[], $3::text[]) u(org_id, seconds, measured)
    ) r join live_organization o using (org_id)
  ) n
  where l.org_id = n.org_id
  returning l.org_id as "orgId", n.is_stricter as "isStricter"`;
