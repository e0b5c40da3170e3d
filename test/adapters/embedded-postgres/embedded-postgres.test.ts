import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { explainInitFailure } from '#adapters/embedded-postgres/cluster.ts';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { findNativePackage } from '#adapters/embedded-postgres/files/native-package.ts';
import {
  makeStoppedCluster,
  makeTemporaryDirectory,
  query,
  serverPid,
  serverProcesses,
  startServer,
} from './running-server.ts';
import { launchUser } from './server-user.ts';

const SETTINGS_THAT_MATTER = `
  select name, setting from pg_settings
  where name in ('data_checksums', 'fsync', 'jit', 'listen_addresses', 'log_min_error_statement',
                 'max_connections', 'server_encoding', 'TimeZone', 'unix_socket_directories')
  order by name collate "C"`;

test('the server is reached without TLS, whatever the environment demands of other servers', async () => {
  vi.stubEnv('PGSSLMODE', 'require');
  vi.stubEnv('PGSSLNEGOTIATION', 'direct');
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await startServer(await makeStoppedCluster());
  expect(await query(server.url, 'select 1 as one')).toStrictEqual([{ one: 1 }]);
});

test('the error of a failed initdb says what to do before it quotes initdb', () => {
  const said = 'The files …\ninitdb: error: could not look up effective user ID 1234: user does not exist';
  expect(explainInitFailure('/data/postgres', said)).toBe(
    `The database in /data/postgres could not be created. Run under an account that has a name (in /etc/passwd), or set DATABASE_URL. initdb says:\n${said}`,
  );
  expect(explainInitFailure('/data/postgres', 'no space')).toBe(
    'The database in /data/postgres could not be created. initdb says:\nno space',
  );
});

describe('a first start', () => {
  test('creates a database in UTF-8 that compares by code point, owned by the role in the url', async () => {
    const server = await startServer(join(await makeTemporaryDirectory(), 'data'));
    expect(server.isNew).toBe(true);
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    expect(
      await query(
        server.url,
        `select current_database() as database, current_user as role, rolsuper, datlocprovider, datlocale,
                pg_encoding_to_char(encoding) as encoding
         from pg_database, pg_roles where datname = current_database() and rolname = current_user`,
      ),
    ).toStrictEqual([
      {
        database: 'fleetsift',
        role: 'fleetsift',
        rolsuper: true,
        datlocprovider: 'b',
        datlocale: 'C.UTF-8',
        encoding: 'UTF8',
      },
    ]);
  });

  test('runs durably, listens only on the loopback address, and logs no statements', async () => {
    const server = await startEmbeddedPostgres({ dataDir: await makeStoppedCluster() });
    onTestFinished(() => server.stop());
    expect(await query(server.url, SETTINGS_THAT_MATTER)).toStrictEqual([
      { name: 'TimeZone', setting: 'UTC' },
      { name: 'data_checksums', setting: 'on' },
      { name: 'fsync', setting: 'on' },
      { name: 'jit', setting: 'off' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'log_min_error_statement', setting: 'panic' },
      { name: 'max_connections', setting: '100' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'unix_socket_directories', setting: '' },
    ]);
  });

  test('asks for a password, which only the owner of the data directory can read', async () => {
    const dataDir = await makeStoppedCluster();
    const server = await startServer(dataDir);
    const wrong = new URL(server.url);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });
});

test('a later start finds the data of the first, at the same address', async () => {
  const dataDir = join(await makeTemporaryDirectory(), 'data');
  const first = await startServer(dataDir);
  await query(first.url, 'create table kept as select 42 as answer');
  await first.stop();
  const second = await startServer(dataDir);
  expect(second.isNew).toBe(false);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'select answer from kept')).toStrictEqual([{ answer: 42 }]);
});

test('stopping leaves no processes, and no files outside the data directory', async () => {
  const directory = await makeTemporaryDirectory();
  const temporary = join(directory, 'temporary');
  const dataDir = join(directory, 'data');
  await mkdir(temporary);
  const user = launchUser({ dataDir, temporary });
  expect(await user.outcome).toHaveProperty('started');
  expect(await serverProcesses(dataDir)).toContain(await serverPid(dataDir));
  await user.stop();
  expect(await serverProcesses(dataDir)).toStrictEqual([]);
  expect((await readdir(directory)).sort()).toStrictEqual(['data', 'temporary']);
  expect(await readdir(temporary)).toStrictEqual([]);
  expect((await readdir(dataDir)).sort()).toStrictEqual([
    'postgres',
    'postgres.lock',
    'postgres.log',
    'postgres.password',
    'postgres.port',
  ]);
});

test('stopping twice does no harm', async () => {
  const server = await startServer(await makeStoppedCluster());
  await Promise.all([server.stop(), server.stop()]);
  await expect(query(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});

describe('several users of one data directory', () => {
  test('share the server that one of them created if they start at once', async () => {
    const dataDir = join(await makeTemporaryDirectory(), 'data');
    const users = [1, 2, 3].map(() => launchUser({ dataDir }));
    const outcomes = await Promise.all(users.map(({ outcome }) => outcome));
    const started = outcomes.map((outcome) => ('started' in outcome ? outcome.started : outcome));
    expect(started.filter((start) => 'isNew' in start && start.isNew)).toHaveLength(1);
    expect(new Set(started.map((start) => ('url' in start ? start.url : start.failed))).size).toBe(1);
    await Promise.all(users.map((user) => user.stop()));
    expect(await serverProcesses(dataDir)).toStrictEqual([]);
  });

  test('keep the server until the last one stops it', async () => {
    const dataDir = await makeStoppedCluster();
    const user = launchUser({ dataDir });
    await user.outcome;
    const server = await startServer(dataDir);
    await user.stop();
    expect(await query(server.url, 'select 1 as one')).toStrictEqual([{ one: 1 }]);
    await server.stop();
    expect(await serverProcesses(dataDir)).toStrictEqual([]);
  });

  test('do not keep the server running after they were killed', async () => {
    const dataDir = await makeStoppedCluster();
    const server = await startServer(dataDir);
    const user = launchUser({ dataDir });
    await user.outcome;
    await user.kill();
    await server.stop();
    expect(await serverProcesses(dataDir)).toStrictEqual([]);
  });

  test('can start while the last one stops', async () => {
    const dataDir = await makeStoppedCluster();
    const leaving = await startServer(dataDir);
    const [server] = await Promise.all([startServer(dataDir), leaving.stop()]);
    expect(await query(server.url, 'select 1 as one')).toStrictEqual([{ one: 1 }]);
  });
});

describe('a start says what is wrong with', () => {
  test('a directory of other files in the place of the cluster', async () => {
    const dataDir = await makeTemporaryDirectory();
    await mkdir(join(dataDir, 'postgres'));
    await writeFile(join(dataDir, 'postgres', 'notes.txt'), 'mine');
    await expect(startServer(dataDir)).rejects.toThrow('holds files but no database');
  });

  test('a cluster of another version of PostgreSQL', async () => {
    const dataDir = await makeTemporaryDirectory();
    await mkdir(join(dataDir, 'postgres'));
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '9\n');
    await expect(startServer(dataDir)).rejects.toThrow(
      'was created by PostgreSQL 9, but this is PostgreSQL 18',
    );
  });

  test('a cluster whose password is lost', async () => {
    const dataDir = await makeStoppedCluster();
    await rm(join(dataDir, 'postgres.password'));
    await expect(startServer(dataDir)).rejects.toThrow('postgres.password, which holds the database');
  });

  test('a password that the database refuses, and leaves no server behind', async () => {
    const dataDir = await makeStoppedCluster();
    await writeFile(join(dataDir, 'postgres.password'), 'guess');
    await expect(startServer(dataDir)).rejects.toThrow('refuses the password');
    expect(await serverProcesses(dataDir)).toStrictEqual([]);
  });

  test('a setting that PostgreSQL refuses, in the words of its log', async () => {
    const dataDir = join(await makeTemporaryDirectory(), 'data');
    await expect(startEmbeddedPostgres({ dataDir, settings: { max_connections: '-1' } })).rejects.toThrow(
      /postgres\.log:\n.*max_connections/s,
    );
  });

  test('a data directory that is a file', async () => {
    const dataDir = join(await makeTemporaryDirectory(), 'data');
    await writeFile(dataDir, '');
    await expect(startServer(dataDir)).rejects.toThrow(`DATA_DIR ${dataDir} cannot be used`);
  });

  test.runIf(process.platform === 'linux')('a data directory that nobody can create', async () => {
    await expect(startServer('/proc/fleetsift')).rejects.toThrow('DATA_DIR /proc/fleetsift cannot be used');
  });

  test.each([
    ['win32-x64', 'does not run on Windows: set DATABASE_URL'],
    ['sunos-sparc', 'There is no embedded PostgreSQL for sunos-sparc'],
  ])('the platform %s', async (platform, message) => {
    await expect(findNativePackage(platform)).rejects.toThrow(message);
  });
});
