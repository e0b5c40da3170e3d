/** Checks the conditions of loaded filters and the quotas of their owners (Contract: §5, §18). */
import type { PoolClient } from 'pg';
import {
  type CustomFieldRow,
  customFieldSource,
} from '#adapters/postgres/reads/filters/custom-field-source.ts';
import {
  type RunStatement,
  relyingOn,
  withInner,
} from '#adapters/postgres/reads/filters/saved-filter-reader.ts';
import { makeCheckConditions } from '#application/filters/check-conditions.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { type AccessScope, NO_SCOPE } from '#domain/access/access-scope.ts';
import { ownerIdOf } from '#domain/access/ownership.ts';
import { namedIn } from '#domain/filter/catalog/inner-filters.ts';
import { faultsForLoad } from '#domain/filter/conditions/filter-fault.ts';
import { type FilterLink, findLinkFault } from '#domain/filter/filter-links.ts';
import { findQuotaFaults } from '#domain/filter/filter-quota.ts';
import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';

interface StagedFilter {
  readonly line: number;
  readonly member: string;
  readonly id: FilterId;
  readonly name: string;
  readonly named: readonly FilterId[];
  readonly org_id: OrgId | null;
  readonly partner_id: PartnerId | null;
  readonly org_ids: readonly OrgId[];
  readonly conditions: string;
  readonly version: number | null;
}

/** Returns at most `MAX_FAULTS`, in line order. Must run after the load has written its custom fields. */
export async function findFilterFaults(
  client: PoolClient,
  checkPatterns: PatternChecker,
): Promise<readonly FleetFault[]> {
  const run: RunStatement = async ({ text, values }) => (await client.query(text, [...values])).rows;
  const check = makeCheckConditions({
    customFields: customFieldSource(async ({ text }) => (await client.query<CustomFieldRow>(text)).rows),
    checkPatterns,
    filters: { withInner: (scope, ids) => withInner(run, scope, ids) },
    // Never called. It serves only the system scope, but each filter is checked in the scope of its owner.
    organizationsOf: async () => [],
  });
  const { rows } = await client.query<StagedFilter>(
    `select line, member, id, name, named::text[] as named, org_id, partner_id, conditions, version,
       array(select o.id::text from organization o where o.partner_id = s.partner_id) as org_ids
     from staged_saved_filter s order by line, member`,
  );
  const faults: FleetFault[] = [];
  for (const row of rows) {
    const { line, member, conditions, version } = row;
    const scope = scopeOf(row);
    const checked = await check(scope, JSON.parse(conditions), 'load', { owner: ownerOf(row) });
    for (const { path, message } of checked.ok ? [] : faultsForLoad(checked.error, version))
      faults.push({ line, member: `${member}.${path}`, message });
    const message = row.named.length === 0 ? null : await findChainFault(run, scope, row);
    if (message !== null) faults.push({ line, member: `${member}.conditions`, message });
    if (faults.length >= MAX_FAULTS) break;
  }
  return faults.slice(0, MAX_FAULTS);
}

async function findChainFault(
  run: RunStatement,
  scope: AccessScope,
  filter: StagedFilter,
): Promise<string | null> {
  const inner: FilterLink[] = [];
  for await (const each of withInner(run, scope, filter.named)) {
    inner.push({ ...each, named: namedIn(each.conditionsJson) });
  }
  return findLinkFault(filter, inner, await relyingOn(run, scope, filter.id))?.message ?? null;
}

function ownerOf({ id, org_id: orgId, partner_id: partnerId }: StagedFilter): Owner | null {
  return orgId === null && partnerId === null ? null : ownerOfFilter({ id, orgId, partnerId });
}

function scopeOf({ org_id, partner_id, org_ids }: StagedFilter): AccessScope {
  if (org_id !== null) return { kind: 'organization', orgId: org_id };
  return partner_id === null
    ? NO_SCOPE
    : { kind: 'partner', partnerId: partner_id, orgIds: org_ids, isWhole: true };
}

/**
 * Until the load ends, nobody else can define custom fields for an owner of loaded fields. To prevent
 * deadlocks, call this before any row lock, as `transactional/fleet/custom-field-store.ts` does.
 */
export async function holdCustomFields(client: PoolClient): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(hashtextextended('custom fields of ' || owner, 0))
     from (select distinct coalesce(org_id, partner_id)::text as owner from staged_custom_field order by owner) s`,
  );
}

/**
 * Until the load ends, nobody else can change which filters of the same partners name each other. Call this
 * before `holdFilterUsage`, as `transactional/fleet/saved-filter-store.ts` does.
 */
export async function holdFilterLinks(client: PoolClient): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(hashtextextended('links of filters of ' || partner, 0))
     from (select distinct coalesce(s.partner_id, o.partner_id)::text as partner
       from staged_saved_filter s left join organization o on o.id = s.org_id where s.named <> '{}' order by partner) s`,
  );
}

/**
 * Until the load ends, nobody else can add filters to an owner of loaded filters. To prevent deadlocks, call
 * this before any row lock, as `transactional/fleet/saved-filter-store.ts` does.
 */
export async function holdFilterUsage(client: PoolClient): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(hashtextextended('filters of ' || owner, 0))
     from (select distinct coalesce(org_id, partner_id)::text as owner from staged_saved_filter order by owner) s`,
  );
}

/** Returns at most `MAX_FAULTS`, in line order. Must run before any filter is written. */
export async function findFilterQuotaFaults(client: PoolClient): Promise<readonly FleetFault[]> {
  const { rows: usages } = await client.query<UsageRow>(
    `select coalesce(org_id, partner_id) as owner_id, count(*)::integer as filters,
       sum(octet_length(conditions))::float8 as bytes
     from saved_filter where org_id in (select org_id from staged_saved_filter)
       or partner_id in (select partner_id from staged_saved_filter)
     group by owner_id`,
  );
  const used = new Map(
    usages.map(({ owner_id, filters, bytes }) => [owner_id, { filters, conditionBytes: bytes }]),
  );
  const { rows } = await client.query<GrowthRow>(
    `select s.line, s.member, s.id, s.org_id, s.partner_id, (t.id is null) as is_new,
       octet_length(s.conditions) - coalesce(octet_length(t.conditions), 0) as growth
     from staged_saved_filter s left join saved_filter t on t.id = s.id
     order by s.line, s.member`,
  );
  const changes = rows.map(({ line, member, id, org_id: orgId, partner_id: partnerId, is_new, growth }) => {
    const owner = ownerOfFilter({ id, orgId, partnerId });
    return { line, member, owner, filters: is_new ? 1 : 0, conditionBytes: growth };
  });
  return findQuotaFaults(changes, (owner) => used.get(ownerIdOf(owner)) ?? { filters: 0, conditionBytes: 0 })
    .slice(0, MAX_FAULTS)
    .map(({ change, member, message }) => ({
      line: change.line,
      member: `${change.member}.${member}`,
      message,
    }));
}

interface UsageRow {
  readonly owner_id: OrgId | PartnerId;
  readonly filters: number;
  readonly bytes: number;
}

interface GrowthRow {
  readonly line: number;
  readonly member: string;
  readonly id: FilterId;
  readonly org_id: OrgId | null;
  readonly partner_id: PartnerId | null;
  readonly is_new: boolean;
  readonly growth: number;
}
