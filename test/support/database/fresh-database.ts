/** Databases for one test file each, on the server that all files share. */
import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import { provisionDatabase } from '#adapters/postgres/setup/provision.ts';

export interface FreshDatabase {
  /** The owner's connection string. */
  readonly url: string;
  /** Removes the database, even while clients are connected, and the roles that the service made for it. */
  drop(): Promise<void>;
}

/** Creates an empty database in UTF8, by default with the locale of the server. `adminUrl` names a superuser. */
export function createFreshDatabase(adminUrl: string, locale?: 'C'): Promise<FreshDatabase> {
  const how = locale === undefined ? '' : `locale_provider libc locale '${locale}'`;
  return createFrom(adminUrl, `template template0 encoding 'UTF8' ${how}`);
}

/**
 * Creates a migrated database, as a copy of the template of the run. On another server, which has no template, the
 * database is empty, and the first service that opens it migrates it.
 */
export async function createMigratedDatabase(adminUrl: string, template: string): Promise<FreshDatabase> {
  const isThere = await hasDatabase(adminUrl, template);
  return isThere
    ? createFrom(adminUrl, `template ${escapeIdentifier(template)}`)
    : createFreshDatabase(adminUrl);
}

/** Creates a migrated database to copy. Each copy gets separate roles and secrets when a service first opens it. */
export async function createTemplate(adminUrl: string): Promise<FreshDatabase & { readonly name: string }> {
  const template = await createFreshDatabase(adminUrl);
  const { roles } = await provisionDatabase({ url: template.url, migrate: true, secretNames: [] });
  const names = Object.values(roles).map(({ role }) => escapeIdentifier(role));
  await asAdmin(template.url, [
    `drop owned by ${names.join(', ')}`,
    `drop role ${names.join(', ')}`,
    'delete from service_secret',
  ]);
  return { ...template, name: new URL(template.url).pathname.slice(1) };
}

/** PostgreSQL's default, copying through the write-ahead log, takes four times as long. */
const AS_FILES = 'strategy file_copy';

async function createFrom(adminUrl: string, source: string): Promise<FreshDatabase> {
  const name = `fleetsift_test_${randomBytes(6).toString('hex')}`;
  await asAdmin(adminUrl, [`create database ${name} ${source} ${AS_FILES}`]);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      asAdmin(adminUrl, [
        `drop database if exists ${name} with (force)`,
        ...[`${name}_app`, `${name}_reader`, `${name}_backup`].map(
          (role) => `drop role if exists ${escapeIdentifier(role)}`,
        ),
      ]),
  };
}

async function hasDatabase(adminUrl: string, name: string): Promise<boolean> {
  return withAdmin(adminUrl, async (admin) => {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
    return rowCount === 1;
  });
}

function asAdmin(adminUrl: string, statements: readonly string[]): Promise<void> {
  return withAdmin(adminUrl, async (admin) => {
    for (const statement of statements) await admin.query(statement);
  });
}

async function withAdmin<T>(adminUrl: string, work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
