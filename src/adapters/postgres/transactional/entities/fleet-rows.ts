import { ArrayType, defineEntity, p } from '@mikro-orm/core';
import {
  arrayText,
  customColumn,
  customDerivedColumn,
  type DerivedCustom,
  foldedCompanion,
} from '#adapters/postgres/derived-columns.ts';
import { idsOfOwner } from '#domain/access/ownership.ts';
import type { CustomValue, DeviceStatus } from '#domain/device/device.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import { namedIn } from '#domain/filter/catalog/inner-filters.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { AlertStatus, CustomFieldRecord, CustomFieldType, Owner } from '#domain/fleet/fleet-record.ts';
import type { AlertId, CustomFieldId, DeviceId, FilterId, OrgId, PartnerId, UserId } from '#domain/ids.ts';

const PartnerSchema = defineEntity({
  name: 'PartnerRow',
  tableName: 'partner',
  properties: {
    id: p.uuid().$type<PartnerId>().primary(),
    name: p.text(),
  },
});

export class PartnerRow extends PartnerSchema.class {}
PartnerSchema.setClass(PartnerRow);

const OrganizationSchema = defineEntity({
  name: 'OrganizationRow',
  tableName: 'organization',
  properties: {
    id: p.uuid().$type<OrgId>().primary(),
    partner: () => p.manyToOne(PartnerRow),
    name: p.text(),
  },
});

export class OrganizationRow extends OrganizationSchema.class {}
OrganizationSchema.setClass(OrganizationRow);

/** MikroORM's own type leaves some texts unquoted, but `arrayText` quotes all. */
class TextListType extends ArrayType<string> {
  override convertToDatabaseValue(value: string[]): string {
    return arrayText(value);
  }
}

/** The columns that people can change. Always update with the caller's scope in the `where`. */
const DeviceSchema = defineEntity({
  name: 'DeviceRow',
  tableName: 'device',
  properties: {
    id: p.uuid().$type<DeviceId>().primary(),
    orgId: p.uuid().$type<OrgId>(),
    displayName: p.text().strictNullable(),
    displayNameLc: p.text().strictNullable(),
    tags: p.type(TextListType).$type<string[]>(),
    custom: p.json<Readonly<Record<string, CustomValue>>>().strictNullable(),
    customDerived: p.json<DerivedCustom>().strictNullable(),
    status: p.text().$type<DeviceStatus>(),
  },
});

export class DeviceRow extends DeviceSchema.class {}
DeviceSchema.setClass(DeviceRow);

export function toChangeableDevice({
  id,
  orgId,
  displayName,
  tags,
  custom,
  status,
}: DeviceRow): ChangeableDevice {
  return { id, orgId, displayName, tags: [...tags], custom: new Map(Object.entries(custom ?? {})), status };
}

export function toDeviceColumns({ displayName, tags, custom, status }: ChangeableDevice) {
  return {
    ...{ displayName, displayNameLc: foldedCompanion(displayName) },
    ...{ custom: customColumn(custom), customDerived: customDerivedColumn(custom) },
    ...{ tags: [...tags], status },
  };
}

/** Always update with the caller's scope in the `where`. */
const AlertSchema = defineEntity({
  name: 'AlertRow',
  tableName: 'alert',
  properties: {
    id: p.uuid().$type<AlertId>().primary(),
    orgId: p.uuid().$type<OrgId>(),
    deviceId: p.uuid().$type<DeviceId>().strictNullable(),
    status: p.text().$type<AlertStatus>(),
  },
});

export class AlertRow extends AlertSchema.class {}
AlertSchema.setClass(AlertRow);

/** Always update with the caller's scope in the `where`. */
const CustomFieldSchema = defineEntity({
  name: 'CustomFieldRow',
  tableName: 'custom_field',
  properties: {
    id: p.uuid().$type<CustomFieldId>().primary(),
    orgId: p.uuid().$type<OrgId>().strictNullable(),
    partnerId: p.uuid().$type<PartnerId>().strictNullable(),
    key: p.text(),
    label: p.text(),
    type: p.text().$type<CustomFieldType>(),
    choices: p.type(TextListType).$type<string[]>(),
  },
});

export class CustomFieldRow extends CustomFieldSchema.class {}
CustomFieldSchema.setClass(CustomFieldRow);

export function toCustomField(row: CustomFieldRow): CustomFieldRecord {
  const { id, key, label: name, type, choices } = row;
  return { kind: 'customField', id, owner: ownerOf(row), key, name, type, choices: [...choices] };
}

export function toCustomFieldRow({ id, owner, key, name, type, choices }: CustomFieldRecord) {
  return { id, ...idsOfOwner(owner), key, label: name, type, choices: [...choices] };
}

export function ownerOf({
  id,
  orgId,
  partnerId,
}: Pick<CustomFieldRow, 'orgId' | 'partnerId'> & { readonly id: string }): Owner {
  if (orgId !== null) return { kind: 'organization', orgId };
  if (partnerId !== null) return { kind: 'partner', partnerId };
  throw new Error(`${id} has no owner`);
}

/** An update fails if the owner or version has changed since it was read (`concurrencyCheck`). */
const SavedFilterSchema = defineEntity({
  name: 'SavedFilterRow',
  tableName: 'saved_filter',
  properties: {
    id: p.uuid().$type<FilterId>().primary(),
    orgId: p.uuid().$type<OrgId>().strictNullable().concurrencyCheck(),
    partnerId: p.uuid().$type<PartnerId>().strictNullable().concurrencyCheck(),
    name: p.text(),
    description: p.text().strictNullable(),
    conditions: p.text(),
    createdBy: p.uuid().$type<UserId>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    version: p.integer().concurrencyCheck(),
    changedBy: p.uuid().$type<UserId>().strictNullable(),
    named: p.array((id) => id as FilterId).columnType('uuid[]'),
  },
});

export class SavedFilterRow extends SavedFilterSchema.class {}
SavedFilterSchema.setClass(SavedFilterRow);

export function toSavedFilter(row: SavedFilterRow): SavedFilter {
  return {
    id: row.id,
    orgId: row.orgId,
    partnerId: row.partnerId,
    name: row.name,
    description: row.description,
    conditionsJson: row.conditions,
    createdBy: row.createdBy,
    changedBy: row.changedBy,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
    version: row.version,
  };
}

export function toSavedFilterRow(filter: SavedFilter) {
  const { conditionsJson, createdAt, updatedAt, ...same } = filter;
  return {
    ...same,
    conditions: conditionsJson,
    named: [...namedIn(conditionsJson)],
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}
