import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';

/**
 * Definitions that apply to organizations in reach, including those of partners, each with the organizations it
 * applies to. Ordered by key, then id (Contract: §3).
 */
export type CustomFieldSource = (scope: AccessScope) => Promise<readonly CustomFieldDefinition[]>;
