import type { DevicePage, DevicePageRequest } from '#application/ports/fleet/device-reader.ts';
import type { Device } from '#domain/device/device.ts';
import type { DeviceRow } from '#domain/device/device-row.ts';
import { readerOf } from './device-exporter.ts';

/** A row of `devicePageQuery`, with all columns as texts. */
export type PageRow = readonly [
  total: string | null,
  id: DeviceRow['id'] | null,
  orgId: DeviceRow['orgId'],
  siteId: DeviceRow['siteId'],
  hostname: string,
  displayName: string | null,
  status: Device['status'],
  osType: Device['osType'],
  osVersion: string | null,
  deviceRole: Device['deviceRole'],
  lastUser: string | null,
  tags: string,
  lastSeenMs: string | null,
  enrolledMs: string | null,
  cpuPercent: string | null,
  ramPercent: string | null,
  diskPercent: string | null,
  patchesPending: 't' | 'f',
  alertsCritical: 't' | 'f',
  rebootRequired: 't' | 'f',
  ...further: (string | null)[],
];

const ROW_LENGTH = 20;

export function toPage(
  rows: readonly PageRow[],
  { withCount, columns }: Pick<DevicePageRequest, 'withCount' | 'columns'>,
): DevicePage {
  const readers = columns.map(({ holds }) => readerOf(holds));
  const found = rows.filter(([, id]) => id !== null);
  return {
    devices: found.flatMap(toDeviceRow),
    values:
      columns.length === 0
        ? []
        : found.map((row) => readers.map((read, i) => read((row as Texts)[ROW_LENGTH + i] ?? null))),
    totalCount: withCount ? Number(rows[0]?.[0] ?? 0) : null,
  };
}

type Texts = readonly (string | null)[];

function toDeviceRow(row: PageRow): readonly DeviceRow[] {
  const [
    ,
    id,
    orgId,
    siteId,
    hostname,
    displayName,
    status,
    osType,
    osVersion,
    deviceRole,
    lastUser,
    ...rest
  ] = row;
  const [tags, lastSeenMs, enrolledMs, cpu, ram, disk, patchesPending, alertsCritical, rebootRequired] = rest;
  if (id === null) return [];
  return [
    {
      id,
      orgId,
      siteId,
      hostname,
      displayName,
      status,
      osType,
      osVersion,
      deviceRole,
      lastUser,
      tags: JSON.parse(tags),
      lastSeenAt: toNumber(lastSeenMs),
      enrolledAt: toNumber(enrolledMs),
      metrics: { cpuPercent: toNumber(cpu), ramPercent: toNumber(ram), diskPercent: toNumber(disk) },
      patchesPending: patchesPending === 't',
      alertsCritical: alertsCritical === 't',
      rebootRequired: rebootRequired === 't',
    },
  ];
}

function toNumber(text: string | null): number | null {
  return text === null ? null : Number(text);
}
