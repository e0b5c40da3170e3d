/** Counts what is in a fleet on PostgreSQL, each time with one statement on one snapshot. */
import { ReadRefused } from '#adapters/postgres/reads/running/read-refusal.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { CountRefusal, CountRequest, FleetCounter } from '#application/ports/fleet/fleet-counter.ts';
import type { ListedOrganization, ListedPatch } from '#domain/fleet/fleet-lists.ts';
import { type DeviceTally, SummarySums, type UrgentSeverity } from '#domain/fleet/fleet-summary.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Longer statements name hundreds of organizations and are not worth keeping prepared, in characters. */
const MAX_NAMED_LENGTH = 10_000;

export function makeFleetCounter(reader: ScopedReader): FleetCounter {
  async function count<R extends object>(
    { onBehalfOf, signal }: CountRequest,
    statement: ScopedStatement,
  ): Promise<Result<readonly R[], CountRefusal>> {
    const isNamed = statement.text.length <= MAX_NAMED_LENGTH;
    const options = { onBehalfOf, isNamed, ...(signal !== undefined && { signal }) };
    try {
      return ok(await reader.read<R>(statement, options));
    } catch (error) {
      if (error instanceof ReadRefused && error.refusal.kind !== 'invalid-pattern') {
        return err({ kind: error.refusal.kind });
      }
      throw error;
    }
  }

  return {
    organizations: (request) =>
      count<ListedOrganization>(request, ScopedStatement.organizations(request.scope)),
    patches: (request, query) => count<ListedPatch>(request, ScopedStatement.patches(request.scope, query)),
    summary: async (request, since) => {
      const rows = await count<TallyRow>(request, ScopedStatement.tallies(request.scope, since));
      if (!rows.ok) return rows;
      const sums = new SummarySums();
      for (const row of rows.value) {
        if (row.severity === null) sums.addDevices({ ...row, devices: row.count });
        else sums.addAlerts({ severity: row.severity, alerts: row.count });
      }
      return ok(sums.summary);
    },
  };
}

interface AlertTallyRow {
  readonly severity: UrgentSeverity;
  readonly count: number;
}

interface DeviceTallyRow extends Omit<DeviceTally, 'devices'> {
  readonly severity: null;
  readonly count: number;
}

type TallyRow = AlertTallyRow | DeviceTallyRow;
