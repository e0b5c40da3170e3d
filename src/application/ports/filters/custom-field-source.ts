/** Reads the custom fields that apply to the organizations in reach (Contract: §3). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';

/**
 * Every definition that applies to an organization in reach, whether its own or its partner's, with the organizations
 * in reach that it applies to, ordered by key, then id. A partner's definitions are left out if none of its
 * organizations is in reach.
 */
export type CustomFieldSource = (scope: AccessScope) => Promise<readonly CustomFieldDefinition[]>;
