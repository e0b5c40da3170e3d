import { lookUp } from '#adapters/postgres/reads/running/look-up.ts';
import { unlessGivenUp } from '#adapters/postgres/reads/running/read-refusal.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { MAX_NAMED_LENGTH } from '#adapters/postgres/reads/running/statement-runner.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { CountRefusal, CountRequest, FleetCounter } from '#application/ports/fleet/fleet-counter.ts';
import type { FleetLists } from '#application/ports/fleet/fleet-lists.ts';
import type { NamedThing, NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import type {
  ListedAlert,
  ListedOrganization,
  ListedPatch,
  ListedScript,
  ListedSite,
} from '#domain/fleet/fleet-lists.ts';
import { type DeviceTally, SummarySums, type UrgentSeverity } from '#domain/fleet/fleet-summary.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';

export function makeFleetLists(reader: ScopedReader): FleetLists {
  return {
    sites: (scope) => lookUp<ListedSite>(reader, scope, ScopedStatement.sites(scope)),
    alerts: async (scope, query) => {
      const rows = await lookUp<AlertRow>(reader, scope, ScopedStatement.alerts(scope, query));
      const { deviceId } = query;
      if (rows.length > 0 || deviceId === null) return rows.map(toAlert);
      const devices = await lookUp(reader, scope, ScopedStatement.devicePresence(scope, deviceId));
      return devices.length > 0 ? [] : null;
    },
    alert: async (scope, id) => {
      const [row] = await lookUp<AlertDetailsRow>(reader, scope, ScopedStatement.alert(scope, id));
      if (row === undefined) return null;
      const { organization_name: organizationName, hostname, ...alert } = row;
      return { ...toAlert(alert), organizationName, hostname };
    },
    scripts: async (scope, query) => {
      const rows = await lookUp<ScriptRow>(reader, scope, ScopedStatement.scripts(scope, query));
      return rows.map(toScript);
    },
  };
}

interface AlertRow extends Pick<ListedAlert, 'id' | 'title' | 'message' | 'severity' | 'status'> {
  readonly org_id: ListedAlert['orgId'];
  readonly device_id: ListedAlert['deviceId'];
  readonly device_name: string | null;
  readonly created_at: Date;
}

interface AlertDetailsRow extends AlertRow {
  readonly organization_name: string;
  readonly hostname: string | null;
}

function toAlert({ org_id, device_id, device_name, created_at, ...same }: AlertRow): ListedAlert {
  return {
    ...same,
    orgId: org_id,
    deviceId: device_id,
    deviceName: device_name,
    createdAt: created_at.getTime(),
  };
}

interface ScriptRow extends Pick<ListedScript, 'id' | 'name' | 'description'> {
  readonly org_id: OrgId | null;
  readonly partner_id: PartnerId | null;
}

function toScript({ org_id, partner_id, ...same }: ScriptRow): ListedScript {
  return {
    ...same,
    owner:
      org_id === null
        ? { kind: 'partner', partnerId: partner_id as PartnerId }
        : { kind: 'organization', orgId: org_id },
  };
}

export function makeNamesInReach(reader: ScopedReader): NamesInReach {
  return (scope, kind) => lookUp<NamedThing>(reader, scope, ScopedStatement.names(scope, kind));
}

export function makeFleetCounter(reader: ScopedReader): FleetCounter {
  function count<R extends object>(
    { onBehalfOf, signal }: CountRequest,
    statement: ScopedStatement,
  ): Promise<Result<readonly R[], CountRefusal>> {
    const isNamed = statement.text.length <= MAX_NAMED_LENGTH;
    return unlessGivenUp(() => reader.read<R>(statement, { onBehalfOf, isNamed, signal }));
  }

  return {
    organizations: (request) =>
      count<ListedOrganization>(request, ScopedStatement.organizations(request.scope)),
    patches: (request, query) => count<ListedPatch>(request, ScopedStatement.patches(request.scope, query)),
    alerts: async (request, selection) => {
      const statement = ScopedStatement.alertCount(request.scope, selection);
      const rows = await count<{ readonly count: number }>(request, statement);
      return rows.ok ? ok(rows.value[0]?.count ?? 0) : rows;
    },
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
