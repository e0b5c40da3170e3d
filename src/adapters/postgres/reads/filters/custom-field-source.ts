import { lookUp } from '#adapters/postgres/reads/running/look-up.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';

export type RunStatement = (
  statement: ScopedStatement,
  scope: AccessScope,
) => Promise<readonly CustomFieldRow[]>;

export interface CustomFieldRow extends Pick<CustomFieldDefinition, 'key' | 'label' | 'type' | 'choices'> {
  readonly is_partners: boolean;
  readonly org_ids: CustomFieldDefinition['orgIds'];
}

export function makeCustomFieldSource(reader: ScopedReader): CustomFieldSource {
  return customFieldSource((statement, scope) => lookUp(reader, scope, statement));
}

/** `run` chooses the connection, for example that of a bulk load. */
export function customFieldSource(run: RunStatement): CustomFieldSource {
  return async (scope) => (await run(ScopedStatement.customFields(scope), scope)).map(toDefinition);
}

function toDefinition({ is_partners, org_ids, ...same }: CustomFieldRow): CustomFieldDefinition {
  return { ...same, owner: is_partners ? 'partner' : 'organization', orgIds: org_ids };
}
