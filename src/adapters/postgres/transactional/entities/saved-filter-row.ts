/** Table saved_filter. Updates repeat the organization and version that were read. */
import { defineEntity, p } from '@mikro-orm/core';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId, OrgId, UserId } from '#domain/ids.ts';

const SavedFilterSchema = defineEntity({
  name: 'SavedFilterRow',
  tableName: 'saved_filter',
  properties: {
    id: p.uuid().$type<FilterId>().primary(),
    orgId: p.uuid().$type<OrgId>().concurrencyCheck(),
    name: p.text(),
    description: p.text().strictNullable(),
    conditions: p.text(),
    createdBy: p.uuid().$type<UserId>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    version: p.integer().concurrencyCheck(),
  },
});

export class SavedFilterRow extends SavedFilterSchema.class {}
SavedFilterSchema.setClass(SavedFilterRow);

export function toSavedFilter(row: SavedFilterRow): SavedFilter {
  return {
    id: row.id,
    orgId: row.orgId,
    name: row.name,
    description: row.description,
    conditionsJson: row.conditions,
    createdBy: row.createdBy,
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
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}
