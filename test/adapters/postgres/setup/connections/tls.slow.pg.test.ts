/** Connections with TLS, and the messages if they fail (Contract: §15). */
import { chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { openPostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { connectionConfig } from '#adapters/postgres/setup/connections/connection-config.ts';
import { provisionDatabase } from '#adapters/postgres/setup/provision.ts';
import { type Certificate, makeAuthority, makeCertificate } from '#test/support/certificates.ts';
import { createFreshDatabase, type FreshDatabase } from '#test/support/database/fresh-database.ts';
import { BACKEND_OPTIONS } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';

interface TlsServer {
  readonly url: string;
  /** Presents this certificate from now on; null turns TLS off. */
  show(certificate: Certificate | null): Promise<void>;
  /** Admits this role only over TLS. */
  demandTlsOf(role: string): Promise<void>;
  stop(): Promise<void>;
}

async function startTlsServer(): Promise<TlsServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fleetsift-tls-'));
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  // Like the URL of any server; its own turns TLS off.
  const url = Object.assign(new URL(server.url), { search: '' }).href;
  const cluster = join(dataDir, 'postgres');
  const owner = await stat(cluster);
  const client = new Client({ connectionString: url });
  await client.connect();
  const put = async (name: string, text: string) => {
    const file = join(cluster, name);
    await writeFile(file, text, { mode: 0o600 });
    await chown(file, owner.uid, owner.gid);
  };
  return {
    url,
    show: async (certificate) => {
      if (certificate !== null) {
        await put('server.crt', certificate.certificate);
        await put('server.key', certificate.key);
      }
      await client.query(`alter system set ssl = ${certificate === null ? 'off' : 'on'}`);
      await client.query('select pg_reload_conf()');
      const isOn = certificate === null ? 'off' : 'on';
      await until(async () => (await client.query('show ssl')).rows[0].ssl === isOn);
      // The postmaster may load the certificate later than this process.
      await until(async () => certificate === null || (await shownBy(url)) === certificate.certificate);
    },
    demandTlsOf: async (role) => {
      const rules = await readFile(join(cluster, 'pg_hba.conf'), 'utf8');
      await put('pg_hba.conf', `hostnossl all ${role} 127.0.0.1/32 reject\n${rules}`);
      await client.query('select pg_reload_conf()');
    },
    stop: async () => {
      await client.end();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The certificate that a connection gets, as PEM; null if there is none yet. */
async function shownBy(url: string): Promise<string | null> {
  let shown: string | null = null;
  const client = new Client({
    connectionString: url,
    ssl: {
      rejectUnauthorized: false,
    },
  });
  client.on('error', () => undefined);
  await client.connect().then(
    () => {
      const { stream } = (
        client as unknown as { connection: { stream: { getPeerCertificate(): { raw: Buffer } } } }
      ).connection;
      const text = stream.getPeerCertificate().raw.toString('base64').replace(/.{64}/g, '$&\n');
      shown = `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
    },
    () => undefined,
  );
  await client.end();
  return shown;
}

let server: TlsServer;
let database: FreshDatabase;
let directory: string;
const authority = makeAuthority('Authority of the tests');
const selfSigned = makeCertificate({ host: '127.0.0.1' });

beforeAll(async () => {
  server = await startTlsServer();
  database = await createFreshDatabase(server.url);
  directory = await mkdtemp(join(tmpdir(), 'fleetsift-certificates-'));
  await writeFile(join(directory, 'ca.pem'), authority.certificate);
  await writeFile(join(directory, 'self-signed.pem'), selfSigned.certificate);
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await database.drop();
  await server.stop();
});

function urlWith(parameters: Readonly<Record<string, string>>): string {
  const url = new URL(database.url);
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, name === 'sslrootcert' ? join(directory, value) : value);
  }
  return url.href;
}

/** Whether the connection is encrypted, or the error. */
async function openWith(parameters: Readonly<Record<string, string>>): Promise<boolean | string> {
  try {
    const url = urlWith(parameters);
    await provisionDatabase({ url, migrate: true, secretNames: [] });
    const client = new Client(connectionConfig(url, { applicationName: 'test' }));
    await client.connect();
    const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    await client.end();
    return rows[0].ssl;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const ADD_ROOT =
  /Add sslrootcert=\/path\/to\/ca\.pem to DATABASE_URL.*sslmode=no-verify encrypts without checking/;

describe('the certificate of an authority', () => {
  beforeAll(() => server.show(makeCertificate({ host: '127.0.0.1', issuer: authority })));

  test('lets the service encrypt every connection', async () => {
    const url = urlWith({ sslmode: 'verify-full', sslrootcert: 'ca.pem' });
    const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url });
    expect(await backend.readiness()).toStrictEqual({
      database: true,
      writable: true,
      migrations: true,
      role: true,
    });
    expect(await Array.fromAsync(backend.filters.list({ kind: 'system' }))).toStrictEqual([]);
    expect(await backend.isEmpty()).toBe(true);
    const watcher = new Client({ connectionString: database.url });
    await watcher.connect();
    const { rows } = await watcher.query(
      `select application_name as name, ssl from pg_stat_activity join pg_stat_ssl using (pid)
       where datname = current_database() and application_name like 'fleetsift%' order by 1`,
    );
    await watcher.end();
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter(({ ssl }) => !ssl)).toStrictEqual([]);
    await backend.close();
  });

  test.each([
    ['no parameters', {}, false],
    ['disable', { sslmode: 'disable' }, false],
    ['no-verify', { sslmode: 'no-verify' }, true],
    ['require and the authority', { sslmode: 'require', sslrootcert: 'ca.pem' }, true],
    ['verify-ca and the authority', { sslmode: 'verify-ca', sslrootcert: 'ca.pem' }, true],
    ['verify-full and the authority', { sslmode: 'verify-full', sslrootcert: 'ca.pem' }, true],
    ['the authority alone', { sslrootcert: 'ca.pem' }, true],
  ])('admits a connection with %s', async (_, parameters, isEncrypted) => {
    expect(await openWith(parameters)).toBe(isEncrypted);
  });

  test.each(['require', 'verify-ca', 'verify-full'])(
    'is not trusted if the authority is not named: %s',
    async (sslmode) => {
      expect(await openWith({ sslmode })).toMatch(ADD_ROOT);
      expect(await openWith({ sslmode, sslrootcert: 'self-signed.pem' })).toMatch(ADD_ROOT);
    },
  );

  test('needs sslmode if the server demands TLS, and the error says what to do', async () => {
    await server.demandTlsOf('guarded');
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query(`create role guarded login superuser password 'guarded'`);
    const url = new URL(database.url);
    [url.username, url.password] = ['guarded', 'guarded'];
    const opening = provisionDatabase({ url: url.href, migrate: false, secretNames: [] });
    await expect(opening).rejects.toThrow(/no encryption.*add sslmode=verify-full to DATABASE_URL/);
    await client.query('drop role guarded');
    await client.end();
  });
});

describe('a self-signed certificate', () => {
  beforeAll(() => server.show(selfSigned));

  test.each(['require', 'verify-full'])('is refused, and the error says what to do: %s', async (sslmode) => {
    const said = await openWith({ sslmode });
    expect(said).toMatch(/^The database cannot be opened: self-signed certificate/);
    expect(said).toMatch(ADD_ROOT);
  });

  test('is trusted if sslrootcert names it, or with sslmode=no-verify', async () => {
    expect(await openWith({ sslmode: 'require', sslrootcert: 'self-signed.pem' })).toBe(true);
    expect(await openWith({ sslmode: 'no-verify' })).toBe(true);
  });
});

describe('a certificate of another host', () => {
  beforeAll(() => server.show(makeCertificate({ host: 'db.example.com', issuer: authority })));

  test('is refused, and the error says what to do, unless only the authority is checked', async () => {
    const named = { sslrootcert: 'ca.pem' };
    expect(await openWith({ ...named, sslmode: 'verify-full' })).toMatch(/sslmode=verify-ca/);
    expect(await openWith({ ...named, sslmode: 'require' })).toMatch(/sslmode=verify-ca/);
    expect(await openWith({ ...named, sslmode: 'verify-ca' })).toBe(true);
    expect(await openWith({ sslmode: 'verify-ca', sslrootcert: 'self-signed.pem' })).toMatch(ADD_ROOT);
  });
});

test('an expired certificate is refused, and the error says what to do', async () => {
  const expiresAt = new Date(Date.now() - 60_000);
  await server.show(makeCertificate({ host: '127.0.0.1', issuer: authority, expiresAt }));
  expect(await openWith({ sslrootcert: 'ca.pem' })).toMatch(/expired\. Renew the certificate/);
});

test('a server without TLS is refused if TLS is required, and the error says what to do', async () => {
  await server.show(null);
  expect(await openWith({ sslmode: 'require' })).toMatch(
    /does not support SSL.*Remove sslmode from DATABASE_URL/,
  );
  expect(await openWith({})).toBe(false);
});

test('the service sends its own certificate along', async () => {
  const { certificate, key } = selfSigned;
  await writeFile(join(directory, 'own.key'), key);
  const files = { sslcert: join(directory, 'self-signed.pem'), sslkey: join(directory, 'own.key') };
  const { ssl } = connectionConfig(urlWith({ ...files, sslrootcert: 'ca.pem' }), { applicationName: 'test' });
  expect(ssl).toStrictEqual({ cert: certificate, key, ca: authority.certificate, host: '127.0.0.1' });
});

test('unknown modes and missing files are named in the error', async () => {
  expect(await openWith({ sslmode: 'prefer' })).toBe(
    'sslmode is "prefer"; it must be one of disable, no-verify, require, verify-ca, verify-full',
  );
  expect(await openWith({ sslrootcert: 'absent.pem' })).toMatch(
    /^The certificate that sslrootcert names cannot be read: ENOENT.*absent\.pem/,
  );
});
