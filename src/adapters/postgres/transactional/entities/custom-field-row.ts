/** Table custom_field. Changes carry the scope in their own predicate. */
import { defineEntity, p } from '@mikro-orm/core';
import type { CustomFieldRecord, CustomFieldType, Owner } from '#domain/fleet/fleet-record.ts';
import type { CustomFieldId, OrgId, PartnerId } from '#domain/ids.ts';
import { TextListType } from './text-list-type.ts';

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
  return { id, ...ownerColumns(owner), key, label: name, type, choices: [...choices] };
}

/** One of the two is null; usable as a condition or as columns. */
export function ownerColumns(owner: Owner) {
  return {
    orgId: owner.kind === 'organization' ? owner.orgId : null,
    partnerId: owner.kind === 'partner' ? owner.partnerId : null,
  };
}

function ownerOf({ id, orgId, partnerId }: CustomFieldRow): Owner {
  if (orgId !== null) return { kind: 'organization', orgId };
  if (partnerId !== null) return { kind: 'partner', partnerId };
  throw new Error(`custom field ${id} has no owner`);
}
