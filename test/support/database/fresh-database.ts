/** Databases that a test file has for itself, on the server that the files share. */
import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';

export interface FreshDatabase {
  /** The owner's connection string. */
  readonly url: string;
  /** Removes the database, whoever is connected to it, and the roles that the service made for it. */
  drop(): Promise<void>;
}

/** A new empty database, encoded in UTF8; `adminUrl` names a role that may do everything. */
export async function createFreshDatabase(adminUrl: string): Promise<FreshDatabase> {
  const name = `fleetsift_test_${randomBytes(6).toString('hex')}`;
  await asAdmin(adminUrl, [`create database ${name} template template0 encoding 'UTF8'`]);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      asAdmin(adminUrl, [
        `drop database if exists ${name} with (force)`,
        ...[`${name}_app`, `${name}_reader`].map((role) => `drop role if exists ${escapeIdentifier(role)}`),
      ]),
  };
}

async function asAdmin(adminUrl: string, statements: readonly string[]): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    for (const statement of statements) await admin.query(statement);
  } finally {
    await admin.end();
  }
}
