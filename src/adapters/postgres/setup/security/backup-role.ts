/** A role for `pg_dump`. The owner cannot dump: the policies apply to it, and it has no scope. */
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { asOwner, type ConnectionOptions } from '#adapters/postgres/setup/connections/connection-config.ts';
import { isPrivilegeMissing } from '#adapters/postgres/setup/explain-failure.ts';
import type { BackupRole, BackupRoleOutcome, CreateBackupRole } from '#application/ports/backup-role.ts';
import { findRole, passwordStatement, roleMark, serviceRoleNames } from './service-roles.ts';

const SCHEMAS = 'public, audit_months';

export function makeCreateBackupRole(
  url: string,
  by: Pick<ConnectionOptions, 'isPooled'> = {},
): CreateBackupRole {
  return (password) =>
    asOwner(
      url,
      { ...by, applicationName: 'fleetsift backup role' },
      async (client): Promise<BackupRoleOutcome> => {
        const { owner, database } = await whoIsConnected(client);
        const role = serviceRoleNames(database).backup;
        const names = { role, owner, database };
        const given: BackupRole = { role, connection: { host: client.host, port: client.port, database } };
        const known = await findRole(client, role);
        if (known !== null && known.mark !== roleMark(database)) return { kind: 'taken', ...given };
        const statements = [
          ...(known === null ? creation(names, password) : []),
          ...(known?.bypassesPolicies === true
            ? []
            : [`alter role ${escapeIdentifier(role)} with bypassrls`]),
          ...grants(names),
        ];
        const isAllowed = await runTogether(client, statements);
        if (!isAllowed) return { kind: 'not-allowed', statements, ...given };
        return { kind: 'ready', password: known === null ? password : null, ...given };
      },
    );
}

interface Names {
  readonly role: string;
  readonly owner: string;
  readonly database: string;
}

async function whoIsConnected(client: Client): Promise<Omit<Names, 'role'>> {
  const { rows } = await client.query<Omit<Names, 'role'>>(
    'select current_user as owner, current_database() as database',
  );
  const [connected] = rows;
  if (connected === undefined) throw new Error('the server did not say who is connected');
  return connected;
}

function creation({ role, database }: Names, password: string): readonly string[] {
  return [
    `create role ${escapeIdentifier(role)} login`,
    passwordStatement({ role, password }),
    `comment on role ${escapeIdentifier(role)} is ${escapeLiteral(roleMark(database))}`,
  ];
}

/** Includes future tables, such as months of the audit log. */
function grants({ role, owner, database }: Names): readonly string[] {
  const to = `to ${escapeIdentifier(role)}`;
  const later = `alter default privileges for role ${escapeIdentifier(owner)} in schema ${SCHEMAS}`;
  return [
    `grant connect on database ${escapeIdentifier(database)} ${to}`,
    `grant usage on schema ${SCHEMAS} ${to}`,
    ...['tables', 'sequences'].flatMap((kind) => [
      `grant select on all ${kind} in schema ${SCHEMAS} ${to}`,
      `${later} grant select on ${kind} ${to}`,
    ]),
  ];
}

/** Runs all or none. Returns false if the owner lacks a privilege. */
async function runTogether(client: Client, statements: readonly string[]): Promise<boolean> {
  await client.query('begin');
  try {
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    if (!isPrivilegeMissing(error)) throw error;
    return false;
  }
}
