import type { ReactNode } from 'react';
import type { DevicePage, DeviceRow } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { DeviceStatus } from '#console/parts/display/device-status.tsx';
import { formatDate, formatDateTime, formatExact } from '#console/parts/display/format.ts';
import { Meter } from '#console/parts/display/meter.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import type { DeviceSortKey } from '#domain/device/device-sort.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';

type StaticId = keyof typeof words.devices.column;

export interface Column {
  /** A `StaticId`, or a field key such as `custom.room` or `software[Chrome].version`. */
  readonly id: string;
  readonly title: string;
  /** In pixels. The column gets narrower only if its content is narrower. */
  readonly width: number;
  readonly sortKey: DeviceSortKey | null;
  readonly exported: readonly string[];
  /** The key in `fields`; null if the value is a member of the device itself. */
  readonly field: string | null;
  readonly render: (row: ListedDevice, context: RowContext) => ReactNode;
}

export type ListedDevice = DevicePage['data'][number];

type FieldValue = NonNullable<ListedDevice['fields']>[string];

export interface RowContext {
  readonly organizations: ReadonlyMap<string, string>;
}

type RowColumn = Omit<Column, 'id' | 'title' | 'field'> & { readonly id: StaticId };

const ROW_COLUMNS: readonly RowColumn[] = [
  {
    id: 'name',
    width: 240,
    // Sorted by hostname, because not every device has a display name.
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

const FIELD_COLUMNS = {
  serial: 'hardware.serialNumber',
  model: 'hardware.model',
  ip: 'network.ipAddress',
  agent: 'agentVersion',
  site: 'site',
} as const satisfies Partial<Record<StaticId, string>>;

export const COLUMNS: readonly Column[] = [
  ...ROW_COLUMNS.map((column) => ({ ...column, title: words.devices.column[column.id], field: null })),
  ...(Object.entries(FIELD_COLUMNS) as [keyof typeof FIELD_COLUMNS, string][]).map(([id, field]) =>
    columnOfField(id, words.devices.column[id], field),
  ),
];

export const FIXED_COLUMNS: readonly string[] = ['name', 'status'];

export const USUAL_COLUMNS: readonly string[] = [
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

/** The API's limit (Contract: §10). */
export const MAX_FIELD_COLUMNS = 20;

/** Unknown columns are ignored. */
export function columnsOf(ids: readonly string[], catalog: FieldCatalog): readonly Column[] {
  const columns = [...new Set([...FIXED_COLUMNS, ...ids])].flatMap((id) => columnOf(id, catalog) ?? []);
  const further = columns.filter(({ field }) => field !== null).slice(MAX_FIELD_COLUMNS);
  return columns.filter((column) => !further.includes(column));
}

function columnOf(id: string, catalog: FieldCatalog): Column | null {
  const known = COLUMNS.find((column) => column.id === id);
  if (known !== undefined) return known;
  const title = titleOfVersions(id);
  if (title !== null) return columnOfField(id, title, id);
  const entry = id.startsWith('custom.') ? catalog.get(id) : undefined;
  return entry?.kind === 'field' ? columnOfField(id, entry.field.label, id) : null;
}

/** Reads the software title from `software[Chrome].version`; null for other columns. */
export function titleOfVersions(id: string): string | null {
  return /^software\[(.+)\]\.version$/su.exec(id)?.[1] ?? null;
}

function columnOfField(id: string, title: string, field: string): Column {
  return {
    ...{ id, title, field, width: 120, sortKey: null, exported: [field] },
    render: ({ fields }) => {
      const value = fields?.[field];
      if (value === undefined) return <Skeleton width="60%" />;
      return fieldText(value) ?? <None />;
    },
  };
}

function fieldText(value: FieldValue): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? words.devicePage.yes : words.devicePage.no;
  if (typeof value === 'number') return formatExact(value);
  if (typeof value !== 'string') return value.length === 0 ? null : value.join(', ');
  if (!isInstant(value)) return value;
  // Midnight UTC stands for a day, which has no time zone.
  return value.endsWith('T00:00:00.000Z')
    ? formatDate(new Date(value.slice(0, -1)))
    : formatDateTime(new Date(value));
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(text);
}

export function nameOf({ displayName, hostname }: Pick<DeviceRow, 'displayName' | 'hostname'>): string {
  return displayName ?? hostname;
}

const ATTENTION = ['alertsCritical', 'patchesPending', 'rebootRequired'] as const;

function percent(id: 'cpu' | 'ram' | 'disk', metric: keyof DeviceRow['metrics']): RowColumn {
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

/** The system's name is left out if the version includes it. */
export function osText({ osType, osVersion }: Pick<DeviceRow, 'osType' | 'osVersion'>): string | null {
  if (osType === null) return osVersion;
  const name = NAMES[osType];
  if (osVersion === null) return name;
  return /^\d/.test(osVersion) ? `${name} ${osVersion}` : osVersion;
}
