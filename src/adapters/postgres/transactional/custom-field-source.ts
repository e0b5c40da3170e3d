/** Custom field definitions on PostgreSQL. Row-level security shows an organization its own and its partner's. */
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import type { Orm } from './orm.ts';

export function makeCustomFieldSource(orm: Orm): CustomFieldSource {
  return (scope) =>
    orm.withScope(scope, (tx) =>
      queryCustomFields(scope, (sql, values) =>
        tx.execute<DefinitionRow[]>(sql.replace('$1', '?'), [...values]),
      ),
    );
}

export interface DefinitionRow extends Omit<CustomFieldDefinition, 'owner'> {
  readonly isPartners: boolean;
}

/** The definitions, read through a query that runs within the scope. */
export async function queryCustomFields(
  scope: AccessScope,
  query: (sql: string, values: string[]) => Promise<readonly DefinitionRow[]>,
): Promise<readonly CustomFieldDefinition[]> {
  const orgIds = reachableOrgIds(scope);
  const rows = await query(
    `select f.key, f.label, f.type::text, f.choices, f.partner_id is not null as "isPartners",
            array_agg(o.id::text order by o.id) as "orgIds"
     from custom_field f
     join organization o on o.id = f.org_id or o.partner_id = f.partner_id
     ${orgIds === null ? '' : `where o.id = any(string_to_array($1, ',')::uuid[])`}
     group by f.id order by f.key, f.id`,
    orgIds === null ? [] : [orgIds.join(',')],
  );
  return rows.map(({ isPartners, ...same }) => ({ ...same, owner: isPartners ? 'partner' : 'organization' }));
}
