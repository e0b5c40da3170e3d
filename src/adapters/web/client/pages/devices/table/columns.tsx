import type { ReactNode } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { DeviceStatus } from '#console/parts/display/device-status.tsx';
import { Meter } from '#console/parts/display/meter.tsx';
import { Time } from '#console/parts/display/time.tsx';
import type { DeviceSortKey } from '#domain/device/device-sort.ts';

export type ColumnId = keyof typeof words.devices.column;

export interface Column {
  readonly id: ColumnId;
  readonly width: number;
  readonly sortKey: DeviceSortKey | null;
  readonly exported: readonly string[];
  readonly render: (row: DeviceRow, context: RowContext) => ReactNode;
}

export interface RowContext {
  readonly organizations: ReadonlyMap<string, string>;
}

export const COLUMNS: readonly Column[] = [
  {
    id: 'name',
    width: 240,
    // Sorts by hostname, because every device has one.
    sortKey: 'hostname',
    exported: ['hostname', 'displayName'],
    render: (row) => nameOf(row),
  },
  {
    id: 'status',
    width: 150,
    sortKey: 'status',
    exported: ['status'],
    render: ({ status }) => <DeviceStatus status={status} />,
  },
  {
    id: 'os',
    width: 136,
    sortKey: 'osType',
    exported: ['osType', 'osVersion'],
    render: (row) => osText(row) ?? <None />,
  },
  {
    id: 'lastSeen',
    width: 104,
    sortKey: 'lastSeenAt',
    exported: ['lastSeenAt'],
    render: ({ lastSeenAt }) =>
      lastSeenAt === null ? <None text={words.devices.never} /> : <Time at={lastSeenAt} />,
  },
  {
    id: 'user',
    width: 118,
    sortKey: null,
    exported: ['lastUser'],
    render: ({ lastUser }) => lastUser ?? <None />,
  },
  {
    id: 'organization',
    width: 148,
    sortKey: null,
    exported: ['organization'],
    render: ({ orgId }, { organizations }) => organizations.get(orgId) ?? <None />,
  },
  percent('cpu', 'cpuPercent'),
  percent('ram', 'ramPercent'),
  percent('disk', 'diskPercent'),
  {
    id: 'displayName',
    width: 190,
    sortKey: 'displayName',
    exported: ['displayName'],
    render: ({ displayName }) => displayName ?? <None />,
  },
  {
    id: 'role',
    width: 120,
    sortKey: 'deviceRole',
    exported: ['deviceRole'],
    render: ({ deviceRole }) => deviceRole.replace('_', ' '),
  },
  {
    id: 'tags',
    width: 180,
    sortKey: null,
    exported: ['tags'],
    render: ({ tags }) => (tags.length === 0 ? <None /> : tags.join(', ')),
  },
  {
    id: 'enrolled',
    width: 116,
    sortKey: 'enrolledAt',
    exported: ['enrolledAt'],
    render: ({ enrolledAt }) => (enrolledAt === null ? <None /> : <Time at={enrolledAt} as="date" />),
  },
  {
    id: 'attention',
    width: 170,
    sortKey: null,
    exported: ['patches.pending', 'alerts.critical', 'system.rebootRequired'],
    render: (row) => {
      const reasons = ATTENTION.filter((reason) => row[reason]).map(
        (reason) => words.devices.attention[reason],
      );
      return reasons.length === 0 ? <None /> : reasons.join(', ');
    },
  },
];

export const FIXED_COLUMNS: readonly ColumnId[] = ['name', 'status'];

export const USUAL_COLUMNS: readonly ColumnId[] = [
  'name',
  'status',
  'os',
  'lastSeen',
  'user',
  'organization',
  'cpu',
  'ram',
  'disk',
];

/** The columns of an address and the fixed ones; unknown names are ignored. */
export function columnsOf(text: string | undefined): readonly Column[] {
  const named: readonly string[] = text === undefined ? USUAL_COLUMNS : text.split(',');
  return COLUMNS.filter(({ id }) => FIXED_COLUMNS.includes(id) || named.includes(id));
}

export function nameOf({ displayName, hostname }: Pick<DeviceRow, 'displayName' | 'hostname'>): string {
  return displayName ?? hostname;
}

const ATTENTION = ['alertsCritical', 'patchesPending', 'rebootRequired'] as const;

function percent(id: 'cpu' | 'ram' | 'disk', metric: keyof DeviceRow['metrics']): Column {
  return {
    id,
    width: 74,
    sortKey: `metrics.${metric}`,
    exported: [`metrics.${metric}`],
    render: ({ metrics }) => {
      const value = metrics[metric];
      return value === null ? <None /> : <Meter percent={value} isCompact />;
    },
  };
}

function None({ text = '—' }: { readonly text?: string }) {
  return <span className="soft">{text}</span>;
}

const NAMES = { windows: 'Windows', macos: 'macOS', linux: 'Linux' } as const;

/** Such as `Windows 11`; null if unknown. Some versions already include the system's name. */
export function osText({ osType, osVersion }: Pick<DeviceRow, 'osType' | 'osVersion'>): string | null {
  if (osType === null) return osVersion;
  const name = NAMES[osType];
  if (osVersion === null) return name;
  return /^\d/.test(osVersion) ? `${name} ${osVersion}` : osVersion;
}
