import type { StagedMap } from '#adapters/memory/tables/staged-map.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { CustomFieldReader, CustomFieldWriter } from '#application/ports/filters/custom-field-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { ownersInReach } from '#domain/access/owners-in-reach.ts';
import { mayChangeFor } from '#domain/access/resolve-owner.ts';
import type { CustomFieldRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { CustomFieldId } from '#domain/ids.ts';
import { compareByKeyThenId } from './custom-field-source.ts';

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
  fields: StagedMap<CustomFieldId, CustomFieldRecord>,
  scope: AccessScope,
): CustomFieldWriter {
  const exists = (owner: Owner) =>
    owner.kind === 'organization'
      ? world.organizations.has(owner.orgId)
      : world.partners.has(owner.partnerId);
  const fieldsOf = (owner: Owner) =>
    [...fields.entries()].map(([, field]) => field).filter((field) => isSameOwner(field.owner, owner));
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

function isSameOwner(a: Owner, b: Owner): boolean {
  return a.kind === 'organization'
    ? b.kind === 'organization' && a.orgId === b.orgId
    : b.kind === 'partner' && a.partnerId === b.partnerId;
}

function copyField(field: CustomFieldRecord): CustomFieldRecord {
  return { ...field, owner: { ...field.owner }, choices: [...field.choices] };
}
