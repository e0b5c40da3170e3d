/**
 * Roles belong to the whole server, so their names include the database's, and a role that Fleetsift did not create is
 * never taken over.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { isPrivilegeMissing, UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ServiceRoles } from './row-level-security.ts';

/** PostgreSQL truncates longer names. */
const MAX_NAME_BYTES = 63;

const SUFFIXES = { app: '_app', reader: '_reader', backup: '_backup' } as const;

const LONGEST_SUFFIX = 7;

/** The names differ between all databases of a server, even if long names begin alike. */
export function serviceRoleNames(database: string): ServiceRoles & { readonly backup: string } {
  const longest = MAX_NAME_BYTES - LONGEST_SUFFIX;
  const digest = createHash('sha256').update(database).digest('hex').slice(0, 16);
  const bytes = Buffer.from(database);
  // `stream` drops a character that is cut in two.
  const beginning = new TextDecoder().decode(bytes.subarray(0, longest - digest.length - 1), {
    stream: true,
  });
  const prefix = bytes.length <= longest ? database : `${beginning}_${digest}`;
  return {
    app: `${prefix}${SUFFIXES.app}`,
    reader: `${prefix}${SUFFIXES.reader}`,
    backup: `${prefix}${SUFFIXES.backup}`,
  };
}

/**
 * Throws `UnusableDatabaseError` if the role exists without Fleetsift's mark. If `wasOurs`, accepts and marks
 * it, because databases may have been secured before roles were marked.
 */
export async function createServiceRole(
  owner: Client,
  database: string,
  role: string,
  wasOurs: boolean,
): Promise<void> {
  const mark = roleMark(database);
  const known = await findRole(owner, role);
  if (known === null) await owner.query(`create role ${escapeIdentifier(role)} login`);
  else if (known.mark !== mark && !wasOurs) {
    throw new UnusableDatabaseError(
      `The server already has a role "${role}" that Fleetsift did not create. Rename that role, or give the database another name.`,
    );
  }
  await owner.query(`comment on role ${escapeIdentifier(role)} is ${escapeLiteral(mark)}`);
}

export function roleMark(database: string): string {
  return `Made by Fleetsift for its database ${database}`;
}

export async function findRole(
  owner: Client,
  role: string,
): Promise<{ readonly mark: string | null; readonly bypassesPolicies: boolean } | null> {
  const { rows } = await owner.query<{ mark: string | null; bypassesPolicies: boolean }>(
    `select shobj_description(oid, 'pg_authid') as mark, rolbypassrls or rolsuper as "bypassesPolicies"
     from pg_roles where rolname = $1`,
    [role],
  );
  return rows[0] ?? null;
}

export function passwordStatement({ role, password }: { role: string; password: string }): string {
  return `alter role ${escapeIdentifier(role)} with login password ${escapeLiteral(password)}`;
}

/**
 * Exempts the reader role from row-level security, if the owner has the privilege. The role's policies admit
 * every row anyway, but under any policy PostgreSQL plans LIKE, `~`, `&&` and enum comparisons without
 * statistics. Must run in a transaction.
 */
export async function exemptReader(owner: Client, reader: string): Promise<void> {
  await owner.query('savepoint exempt');
  try {
    await owner.query(`alter role ${escapeIdentifier(reader)} with bypassrls`);
  } catch (error) {
    if (!isPrivilegeMissing(error)) throw error;
    await owner.query('rollback to savepoint exempt');
  }
}

/** Throws if either role is a superuser or the app role bypasses row-level security. */
export async function refusePrivileged(owner: Client, { app, reader }: ServiceRoles): Promise<void> {
  const { rows } = await owner.query<{ rolname: string }>(
    'select rolname from pg_roles where (rolname in ($1, $2) and rolsuper) or (rolname = $1 and rolbypassrls)',
    [app, reader],
  );
  if (rows.length > 0) {
    throw new UnusableDatabaseError(
      `The role ${rows.map(({ rolname }) => rolname).join(', ')} is a superuser or bypasses row-level security, and the service must not use it. Remove the attribute: alter role ... nosuperuser nobypassrls`,
    );
  }
}

/** Sets all variables that row-level security reads, so none keeps an earlier value. */
export function sessionVariables(scope: AccessScope): Readonly<Record<string, string>> {
  switch (scope.kind) {
    case 'organization':
      return { 'app.scope': 'organization', 'app.org_ids': scope.orgId, 'app.partner_id': '' };
    case 'partner':
      return {
        'app.scope': 'partner',
        'app.org_ids': scope.orgIds.join(','),
        'app.partner_id': scope.isWhole ? scope.partnerId : '',
      };
    case 'system':
      return { 'app.scope': 'system', 'app.org_ids': '', 'app.partner_id': '' };
    case 'none':
      return { 'app.scope': '', 'app.org_ids': '', 'app.partner_id': '' };
  }
}

/** Returns 32 random bytes in base64url, generated on the first call. Only the owner of the database can read them. */
export async function readSecret(owner: Client, name: string): Promise<string> {
  await owner.query(
    'insert into service_secret (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, randomBytes(32).toString('base64url')],
  );
  const { rows } = await owner.query<{ value: string }>('select value from service_secret where name = $1', [
    name,
  ]);
  const [secret] = rows;
  if (secret === undefined) throw new Error(`the secret ${name} cannot be read back`);
  return secret.value;
}
