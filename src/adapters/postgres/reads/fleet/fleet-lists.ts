/** The lists of a fleet on PostgreSQL. */
import { lookUp } from '#adapters/postgres/reads/running/look-up.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { FleetLists } from '#application/ports/fleet/fleet-lists.ts';
import type { ListedAlert, ListedScript, ListedSite } from '#domain/fleet/fleet-lists.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';

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

function toAlert({ org_id, device_id, device_name, created_at, ...same }: AlertRow): ListedAlert {
  return {
    ...same,
    orgId: org_id,
    deviceId: device_id,
    deviceName: device_name,
    createdAt: created_at.getTime(),
  };
}

/** It belongs to one of the two. */
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
