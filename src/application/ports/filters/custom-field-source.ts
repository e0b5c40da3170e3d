import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';

/**
 * Definitions of custom fields that apply in organizations in reach, by key, then id (Contract: §3). They
 * include definitions of partners. `orgIds` are the organizations in reach where a definition applies.
 */
export type CustomFieldSource = (scope: AccessScope) => Promise<readonly CustomFieldDefinition[]>;
