/** Definitions of custom fields (Contract: §10). */
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';

/** `{data: [field]}`. */
export function presentCustomFields(fields: readonly CustomFieldRecord[]): string {
  return JSON.stringify({ data: fields.map(toBody) });
}

/** `{id, orgId | partnerId, key, name, type, choices?}`; only dropdowns have choices. */
export function presentCustomField(field: CustomFieldRecord): string {
  return JSON.stringify(toBody(field));
}

function toBody({ id, owner, key, name, type, choices }: CustomFieldRecord): object {
  const of = owner.kind === 'organization' ? { orgId: owner.orgId } : { partnerId: owner.partnerId };
  return { id, ...of, key, name, type, ...(type === 'dropdown' && { choices }) };
}
