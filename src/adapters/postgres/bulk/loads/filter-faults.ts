/** Checks the saved filters of a load against the custom fields as the load leaves them. */
import type { PoolClient } from 'pg';
import {
  type CustomFieldRow,
  customFieldSource,
} from '#adapters/postgres/reads/filters/custom-field-source.ts';
import { makeCheckConditions } from '#application/filters/check-conditions.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { faultsForLoad } from '#domain/filter/conditions/filter-fault.ts';
import type { OrgId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';

interface StagedFilter {
  readonly line: number;
  readonly member: string;
  readonly org_id: OrgId;
  readonly conditions: string;
  readonly version: number | null;
}

/** The faults in line order, at most `MAX_FAULTS`. Called last, in the load's own transaction. */
export async function findFilterFaults(
  client: PoolClient,
  checkPatterns: PatternChecker,
): Promise<readonly FleetFault[]> {
  const check = makeCheckConditions({
    customFields: customFieldSource(async ({ text }) => (await client.query<CustomFieldRow>(text)).rows),
    checkPatterns,
  });
  const { rows } = await client.query<StagedFilter>(
    'select line, member, org_id, conditions, version from staged_saved_filter order by line, member',
  );
  const faults: FleetFault[] = [];
  for (const { line, member, org_id, conditions, version } of rows) {
    const checked = await check({ kind: 'organization', orgId: org_id }, JSON.parse(conditions), 'load');
    if (checked.ok) continue;
    for (const { path, message } of faultsForLoad(checked.error, version))
      faults.push({ line, member: `${member}.${path}`, message });
    if (faults.length >= MAX_FAULTS) break;
  }
  return faults.slice(0, MAX_FAULTS);
}
