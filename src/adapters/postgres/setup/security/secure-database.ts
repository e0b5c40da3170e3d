import { createHash } from 'node:crypto';
import { type Client, escapeIdentifier } from 'pg';
import {
  type DatabaseConnection,
  makeClient,
} from '#adapters/postgres/setup/connections/connection-config.ts';
import { type Patience, withTablesLocked } from '#adapters/postgres/setup/exclusive-tables.ts';
import { UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';
import { type ServiceRoles, securityStatements } from './row-level-security.ts';
import {
  createServiceRole,
  exemptReader,
  passwordStatement,
  readSecret,
  refusePrivileged,
  serviceRoleNames,
} from './service-roles.ts';
import { READER_TABLES } from './table-policies.ts';

export type RoleCredentials = Readonly<
  Record<keyof ServiceRoles, { readonly role: string; readonly password: string }>
>;

export interface SecureOptions extends Patience {
  readonly migrate: boolean;
}

/**
 * Does nothing if the last run used the same statements. Throws `UnusableDatabaseError` if a change is needed
 * but `migrate` is false, or if a role has become privileged.
 */
export async function secureDatabase(
  owner: Client,
  database: string,
  { migrate: mayChange, ...patience }: SecureOptions,
  connectAs: (credentials: RoleCredentials['app']) => DatabaseConnection,
): Promise<RoleCredentials> {
  const { app, reader } = serviceRoleNames(database);
  const names: ServiceRoles = { app, reader };
  const roles = {
    app: { role: names.app, password: await readSecret(owner, 'role_password_app') },
    reader: { role: names.reader, password: await readSecret(owner, 'role_password_reader') },
  };
  const statements = [
    ...Object.values(roles).map(passwordStatement),
    ...securityStatements(names),
    `grant connect, temporary on database ${escapeIdentifier(database)} to ${escapeIdentifier(names.app)}`,
    `grant connect on database ${escapeIdentifier(database)} to ${escapeIdentifier(names.reader)}`,
    `grant usage on schema public to ${escapeIdentifier(names.app)}, ${escapeIdentifier(names.reader)}`,
  ];
  const digest = createHash('sha256').update(statements.join(';')).digest('hex');
  const before = await readState(owner, names);
  if (!mayChange && !before.isUsable) {
    throw new UnusableDatabaseError(
      'The database lacks roles or grants that the service works with, and MIGRATE is off. Run: npm run fleetsift -- migrate',
    );
  }
  if (mayChange && !(before.isUsable && before.digest === digest)) {
    await withTablesLocked(owner, patience, async () => {
      for (const role of Object.values(names)) {
        await createServiceRole(owner, database, role, before.digest !== null);
      }
      // All statements go in one message: round trips for hundreds would take most of the time.
      await owner.query(statements.join(';\n'));
      await exemptReader(owner, names.reader);
      await owner.query(
        `insert into service_secret (name, value) values ('security_digest', $1)
           on conflict (name) do update set value = excluded.value`,
        [digest],
      );
    });
  }
  await refusePrivileged(owner, names);
  await resetPasswords(owner, database, roles, mayChange, connectAs);
  return roles;
}

/**
 * Sets the passwords that the server rejects. Roles belong to the whole server, so after a restore they may have the
 * passwords of another database.
 */
async function resetPasswords(
  owner: Client,
  database: string,
  roles: RoleCredentials,
  mayChange: boolean,
  connectAs: (credentials: RoleCredentials['app']) => DatabaseConnection,
): Promise<void> {
  const rejected: RoleCredentials['app'][] = [];
  for (const credentials of Object.values(roles)) {
    if (await isRejected(connectAs(credentials))) rejected.push(credentials);
  }
  if (rejected.length === 0) return;
  if (!mayChange) {
    throw new UnusableDatabaseError(
      `The server rejects the passwords that the database holds for ${rejected.map(({ role }) => role).join(', ')}, which happens after a dump is restored, and MIGRATE is off. Run: npm run fleetsift -- migrate`,
    );
  }
  for (const credentials of rejected) {
    // Throws if the role was made by another program.
    await createServiceRole(owner, database, credentials.role, false);
    await owner.query(passwordStatement(credentials));
  }
}

/** A server that does not answer has rejected nothing. */
async function isRejected(connection: DatabaseConnection): Promise<boolean> {
  const client = makeClient(connection);
  try {
    await client.connect();
    return false;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) return false;
    return REJECTIONS.has(error.code) || (error.code === '08P01' && POOLER_REJECTION.test(error.message));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Wrong password, and a role that may not log in. */
const REJECTIONS: ReadonlySet<unknown> = new Set(['28P01', '28000']);

/** PgBouncer has one code (protocol_violation) for all errors. */
const POOLER_REJECTION = /authentication failed/;

interface SecurityState {
  /** The digest of the statements that last secured the database; null if none did. */
  readonly digest: string | null;
  readonly isUsable: boolean;
}

async function readState(owner: Client, { app, reader }: ServiceRoles): Promise<SecurityState> {
  const { rows } = await owner.query<{ digest: string | null; roles: number; lacking: number }>(
    `select (select value from service_secret where name = 'security_digest') as digest,
            (select count(*)::int from pg_roles where rolname in ($1, $2)) as roles,
            (select count(*)::int from pg_roles r, unnest($3::text[]) as t(name)
             where r.rolname = $2 and not has_table_privilege(r.oid, t.name, 'select')) as lacking`,
    [app, reader, READER_TABLES],
  );
  const { digest = null, roles = 0, lacking = 0 } = rows[0] ?? {};
  return { digest, isUsable: digest !== null && roles === 2 && lacking === 0 };
}
