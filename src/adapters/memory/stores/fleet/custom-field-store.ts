import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { CustomFieldReader, CustomFieldWriter } from '#application/ports/filters/custom-field-store.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import { isSameOwner, mayChangeFor, ownersInReach } from '#domain/access/ownership.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import type { CustomFieldRecord, OrganizationRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { CustomFieldId, OrgId } from '#domain/ids.ts';

export function makeCustomFieldReader(
  world: Pick<World, 'customFields' | 'organizations'>,
): CustomFieldReader {
  const reaches = (scope: AccessScope) =>
    ownersInReach(scope, (orgId) => world.organizations.get(orgId)?.partnerId);
  return {
    async list(scope) {
      const isInReach = reaches(scope);
      return [...world.customFields.values()]
        .filter(({ owner }) => isInReach(owner))
        .sort(compareByKeyThenId)
        .map(copyField);
    },
    async find(scope, id) {
      const field = world.customFields.get(id);
      return field !== undefined && reaches(scope)(field.owner) ? copyField(field) : null;
    },
  };
}

export function makeCustomFieldWriter(
  world: Pick<World, 'organizations' | 'partners'>,
  { customFields: fields }: Pick<StagedTables, 'customFields'>,
  scope: AccessScope,
): CustomFieldWriter {
  const exists = (owner: Owner) =>
    owner.kind === 'organization'
      ? world.organizations.has(owner.orgId)
      : world.partners.has(owner.partnerId);
  const fieldsOf = (owner: Owner) =>
    fields
      .values()
      .filter((field) => isSameOwner(field.owner, owner))
      .toArray();
  const mustFind = (id: CustomFieldId) => {
    const field = fields.get(id);
    if (field === null || !mayChangeFor(scope, field.owner))
      throw new Error(`there is no custom field ${id}`);
    return field;
  };
  return {
    async holdFieldsOf(owner) {
      const defined = fieldsOf(owner);
      if (!mayChangeFor(scope, owner) || !exists(owner)) return null;
      return defined.sort(compareByKeyThenId).map(copyField);
    },
    async add(field) {
      const isTaken =
        fields.get(field.id) !== null || fieldsOf(field.owner).some(({ key }) => key === field.key);
      if (isTaken) throw new Error(`custom field ${field.key} already exists`);
      if (!mayChangeFor(scope, field.owner) || !exists(field.owner)) {
        throw new Error(`the owner of custom field ${field.key} is out of reach`);
      }
      fields.set(field.id, copyField(field));
    },
    async replace({ id, name, choices }) {
      fields.set(id, { ...mustFind(id), name, choices: [...choices] });
    },
    async remove(id) {
      fields.delete(mustFind(id).id);
    },
  };
}

function copyField(field: CustomFieldRecord): CustomFieldRecord {
  return { ...field, owner: { ...field.owner }, choices: [...field.choices] };
}

interface CustomFieldTables {
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
function compareByKeyThenId(a: CustomFieldRecord, b: CustomFieldRecord): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
