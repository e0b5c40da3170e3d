/** The changeable part of table device. Changes carry the scope in their own predicate. */
import { defineEntity, p } from '@mikro-orm/core';
import {
  customColumn,
  customDerivedColumn,
  type DerivedCustom,
  foldedCompanion,
} from '#adapters/postgres/derived-columns.ts';
import type { CustomValue, DeviceStatus } from '#domain/device/device.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { TextListType } from './text-list-type.ts';

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
