import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';

/**
 * Custom fields that apply in organizations in reach, including those of partners; `orgIds` lists these organizations.
 * Ordered by key, then id (Contract: §3).
 */
export type CustomFieldSource = (scope: AccessScope) => Promise<readonly CustomFieldDefinition[]>;
