/**
 * What the command line says to a person: help, wrong settings, and the demo that a first start loads. A service without
 * a terminal writes lines of a log.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceUnderTest } from './service-process.ts';

let fleetsift: ServiceUnderTest;

beforeAll(async () => {
  fleetsift = await ServiceUnderTest.create({ LOG_LEVEL: 'warn' });
});

afterAll(() => fleetsift.dispose(), 120_000);

describe('help', () => {
  test.each([
    [['--help']],
    [['serve', '--help']],
    [['migrate', '--help']],
    [['load', '--help']],
    [['import', '--help']],
    [['export', '--help']],
    [['admin', 'create', '--help']],
    [['key', 'create', '--help']],
    [['work', '--help']],
    [['mail', 'list', '--help']],
    [['mail', 'retry', '--help']],
    [['secrets', 'reseal', '--help']],
  ])('%j prints usage and exits with 0', async (args) => {
    const outcome = await fleetsift.run(args);
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toMatch(/^Usage: fleetsift/);
  });

  test.each([
    [['lod', 'x.json'], 'load'],
    [['load'], 'missing required argument'],
    [['import', 'x.json'], '--org'],
    [['export', '--xlsx'], 'unknown option'],
    [['mail', 'list', '--status', 'lost'], 'queued'],
    [['mail', 'list', '--limit', '0'], '--limit must be a number'],
    [['mail', 'retry'], '--all-failed'],
    [['mail', 'retry', 'x', '--all-failed'], 'pass either the id of a mail or --all-failed'],
  ])('%j fails with a hint', async (args, hint) => {
    const outcome = await fleetsift.run(args);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(hint);
  });
});

test('the format that load --help shows can be loaded', async () => {
  const { stdout } = await fleetsift.run(['load', '--help']);
  const shown = stdout.slice(stdout.indexOf('{"partners"'), stdout.indexOf('\n\nor NDJSON'));
  const outcome = await fleetsift.run(['load', '--check', '-'], {}, shown);
  expect(outcome.stdout).toBe('-: would load 1 partner, 1 organization, 1 device\n');
});

describe('settings', () => {
  test.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['FILTER_TIMEOUT_MS', '-1'],
    ['SEARCH_TIMEOUT_MS', '1s'],
    ['MFA_MAX_AGE_SECONDS', '0'],
    ['SECRET_KEY', 'too short'],
    ['SECRET_KEY_PREVIOUS', 'too short'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DB_POOL', '5'],
    ['DATABASE_POOLER', 'session'],
    ['DATABASE_CORES', '0'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
    ['LOG_LEVEL', 'loud'],
    ['DEMO', 'maybe'],
    ['MIGRATE', '1'],
    ['SMTP_URL', 'mail.example.com'],
    ['MAIL_FROM', 'nobody'],
    ['BASE_URL', 'fleet.example.com'],
    ['WORKER', '1'],
    ['DRAIN_SECONDS', '-1'],
    ['DATABASE_URL', ''],
    ['WORKER_INTERVAL_MS', '5s'],
    ['AUDIT_RETENTION_DAYS', '0'],
    ['INVENTORY_EXPIRATION_HOURS', '0'],
    ['OFFLINE_AFTER_MINUTES', '0'],
  ])('%s=%s stops the start with a message that names it', async (name, value) => {
    const outcome = await fleetsift.run(['serve'], { [name]: value });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(name);
  });

  test.each([
    ['sslmode=prefer', 'sslmode is \\"prefer\\"; it must be one of'],
    ['sslrootcert=/absent/ca.pem', 'sslrootcert names cannot be read'],
    ['sslmode=require&sslcert=/absent/own.pem', '/absent/own.pem'],
  ])(
    '%s in a connection string stops the start with a message that names its variable',
    async (asked, hint) => {
      const plain = 'postgres://127.0.0.1:1/none';
      const ofPrimary = await fleetsift.run(['serve'], { DATABASE_URL: `${plain}?${asked}` });
      expect(ofPrimary.stderr).toContain('DATABASE_URL: ');
      expect(ofPrimary.stderr).toContain(hint);
      const ofReplica = await fleetsift.run(['serve'], {
        DATABASE_URL: plain,
        DATABASE_REPLICA_URL: `${plain}?${asked}`,
      });
      expect(ofReplica.stderr).toContain('DATABASE_REPLICA_URL: ');
      expect(ofReplica.stderr).toContain(hint);
    },
  );

  test('every wrong value is named at once', async () => {
    const outcome = await fleetsift.run(['serve'], { PORT: 'x', DEMO: 'x' });
    expect(outcome.stderr).toContain('PORT');
    expect(outcome.stderr).toContain('DEMO');
  });

  test('a database that cannot be reached is reported without its password', async () => {
    const outcome = await fleetsift.run(['migrate'], {
      DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none',
    });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('DATABASE_URL');
    expect(outcome.stderr).not.toContain('secret');
  });
});

describe('the first start', () => {
  test.each([
    ['serve', 'PORT', 'is in use by another program'],
    ['serve', 'METRICS_PORT', 'choose another METRICS_PORT'],
    ['work', 'METRICS_PORT', 'choose another METRICS_PORT'],
  ])('creates nothing if %s finds its %s taken', async (command, variable, hint) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const dataDir = join(fleetsift.dataDir, 'untouched');
    try {
      const { port } = other.address() as AddressInfo;
      const outcome = await fleetsift.run([command], { [variable]: String(port), DATA_DIR: dataDir });
      expect([outcome.code, outcome.stdout]).toStrictEqual([1, '']);
      expect(outcome.stderr).toContain(hint);
      expect(existsSync(dataDir)).toBe(false);
    } finally {
      other.close();
    }
  });

  test('ends at once if it is stopped while it migrates, and leaves no PostgreSQL running', async () => {
    const dataDir = join(fleetsift.dataDir, 'stopped');
    const service = await fleetsift.start({ DATA_DIR: dataDir }, /creating the tables/);
    service.signal('SIGTERM');
    const { code, stderr } = await service.ended();
    expect(code).toBe(0);
    expect(stderr).toContain('stopped before it was ready');
    // PostgreSQL has postmaster.pid as long as it runs.
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test.each([
    ['SIGINT', 130, ['org', 'list']],
    ['SIGTERM', 143, ['org', 'list']],
    ['SIGINT', 130, ['dump', '-']],
    ['SIGINT', 130, ['export']],
  ] as const)(
    'by a command that %s interrupts leaves no PostgreSQL running either',
    async (signal, code, args) => {
      const dataDir = join(fleetsift.dataDir, `${signal}-${args[0]}`);
      const command = await fleetsift.start({ DATA_DIR: dataDir }, /creating the tables/, args);
      command.signal(signal);
      const outcome = await command.ended();
      expect([outcome.code, outcome.stdout]).toStrictEqual([code, '']);
      expect(outcome.stderr).toContain('interrupted');
      expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
      expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    },
  );

  test('loads the demo, and prints curl lines that work', async () => {
    const service = await fleetsift.start();
    expect(service.output()).toContain('2 partners, 12 organizations, 2,000 devices');
    const key = /fsk_[A-Za-z0-9_-]{43}/.exec(service.output())?.[0] ?? '';
    const body = /-d '(\{[^']+\})'/.exec(service.output())?.[1] ?? '';
    const answer = await fetch(`${service.url}/api/v1/filters/preview`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body,
    });
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: { totalCount: number; devices: unknown[] } };
    expect(data.totalCount).toBeGreaterThan(10);
    expect(data.devices).toHaveLength(10);

    const signIn = /auth\/login .*-d '(\{[^']+\})'/.exec(service.output())?.[1] ?? '';
    const signedIn = await fetch(`${service.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: signIn,
    });
    expect([signedIn.status, await signedIn.json()]).toMatchObject([
      200,
      { user: { email: 'admin@fleetsift.example', mfa: { enrolled: true } } },
    ]);
    expect(await service.stop()).toMatchObject({ code: 0 });

    const second = await fleetsift.start();
    expect(second.output()).not.toContain('A demo fleet is loaded');
    const filters = await fetch(`${second.url}/api/v1/filters`, { headers: { 'X-API-Key': key } });
    expect(((await filters.json()) as { total: number }).total).toBeGreaterThan(5);
    expect(await second.stop()).toMatchObject({ code: 0 });
  }, 180_000);
});

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

describe('without a terminal, every line is JSON', () => {
  test('from start to end, with trace ids if there are traces', async () => {
    const service = await fleetsift.start({
      ...{ DEMO: 'off', LOG_LEVEL: 'info', OFFLINE_AFTER_MINUTES: '10' },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TIMEOUT: '500' },
    });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await fetch(`${service.url}/api/v1/filters`, { headers: { traceparent } });
    const { code, stdout, stderr } = await service.stop();
    expect(code).toBe(0);
    const words = linesOf(stderr).map(({ level, msg }) => [level, msg]);
    expect(words).toContainEqual([30, expect.stringContaining(`ready at ${service.url} (version `)]);
    expect(words).toContainEqual([40, expect.stringContaining('SECRET_KEY is not set')]);
    expect(words).toContainEqual([
      40,
      'OFFLINE_AFTER_MINUTES is 10, but agents make contact only every 15 minutes (CONTACT_MINUTES): machines that are on will be marked offline in between.',
    ]);
    expect(words).toContainEqual([30, 'stopping: finishing requests and jobs in flight']);
    const instances = new Set([...linesOf(stderr), ...linesOf(stdout)].map(({ instance }) => instance));
    expect(instances).toStrictEqual(new Set([expect.stringMatching(/.:\d+$/)]));
    expect(linesOf(stdout)).toContainEqual(
      expect.objectContaining({
        msg: 'request',
        status: 401,
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      }),
    );
  }, 120_000);

  test.each([
    ['a wrong setting', ['serve'], { PORT: 'abc' }, 'Invalid configuration:\n  PORT '],
    ['an unknown option', ['work', '--fast'], {}, "error: unknown option '--fast'"],
    ['no database', ['work'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'DATABASE_URL'],
  ])('at a start that fails: %s', async (_, args, env, words) => {
    const outcome = await fleetsift.run(args, env);
    expect([outcome.code, outcome.stdout]).toStrictEqual([1, '']);
    expect(linesOf(outcome.stderr)).toContainEqual(
      expect.objectContaining({ level: 60, msg: expect.stringContaining(words) }),
    );
  });

  test.each([
    ['an unhandled error', "setTimeout(() => { throw new TypeError('boom'); })", 1, 60, 'boom'],
    ['an unhandled rejection', "Promise.reject(new Error('boom'))", 1, 60, 'boom'],
    ['a warning of Node', "process.emitWarning('careful')", 0, 40, 'careful'],
  ])('at %s', async (_, source, code, level, words) => {
    const logger = import.meta.resolve('#adapters/system/logger.ts');
    const program = `(await import(${JSON.stringify(logger)})).announceInLog(); ${source};`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    expect(status).toBe(code);
    expect(linesOf(stderr)).toMatchObject([
      { level, msg: expect.stringContaining(words), stack: expect.stringContaining(words) },
    ]);
  });
});

describe('stopping the service', () => {
  test.each([
    ['', (env: Record<string, string>) => fleetsift.start(env)],
    [' at npm start', (env: Record<string, string>) => fleetsift.startByNpm(env)],
  ])(
    'by SIGTERM%s answers requests until the drain ends or a second SIGTERM arrives',
    async (_, start) => {
      const service = await start({ DRAIN_SECONDS: '600', DEMO: 'off' });
      const ask = (path: string) => fetch(`${service.url}${path}`);
      expect((await ask('/readyz')).status).toBe(200);
      service.signal('SIGTERM');
      while ((await ask('/readyz')).status !== 503) await sleep(20);
      const answer = await ask('/healthz');
      expect([answer.status, answer.headers.get('Connection')]).toStrictEqual([200, 'close']);
      // A second signal right after the first would count as its echo.
      await sleep(600);
      service.signal('SIGTERM');
      expect(await service.ended()).toMatchObject({ code: 0 });
      await expect(ask('/healthz')).rejects.toThrow('fetch failed');
    },
    120_000,
  );

  test('succeeds even if the last traces cannot be sent', async () => {
    const service = await fleetsift.start({
      DEMO: 'off',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    });
    await fetch(`${service.url}/api/v1/filters`);
    const { code, stderr } = await service.stop();
    expect(code).toBe(0);
    expect(stderr).toContain('the last traces were not sent: ');
  }, 120_000);

  test('by SIGINT takes no time for a drain', async () => {
    const service = await fleetsift.start({ DRAIN_SECONDS: '600', DEMO: 'off' });
    service.signal('SIGINT');
    expect(await service.ended()).toMatchObject({ code: 0 });
  }, 120_000);
});
