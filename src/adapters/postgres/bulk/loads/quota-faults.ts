/** Checks the saved filters of a load against the quotas of their organizations (Contract: §5). */
import type { PoolClient } from 'pg';
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { findQuotaFaults } from '#domain/filter/filter-quota.ts';
import type { OrgId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';

/**
 * Until the load ends, nobody adds filters to the organizations that it brings filters for. Called before any row is
 * locked: whoever creates a filter takes this lock first (`transactional/fleet/saved-filter-store.ts`).
 */
export async function holdFilterUsage(client: PoolClient): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(hashtextextended('filters of ' || org_id::text, 0))
     from (select distinct org_id from staged_saved_filter order by org_id) s`,
  );
}

/** The faults in line order, at most `MAX_FAULTS`. The filters that exist are still as they were. */
export async function findFilterQuotaFaults(client: PoolClient): Promise<readonly FleetFault[]> {
  const { rows: usages } = await client.query<UsageRow>(
    `select org_id, count(*)::integer as filters, sum(octet_length(conditions))::float8 as bytes
     from saved_filter where org_id in (select org_id from staged_saved_filter) group by org_id`,
  );
  const used = new Map(
    usages.map(({ org_id, filters, bytes }) => [org_id, { filters, conditionBytes: bytes }]),
  );
  const { rows } = await client.query<GrowthRow>(
    `select s.line, s.member, s.org_id, (t.id is null) as is_new,
       octet_length(s.conditions) - coalesce(octet_length(t.conditions), 0) as growth
     from staged_saved_filter s left join saved_filter t on t.id = s.id
     order by s.line, s.member`,
  );
  const changes = rows.map(({ line, member, org_id, is_new, growth }) => ({
    ...{ line, member, orgId: org_id },
    ...{ filters: is_new ? 1 : 0, conditionBytes: growth },
  }));
  return findQuotaFaults(changes, (orgId) => used.get(orgId) ?? { filters: 0, conditionBytes: 0 })
    .slice(0, MAX_FAULTS)
    .map(({ change, member, message }) => ({
      line: change.line,
      member: `${change.member}.${member}`,
      message,
    }));
}

interface UsageRow {
  readonly org_id: OrgId;
  readonly filters: number;
  readonly bytes: number;
}

interface GrowthRow {
  readonly line: number;
  readonly member: string;
  readonly org_id: OrgId;
  readonly is_new: boolean;
  /** Bytes of conditions. */
  readonly growth: number;
}
