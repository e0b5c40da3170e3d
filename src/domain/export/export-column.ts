/** Columns of exports, and fields that lists add to a device (Contract: §10). */
import type { Device, NetworkInterface } from '#domain/device/device.ts';
import { softwareInOrder } from '#domain/device/installed-software.ts';
import type {
  ListFieldKey,
  PatchFieldKey,
  RowsFieldKey,
  ValueFieldKey,
} from '#domain/filter/catalog/core-fields.ts';
import { type FilterField, shownField, type ValueField } from '#domain/filter/catalog/field-catalog.ts';
import { titleOfKey } from '#domain/filter/catalog/title-versions.ts';
import { readSoftware, titlesReader, valueReader } from '#domain/filter/evaluate/read-field.ts';
import type { OrgId, SiteId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { equalsFolded } from '#domain/text/fold-case.ts';

/** A field's value or list, a title's versions, or the name of the organization or site. */
export type ExportColumn = ValueColumn | ListColumn | VersionsColumn | OwnColumn;

export interface ValueColumn {
  readonly reads: 'value';
  readonly key: string;
  readonly field: ValueField;
  /** An `elapsedDays` column holds the instant from which the days are counted. */
  readonly holds: 'text' | 'number' | 'boolean' | 'instant' | 'elapsedDays';
}

export interface ListColumn {
  readonly reads: 'list';
  readonly key: ListColumnKey;
  readonly holds: 'list';
}

/** Fields with several values per device. */
export type ListColumnKey = ListFieldKey | RowsFieldKey | PatchFieldKey | 'software.installed';

/** The installed versions of one title. The case of its name does not matter. */
export interface VersionsColumn {
  readonly reads: 'versions';
  readonly key: string;
  readonly foldedTitle: string;
  readonly holds: 'list';
}

/** A column that is no filter field: the name of the organization or site. */
export interface OwnColumn {
  readonly reads: 'own';
  readonly key: OwnColumnKey;
  readonly holds: 'text';
}

/** The names of organization and site. Their ids are filter fields. */
export const OWN_COLUMN_KEYS = ['organization', 'site'] as const;
export type OwnColumnKey = (typeof OWN_COLUMN_KEYS)[number];

/** A list is never null. Instants, including those of `elapsedDays`, are epoch milliseconds. */
export type ExportValue = string | number | boolean | null | readonly string[];

/** One device's values in column order. */
export type ExportRow = readonly ExportValue[];

/** The name of the organization or site. */
export function ownColumn(key: OwnColumnKey): OwnColumn {
  return { reads: 'own', key, holds: 'text' };
}

/** For `software[<title>].version`; null for other keys. */
export function versionsColumn(key: string): VersionsColumn | null {
  const title = titleOfKey(key);
  return title === null ? null : { reads: 'versions', key, foldedTitle: title.folded, holds: 'list' };
}

/** Null for `software.notInstalled` and `filter`, which have no values. */
export function fieldColumn(field: FilterField): ExportColumn | null {
  switch (field.reads) {
    case 'value':
      return { reads: 'value', key: field.key, field: shownField(field), holds: valueHeld(field) };
    case 'rows':
    case 'list':
    case 'patches':
      return { reads: 'list', key: field.source.key, holds: 'list' };
    case 'versions':
      return versionsColumn(field.key);
    case 'software':
      return field.source.key === 'software.installed'
        ? { reads: 'list', key: field.source.key, holds: 'list' }
        : null;
    case 'filter':
      return null;
  }
}

function valueHeld({ type, source }: ValueField): ValueColumn['holds'] {
  if (source.kind === 'core' && ELAPSED_DAYS.has(source.key)) return 'elapsedDays';
  switch (type) {
    case 'string':
    case 'enum':
    case 'version':
      return 'text';
    case 'number':
    case 'boolean':
      return type;
    case 'datetime':
      return 'instant';
  }
}

const ELAPSED_DAYS: ReadonlySet<ValueFieldKey> = new Set(['daysSinceLastSeen', 'daysSinceEnrolled']);

export interface OwnerNames {
  readonly organization: (id: OrgId) => string | null;
  readonly site: (id: SiteId) => string | null;
}

export function columnReader(column: ExportColumn, names: OwnerNames): (device: Device) => ExportValue {
  switch (column.reads) {
    case 'value':
      return valueReader(column.field);
    case 'list':
      return LIST_READERS[column.key];
    case 'versions':
      return versionsReader(column);
    case 'own':
      return ownReader(column, names);
  }
}

/** Missing values are left out. Software and patches are sorted, each name once. */
const LIST_READERS: Readonly<Record<ListColumnKey, (device: Device) => readonly string[]>> = {
  tags: (device) => [...device.tags],
  'tags.name': (device) => [...device.tags],
  'network.ipAddress': networkReader('ipAddress'),
  'network.publicIp': networkReader('publicIp'),
  'network.macAddress': networkReader('macAddress'),
  'software.installed': eachOnce(readSoftware),
  'patches.pendingTitle': eachOnce(titlesReader('patches.pendingTitle')),
  'patches.failedTitle': eachOnce(titlesReader('patches.failedTitle')),
};

function eachOnce(read: (device: Device) => readonly string[]): (device: Device) => readonly string[] {
  return (device) => [...new Set(read(device))].sort(compareCodePoints);
}

function networkReader(member: keyof NetworkInterface): (device: Device) => readonly string[] {
  return ({ network }) => network.flatMap((row) => row[member] ?? []);
}

function versionsReader({ foldedTitle }: VersionsColumn): (device: Device) => readonly string[] {
  const isTitle = equalsFolded(foldedTitle);
  return ({ software }) =>
    softwareInOrder(software.filter(({ name }) => isTitle(name))).flatMap(({ version }) => version ?? []);
}

function ownReader({ key }: OwnColumn, names: OwnerNames): (device: Device) => string | null {
  switch (key) {
    case 'organization':
      return ({ orgId }) => names.organization(orgId);
    case 'site':
      return ({ siteId }) => (siteId === null ? null : names.site(siteId));
  }
}
