/** The custom fields that are defined for the organizations in reach. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';

/**
 * Every definition, an organization's own and its partner's, with the organizations in reach that it speaks for;
 * those of a partner whose organizations are all out of reach are left out. Ordered by key, then id.
 */
export type CustomFieldSource = (scope: AccessScope) => Promise<readonly CustomFieldDefinition[]>;
