import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';

/**
 * Definitions of custom fields that apply in organizations in reach, including those of partners. Each lists
 * the organizations in `orgIds`. Ordered by key, then id (Contract: §3).
 */
export type CustomFieldSource = (scope: AccessScope) => Promise<readonly CustomFieldDefinition[]>;
