/** Custom fields, read from the world or from another set of definitions. */
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import type { CustomFieldRecord, OrganizationRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';

export interface CustomFieldTables {
  readonly customFields: ReadonlyMap<unknown, CustomFieldRecord>;
  readonly organizations: ReadonlyMap<OrgId, OrganizationRecord>;
}

export function makeCustomFieldSource(tables: CustomFieldTables): CustomFieldSource {
  return async (scope) => {
    const inReach = organizationsInReach(tables.organizations, scope);
    const orgIdsByPartner = Map.groupBy(inReach, ({ partnerId }) => partnerId);
    const known = new Set(inReach.map(({ id }) => id));
    const speaksFor = (owner: Owner): readonly OrgId[] => {
      if (owner.kind === 'organization') return known.has(owner.orgId) ? [owner.orgId] : [];
      return orgIdsByPartner.get(owner.partnerId)?.map(({ id }) => id) ?? [];
    };
    return [...tables.customFields.values()]
      .sort(compareByKeyThenId)
      .flatMap(({ key, name, type, choices, owner }): CustomFieldDefinition[] => {
        const orgIds = speaksFor(owner);
        if (orgIds.length === 0) return [];
        return [{ key, label: name, type, choices: [...choices], owner: owner.kind, orgIds }];
      });
  };
}

function organizationsInReach(
  organizations: ReadonlyMap<OrgId, OrganizationRecord>,
  scope: AccessScope,
): readonly OrganizationRecord[] {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return [...organizations.values()];
  return orgIds.flatMap((orgId) => organizations.get(orgId) ?? []);
}

/** Keys are ASCII, so code unit order is code point order. */
export function compareByKeyThenId(a: CustomFieldRecord, b: CustomFieldRecord): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
