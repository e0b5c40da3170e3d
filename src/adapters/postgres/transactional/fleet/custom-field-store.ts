/** Changes custom fields. Filters read them through `reads/filters/custom-field-source.ts`. */
import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  CustomFieldRow,
  OrganizationRow,
  PartnerRow,
  toCustomField,
  toCustomFieldRow,
} from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import { changeable, lockSoon, type Orm, ownersInReach } from '#adapters/postgres/transactional/orm.ts';
import type { CustomFieldReader, CustomFieldWriter } from '#application/ports/filters/custom-field-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { idsOfOwner, mayChangeFor, ownerIdOf } from '#domain/access/ownership.ts';

import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { CustomFieldId } from '#domain/ids.ts';

export function makeCustomFieldReader(orm: Orm): CustomFieldReader {
  return {
    list: (scope) =>
      orm.withScope(scope, async (em) => {
        const rows = await em.find(CustomFieldRow, await ownersInReach(em, scope), BY_KEY);
        return rows.map(toCustomField);
      }),
    find: (scope, id) =>
      orm.withScope(scope, async (em) => {
        const row = await em.findOne(CustomFieldRow, { $and: [{ id }, await ownersInReach(em, scope)] });
        return row === null ? null : toCustomField(row);
      }),
  };
}

export function customFieldWriter(em: EntityManager, scope: AccessScope): CustomFieldWriter {
  const one = (id: CustomFieldId): FilterQuery<CustomFieldRow> => ({ $and: [{ id }, changeable(scope)] });
  return {
    holdFieldsOf: async (owner) => {
      if (!mayChangeFor(scope, owner) || !(await exists(em, owner))) return null;
      await lockSoon(em, () => em.execute(HOLD_FIELDS, [ownerIdOf(owner)]));
      // A new statement sees what earlier holders of the lock have committed.
      const rows = await em.find(CustomFieldRow, idsOfOwner(owner), { ...BY_KEY, refresh: true });
      return rows.map(toCustomField);
    },
    add: async (field) => {
      if (!mayChangeFor(scope, field.owner)) {
        throw new Error(`the owner of custom field ${field.key} is out of reach`);
      }
      em.create(CustomFieldRow, toCustomFieldRow(field));
      await em.flush();
    },
    // Managed rows are not used, because their updates and `em.remove` would name the id but not the scope.
    replace: async ({ id, name, choices }) => {
      await em.flush();
      const count = await em.nativeUpdate(CustomFieldRow, one(id), { label: name, choices: [...choices] });
      if (count !== 1) throw new Error(`there is no custom field ${id}`);
    },
    remove: async (id) => {
      await em.flush();
      const count = await em.nativeDelete(CustomFieldRow, one(id));
      if (count !== 1) throw new Error(`there is no custom field ${id}`);
    },
  };
}

const BY_KEY = { orderBy: { key: 'asc', id: 'asc' } } as const;

/** `bulk/loads/filter-faults.ts` takes the same lock. */
const HOLD_FIELDS = `select pg_advisory_xact_lock(hashtextextended('custom fields of ' || ?::text, 0))`;

async function exists(em: EntityManager, owner: Owner): Promise<boolean> {
  return owner.kind === 'organization'
    ? (await em.count(OrganizationRow, { id: owner.orgId })) > 0
    : (await em.count(PartnerRow, { id: owner.partnerId })) > 0;
}
