import { escapeIdentifier, escapeLiteral } from 'pg';
import { maintenancePolicies, removalPolicies } from './maintenance-policies.ts';
import { OWNER_TABLES, READER_TABLES, TABLE_POLICIES } from './table-policies.ts';

const APP_FUNCTIONS: readonly string[] = ['begin_initial_load', 'end_initial_load'];

export interface ServiceRoles {
  readonly app: string;
  /** May be exempt from the policies, but reads only `READER_TABLES`. */
  readonly reader: string;
}

/** Statements that replace all policies and grants. The owner runs them in one transaction, once all tables exist. */
export function securityStatements({ app, reader }: ServiceRoles): readonly string[] {
  const statements = [dropPolicies([...Object.keys(TABLE_POLICIES), ...OWNER_TABLES])];
  for (const [table, policy] of Object.entries(TABLE_POLICIES)) {
    const { grants, using, check, change, remove = change } = policy;
    statements.push(
      ...closeTable(table, [app, reader]),
      `grant ${grants} on ${table} to ${escapeIdentifier(app)}`,
      `create policy tenant on ${table} to ${escapeIdentifier(app)} using (${using}) with check (${check ?? using})`,
    );
    for (const [command, rows] of Object.entries({ update: change, delete: remove })) {
      if (rows === undefined) continue;
      statements.push(
        `create policy tenant_${command} on ${table} as restrictive for ${command} to ${escapeIdentifier(app)} using (${rows})`,
      );
    }
  }
  for (const table of OWNER_TABLES) {
    statements.push(
      ...closeTable(table, [app, reader]),
      `create policy owner_only on ${table} to current_user using (true)`,
    );
  }
  for (const table of READER_TABLES) {
    statements.push(
      `grant select on ${table} to ${escapeIdentifier(reader)}`,
      `create policy reader on ${table} for select to ${escapeIdentifier(reader)} using (true)`,
    );
  }
  statements.push(...maintenancePolicies(app), ...removalPolicies());
  statements.push(`grant select on mikro_orm_migrations to ${escapeIdentifier(app)}`);
  for (const name of APP_FUNCTIONS)
    statements.push(`grant execute on function ${name} to ${escapeIdentifier(app)}`);
  return statements;
}

function dropPolicies(tables: readonly string[]): string {
  return `do $$ declare p record; begin
      for p in select tablename, policyname from pg_policies
               where schemaname = current_schema() and tablename in (${tables.map(escapeLiteral).join(', ')}) loop
        execute format('drop policy %I on %I', p.policyname, p.tablename);
      end loop;
    end $$`;
}

/** Forces the policies, so they apply to the table's owner too. */
function closeTable(table: string, roles: readonly string[]): readonly string[] {
  return [
    `revoke all on ${table} from public, ${roles.map(escapeIdentifier).join(', ')}`,
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
  ];
}
