import type { Summary } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import {
  DEVICE_ROLES,
  DEVICE_STATUSES,
  type DeviceStatus,
  OS_TYPES,
  type OsType,
} from '#domain/device/device.ts';

export interface Figure {
  readonly label: string;
  readonly count: number;
  readonly q: string | null;
}

export interface StatusFigure extends Figure {
  readonly status: DeviceStatus;
}

export function statusFigures({ devices }: Summary): readonly StatusFigure[] {
  return DEVICE_STATUSES.map((status) => ({
    status,
    label: words.deviceStatuses[status],
    count: devices.byStatus[status],
    q: `status:${status}`,
  }));
}

export function osFigures({ devices }: Summary): readonly Figure[] {
  const known = OS_TYPES.map((os: OsType) => ({
    label: words.dashboard.systems[os],
    count: devices.byOsType[os],
    q: `os:${os}`,
  }));
  const others = devices.total - known.reduce((sum, { count }) => sum + count, 0);
  return [...known, { label: words.dashboard.otherSystem, count: others, q: `-os:${OS_TYPES.join(',')}` }];
}

/** Without empty roles, most frequent first. */
export function roleFigures({ devices }: Summary): readonly Figure[] {
  return DEVICE_ROLES.map((role) => ({
    label: words.dashboard.roles[role],
    count: devices.byRole[role],
    q: `role:${role}`,
  }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}
