import type { StoredAlert, World } from '#adapters/memory/tables/world.ts';
import type { AlertSelection, FleetLists } from '#application/ports/fleet/fleet-lists.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import { ownersInReach } from '#domain/access/ownership.ts';
import {
  compareAlerts,
  compareScripts,
  type ListedAlert,
  type ListedScript,
  type ScriptPosition,
} from '#domain/fleet/fleet-lists.ts';
import type { ScriptRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId } from '#domain/ids.ts';
import { containsFolded, sortedName } from '#domain/text/fold-case.ts';
import { TopItems } from './top-items.ts';

type ListedWorld = Pick<World, 'sites' | 'alerts' | 'scripts' | 'devices' | 'organizations'>;

export function makeFleetLists(world: ListedWorld): FleetLists {
  function nameOf(deviceId: DeviceId | null, scope: AccessScope): string | null {
    const device = deviceId === null ? undefined : world.devices.get(deviceId);
    const isInReach = device !== undefined && canReach(scope, device.orgId);
    return isInReach ? device.displayName || device.hostname : null;
  }

  return {
    sites: async (scope) =>
      [...world.sites.values()]
        .filter(({ orgId }) => canReach(scope, orgId))
        .map(({ id, orgId, name }) => ({ id, orgId, name })),

    alerts: async (scope, { after, limit, ...selection }) => {
      const { deviceId } = selection;
      const isSelected = selectAlerts(selection);
      const device = deviceId === null ? null : world.devices.get(deviceId);
      if (device === undefined || (device !== null && !canReach(scope, device.orgId))) return null;
      const first = new TopItems<StoredAlert>(limit, compareAlerts);
      for (const alert of world.alerts.values()) {
        const isWanted =
          canReach(scope, alert.orgId) &&
          isSelected(alert) &&
          (after === null || compareAlerts(after, alert) < 0);
        if (isWanted) first.add(alert);
      }
      return first.first.map((alert) => toListedAlert(alert, nameOf(alert.deviceId, scope)));
    },

    alert: async (scope, id) => {
      const alert = world.alerts.get(id);
      if (alert === undefined || !canReach(scope, alert.orgId)) return null;
      const deviceName = nameOf(alert.deviceId, scope);
      const hostname =
        deviceName === null ? undefined : world.devices.get(alert.deviceId as DeviceId)?.hostname;
      return {
        ...toListedAlert(alert, deviceName),
        organizationName: world.organizations.get(alert.orgId)?.name ?? '',
        hostname: hostname ?? null,
      };
    },

    scripts: async (scope, { foldedText, after, limit }) => {
      const isIn = containsFolded(foldedText);
      const reachesOwner = ownersInReach(scope, (orgId) => world.organizations.get(orgId)?.partnerId);
      const first = new TopItems<Placed>(limit, compareScripts);
      for (const script of world.scripts.values()) {
        const placed = { id: script.id, name: sortedName(script.name), script };
        const isWanted =
          reachesOwner(script.owner) &&
          (isIn(script.name) || isIn(script.description ?? '')) &&
          (after === null || compareScripts(after, placed) < 0);
        if (isWanted) first.add(placed);
      }
      return first.first.map(({ script }) => toListedScript(script));
    },
  };
}

export function selectAlerts({
  foldedText,
  status,
  severity,
  deviceId,
}: AlertSelection): (alert: StoredAlert) => boolean {
  const isIn = containsFolded(foldedText);
  return (alert) =>
    (isIn(alert.title) || isIn(alert.message ?? '')) &&
    (status === null || alert.status === status) &&
    (severity === null || alert.severity === severity) &&
    (deviceId === null || alert.deviceId === deviceId);
}

interface Placed extends ScriptPosition {
  readonly script: ScriptRecord;
}

function toListedAlert({ kind: _kind, ...alert }: StoredAlert, deviceName: string | null): ListedAlert {
  return { ...alert, deviceName };
}

function toListedScript({ kind: _kind, ...script }: ScriptRecord): ListedScript {
  return { ...script, owner: { ...script.owner } };
}
