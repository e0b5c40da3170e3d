/** Table saved_filter. Rows stay in this adapter; `toSavedFilter` and `toSavedFilterRow` cross over. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId, OrgId, UserId } from '#domain/ids.ts';

export const SavedFilterRow = defineEntity({
  name: 'SavedFilterRow',
  tableName: 'saved_filter',
  properties: {
    id: p.uuid().primary(),
    orgId: p.uuid(),
    name: p.text(),
    description: p.text().nullable(),
    conditions: p.text(),
    createdBy: p.uuid(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    version: p.integer(),
  },
});

export function toSavedFilter(row: InferEntity<typeof SavedFilterRow>): SavedFilter {
  return {
    id: row.id as FilterId,
    orgId: row.orgId as OrgId,
    name: row.name,
    description: row.description ?? null,
    conditionsJson: row.conditions,
    createdBy: row.createdBy as UserId,
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
