/** How the in-process evaluator reads a column. The PostgreSQL adapter has its own SQL for it. */
import { assertNever } from '#domain/assert-never.ts';
import type { Device, NetworkInterface } from '#domain/device/device.ts';
import { readSoftware, valueReader } from '#domain/filter/evaluate/read-field.ts';
import type { OrgId, SiteId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/compare-code-points.ts';
import type { ExportColumn, ExportValue, ListColumnKey, OwnColumn } from './export-column.ts';

/** Names of organizations and sites; null if unknown. */
export interface OwnerNames {
  readonly organization: (id: OrgId) => string | null;
  readonly site: (id: SiteId) => string | null;
}

/** Returned lists are copies. */
export function columnReader(column: ExportColumn, names: OwnerNames): (device: Device) => ExportValue {
  switch (column.reads) {
    case 'value':
      return valueReader(column.field);
    case 'list':
      return LIST_READERS[column.key];
    case 'own':
      return ownReader(column, names);
    default:
      return assertNever(column);
  }
}

/** Rows without the value are left out. Software is sorted by code point, each name once. */
const LIST_READERS: Readonly<Record<ListColumnKey, (device: Device) => readonly string[]>> = {
  tags: (device) => [...device.tags],
  'tags.name': (device) => [...device.tags],
  'network.ipAddress': networkReader('ipAddress'),
  'network.publicIp': networkReader('publicIp'),
  'network.macAddress': networkReader('macAddress'),
  'software.installed': (device) => [...new Set(readSoftware(device))].sort(compareCodePoints),
};

function networkReader(member: keyof NetworkInterface): (device: Device) => readonly string[] {
  return ({ network }) => network.flatMap((row) => row[member] ?? []);
}

function ownReader({ key }: OwnColumn, names: OwnerNames): (device: Device) => string | null {
  switch (key) {
    case 'id':
      return ({ id }) => id;
    case 'organization':
      return ({ orgId }) => names.organization(orgId);
    case 'site':
      return ({ siteId }) => (siteId === null ? null : names.site(siteId));
    default:
      return assertNever(key);
  }
}
