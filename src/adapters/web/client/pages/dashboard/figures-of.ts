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
  readonly q: string;
}

interface AttentionFigure {
  readonly label: string;
  readonly countIn: (summary: Summary) => number;
  readonly q: string;
}

const said = words.dashboard;

export const NOT_SEEN_FIGURE: AttentionFigure = {
  label: said.notSeen7,
  countIn: ({ notSeen }) => notSeen.days7,
  q: 'seen:>7d seen:any -status:decommissioned',
};

export const PATCHES_FIGURE: AttentionFigure = {
  label: said.patchesPending,
  countIn: ({ patchesPending }) => patchesPending,
  q: 'patches.pending:yes -status:decommissioned',
};

export const PATCHES_UNKNOWN = 'patches.reported:no -status:decommissioned';

/** Filters leave out decommissioned devices, as the summary's counts do (Contract: §10). */
export const ATTENTION_FIGURES: readonly AttentionFigure[] = [
  NOT_SEEN_FIGURE,
  {
    label: said.notSeen30,
    countIn: ({ notSeen }) => notSeen.days30,
    q: 'seen:>30d seen:any -status:decommissioned',
  },
  { label: said.neverSeen, countIn: ({ neverSeen }) => neverSeen, q: 'seen:none -status:decommissioned' },
  PATCHES_FIGURE,
  {
    label: said.rebootRequired,
    countIn: ({ rebootRequired }) => rebootRequired,
    q: 'reboot:yes -status:decommissioned',
  },
];

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

/** Most frequent first; roles without devices are left out. */
export function roleFigures({ devices }: Summary): readonly Figure[] {
  return DEVICE_ROLES.map((role) => ({
    label: words.dashboard.roles[role],
    count: devices.byRole[role],
    q: `role:${role}`,
  }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}
