import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';

/**
 * Definitions that apply to organizations in reach, each with those organizations, by key, then id (Contract: §3).
 * Partners' definitions are included.
 */
export type CustomFieldSource = (scope: AccessScope) => Promise<readonly CustomFieldDefinition[]>;
