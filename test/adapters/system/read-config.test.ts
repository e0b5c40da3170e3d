/** The configuration from the environment: its values, and the messages about wrong ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FEWEST_CONNECTIONS } from '#adapters/postgres/setup/connections/pool-sizes.ts';
import { readConfig } from '#adapters/system/read-config.ts';

const configOf = (env: Record<string, string>) => {
  const config = readConfig(env);
  if (!config.ok) throw new Error(config.error.join('\n'));
  return config.value;
};
const faultsOf = (env: Record<string, string>) => {
  const config = readConfig(env);
  return config.ok ? [] : config.error;
};

describe('reports', () => {
  test.each([
    [{}, 15, 24, null],
    [{ CONTACT_MINUTES: '5', INVENTORY_EXPIRATION_HOURS: '1' }, 5, 1, null],
    [{ CONTACT_MINUTES: '1440', OFFLINE_AFTER_MINUTES: '90' }, 1_440, 24, 90],
    [{ OFFLINE_AFTER_MINUTES: '' }, 15, 24, null],
  ])(
    'with %j: contact every %i minutes, expiry after %i hours, offline after %j minutes',
    (env, contactMinutes, inventoryExpirationHours, offlineAfterMinutes) => {
      expect(configOf(env)).toMatchObject({ contactMinutes, inventoryExpirationHours, offlineAfterMinutes });
    },
  );

  test.each(['4', '1441', '15m'])('CONTACT_MINUTES=%s is refused', (value) => {
    expect(faultsOf({ CONTACT_MINUTES: value })).toStrictEqual([
      `CONTACT_MINUTES must be a whole number from 5 to 1440, not "${value}"`,
    ]);
  });

  test.each(['0', '1.5', '-1', '1h', '10000000'])('OFFLINE_AFTER_MINUTES=%s is refused', (value) => {
    expect(faultsOf({ OFFLINE_AFTER_MINUTES: value })).toStrictEqual([
      `OFFLINE_AFTER_MINUTES must be a whole number of minutes from 1 to 9999999, not "${value}"`,
    ]);
  });

  test.each(['0', '8761', '30m'])('INVENTORY_EXPIRATION_HOURS=%s is refused', (value) => {
    expect(faultsOf({ INVENTORY_EXPIRATION_HOURS: value })).toStrictEqual([
      `INVENTORY_EXPIRATION_HOURS must be a whole number from 1 to 8760, not "${value}"`,
    ]);
  });
});

describe('a secret in a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const fileWith = (name: string, content: string) => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };

  test('is the content of the file, without the last line break', () => {
    const env = {
      DATABASE_URL_FILE: fileWith('url', 'postgres://fleetsift:p%20w@database/fleetsift\n'),
      SECRET_KEY_FILE: fileWith('key', `${'k'.repeat(32)} \r\n`),
      SMTP_URL_FILE: '',
    };
    expect(configOf(env)).toMatchObject({
      databaseUrl: 'postgres://fleetsift:p%20w@database/fleetsift',
      secretKey: `${'k'.repeat(32)} `,
      smtpUrl: null,
    });
  });

  test('is checked like any other, and never repeated in a message', () => {
    expect(faultsOf({ DATABASE_URL_FILE: fileWith('short', 'hunter2') })).toStrictEqual([
      'DATABASE_URL must be a connection string such as postgres://user:password@host:5432/database',
    ]);
    expect(faultsOf({ DATABASE_URL_FILE: fileWith('empty', '\n') })).toStrictEqual([
      'DATABASE_URL is empty; give it a connection string, or unset it to run the embedded PostgreSQL',
    ]);
  });

  test('is refused if the file is missing, or if the variable is set as well', () => {
    const key = fileWith('other', 'k'.repeat(32));
    expect(
      faultsOf({ SECRET_KEY: 'x'.repeat(32), SECRET_KEY_FILE: key, SMTP_URL_FILE: '/nowhere' }),
    ).toStrictEqual([
      expect.stringMatching(/^SMTP_URL_FILE cannot be read: .*ENOENT/),
      'SECRET_KEY and SECRET_KEY_FILE are both set; keep one of them',
    ]);
  });
});

describe('connections to the database', () => {
  test('are left to the service by default', () => {
    expect(configOf({})).not.toHaveProperty('databaseConnections');
    expect(configOf({})).not.toHaveProperty('databaseCores');
  });

  test('are as many as DB_POOL says', () => {
    const env = { DB_POOL: '30', DATABASE_CORES: '16' };
    expect(configOf(env)).toMatchObject({ databaseConnections: 30, databaseCores: 16 });
  });

  test.each([String(FEWEST_CONNECTIONS - 1), '10001', 'many'])('cannot be %s', (value) => {
    expect(faultsOf({ DB_POOL: value })).toStrictEqual([
      `DB_POOL must be a whole number of connections from ${FEWEST_CONNECTIONS} to 10000, not "${value}"`,
    ]);
  });

  test('may be as few as all pools need', () => {
    expect(configOf({ DB_POOL: String(FEWEST_CONNECTIONS) })).toMatchObject({
      databaseConnections: FEWEST_CONNECTIONS,
    });
  });
});

describe('a pooler', () => {
  const DATABASE_URL = 'postgres://fleetsift@localhost:6432/fleetsift';

  test('is assumed only with DATABASE_POOLER', () => {
    expect(configOf({ DATABASE_URL })).toMatchObject({ databasePooler: null });
    expect(configOf({ DATABASE_URL, DATABASE_POOLER: 'transaction' })).toMatchObject({
      databasePooler: 'transaction',
    });
  });

  test('must be in transaction mode', () => {
    expect(faultsOf({ DATABASE_URL, DATABASE_POOLER: 'session' })).toStrictEqual([
      'DATABASE_POOLER must be transaction, or not set, not "session"',
    ]);
  });

  test('needs DATABASE_URL', () => {
    expect(faultsOf({ DATABASE_POOLER: 'transaction' })).toStrictEqual([
      'DATABASE_URL is required with DATABASE_POOLER: the address of the pooler',
    ]);
  });
});

describe('replicas', () => {
  const DATABASE_URL = 'postgres://primary/fleet';

  test('are none by default', () => {
    expect(configOf({})).toMatchObject({ replicaUrls: [], replicaMaxLagMs: 1_000 });
  });

  test('can be several', () => {
    const env = { DATABASE_URL, DATABASE_REPLICA_URL: 'postgres://a/fleet, postgres://b/fleet,' };
    expect(configOf({ ...env, REPLICA_MAX_LAG_MS: '250' })).toMatchObject({
      replicaUrls: ['postgres://a/fleet', 'postgres://b/fleet'],
      replicaMaxLagMs: 250,
    });
  });

  test('must be connection strings, and a message never repeats a password', () => {
    const env = { DATABASE_URL, DATABASE_REPLICA_URL: 'postgres://a/fleet,mysql://u:secret@b/fleet' };
    expect(faultsOf(env)).toStrictEqual([
      'DATABASE_REPLICA_URL must be connection strings such as postgres://replica:5432/database, separated by commas',
    ]);
  });

  test('need DATABASE_URL', () => {
    expect(faultsOf({ DATABASE_REPLICA_URL: 'postgres://a/fleet' })).toStrictEqual([
      'DATABASE_URL is required with DATABASE_REPLICA_URL: the embedded PostgreSQL has no replica',
    ]);
  });

  test.each(['0', '99', '600001', '1s'])('cannot have REPLICA_MAX_LAG_MS=%s', (value) => {
    expect(faultsOf({ REPLICA_MAX_LAG_MS: value })).toStrictEqual([
      `REPLICA_MAX_LAG_MS must be a whole number from 100 to 600000, not "${value}"`,
    ]);
  });
});

describe('metrics and traces', () => {
  test('are off by default', () => {
    expect(configOf({})).toMatchObject({ metricsPort: null, traceEndpoint: null });
  });

  test('go to the configured port and endpoint', () => {
    const env = { METRICS_PORT: '9464', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/' };
    expect(configOf(env)).toMatchObject({ metricsPort: 9464, traceEndpoint: 'http://localhost:4318' });
  });

  test.each(['-1', '65536', 'off'])('cannot have METRICS_PORT=%s', (value) => {
    expect(faultsOf({ METRICS_PORT: value })).toStrictEqual([
      `METRICS_PORT must be a whole number from 0 to 65535, not "${value}"`,
    ]);
  });

  test('cannot use the port of the service', () => {
    expect(faultsOf({ PORT: '8080', METRICS_PORT: '8080' })).toStrictEqual([
      'METRICS_PORT must be another port than PORT, which is 8080',
    ]);
  });

  test('need a URL as their endpoint', () => {
    expect(faultsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost' })).toStrictEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://localhost:4318, without a query, not "localhost"',
    ]);
  });
});

describe('mail', () => {
  test('goes into files by default', () => {
    expect(configOf({})).toMatchObject({
      smtpUrl: null,
      mailFrom: { name: 'Fleetsift', address: 'fleetsift@localhost' },
      baseUrl: null,
      worker: true,
      workerIntervalMs: 5_000,
    });
  });

  test.each([
    ['fleet@msp.example', { name: null, address: 'fleet@msp.example' }],
    [' <fleet@msp.example> ', { name: null, address: 'fleet@msp.example' }],
    ['Fleet of MSP <fleet@msp.example>', { name: 'Fleet of MSP', address: 'fleet@msp.example' }],
    ['"Fleet, of MSP" <fleet@msp.example>', { name: 'Fleet, of MSP', address: 'fleet@msp.example' }],
    ['Flötte <fleet@bücher.example>', { name: 'Flötte', address: 'fleet@bücher.example' }],
  ])('comes from MAIL_FROM: %s', (MAIL_FROM, mailFrom) => {
    expect(configOf({ MAIL_FROM }).mailFrom).toStrictEqual(mailFrom);
  });

  test.each([
    'fleet',
    'fleet@',
    'a@b.c, d@e.f',
    'Fleet <fleet>',
    'x\r\nBcc: a@b.c <d@e.f>',
    '<a@b.c> <d@e.f>',
  ])('cannot come from MAIL_FROM=%j', (MAIL_FROM) => {
    expect(faultsOf({ MAIL_FROM })).toStrictEqual([
      `MAIL_FROM must be an address such as Fleetsift <fleetsift@example.com>, not ${JSON.stringify(MAIL_FROM)}`,
    ]);
  });

  test.each([
    'smtp://mail.example',
    'smtps://ada%40x:p%2Fw@mail.example:465',
    'smtp://[::1]:2525?requireTLS=true',
  ])('goes through SMTP_URL: %s', (SMTP_URL) => {
    expect(configOf({ SMTP_URL, MAIL_FROM: 'a@b.example' }).smtpUrl).toBe(SMTP_URL);
  });

  test.each(['mail.example', 'http://mail.example', 'smtp:', 'smtp://', 'smtp:///x', 'smtp://ada:secret@'])(
    'cannot go through SMTP_URL=%j, and a message never repeats a password',
    (SMTP_URL) => {
      expect(faultsOf({ SMTP_URL, MAIL_FROM: 'a@b.example' })).toStrictEqual([
        'SMTP_URL must be a URL such as smtp://user:password@host:587 or smtps://host',
      ]);
    },
  );

  test('needs MAIL_FROM if it goes to a server', () => {
    expect(faultsOf({ SMTP_URL: 'smtp://mail.example' })).toStrictEqual([
      'MAIL_FROM is required with SMTP_URL, such as Fleetsift <fleetsift@example.com>',
    ]);
  });

  test.each([
    ['https://fleet.example.com', 'https://fleet.example.com'],
    ['https://fleet.example.com/', 'https://fleet.example.com'],
    ['HTTP://Fleet.example.com:8080/sift//', 'http://fleet.example.com:8080/sift'],
  ])('links to BASE_URL: %s', (BASE_URL, baseUrl) => {
    expect(configOf({ BASE_URL }).baseUrl).toBe(baseUrl);
  });

  test.each(['/a"<b>', '/a;b', '/a%2fb', '/a//b'])('the path %s of BASE_URL is refused', (path) => {
    expect(faultsOf({ BASE_URL: `https://fleet.example.com${path}` })).toStrictEqual([
      expect.stringMatching(
        /^BASE_URL may have only letters, digits and - \. _ ~ between the slashes of its path/,
      ),
    ]);
  });

  test.each([
    'fleet.example.com',
    'javascript:alert(1)',
    'https://a:b@fleet.example.com',
    'https://x.example/?a=b',
    'https://x.example/#a',
  ])('cannot link to BASE_URL=%s', (BASE_URL) => {
    expect(faultsOf({ BASE_URL })).toStrictEqual([
      `BASE_URL must be a URL such as https://fleetsift.example.com, without a query, not ${JSON.stringify(BASE_URL)}`,
    ]);
  });
});

test.each(['http://0.0.0.0:3000', 'http://[::]:3000', 'https://fleet.example.com:0'])(
  'BASE_URL=%s is refused, because no browser can open it',
  (BASE_URL) => {
    expect(faultsOf({ BASE_URL })).toStrictEqual([
      `BASE_URL must be an address that browsers can open, such as https://fleetsift.example.com, not "${BASE_URL}"`,
    ]);
  },
);

describe('a misspelled name', () => {
  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['SECRETKEY_FILE', 'SECRET_KEY_FILE'],
    ['SMPT_URL', 'SMTP_URL'],
    ['FILTER_TIMEOUT', 'FILTER_TIMEOUT_MS'],
    ['OFFLINE_AFTER_MINUTE', 'OFFLINE_AFTER_MINUTES'],
  ])('%s is refused, and %s is proposed', (name, meant) => {
    expect(faultsOf({ [name]: 'x', PORT: '3001' })).toStrictEqual([
      `${name} is not a variable of Fleetsift; did you mean ${meant}?`,
    ]);
  });

  test.each([
    'HOME',
    'PATH',
    'PORTS',
    'HOSTNAME',
    'WORKERS',
    'NODE_ENV',
    'DATABASE_HOST',
    'DATABASE_PORT',
    'LANG',
  ])('is not suspected in %s', (name) => {
    expect(faultsOf({ [name]: 'x' })).toStrictEqual([]);
  });
});

describe('the worker', () => {
  test('is set by WORKER and WORKER_INTERVAL_MS', () => {
    expect(configOf({ WORKER: 'off', WORKER_INTERVAL_MS: '250' })).toMatchObject({
      worker: false,
      workerIntervalMs: 250,
    });
  });

  test('refuses wrong values of both', () => {
    expect(faultsOf({ WORKER: 'yes', WORKER_INTERVAL_MS: '9' })).toStrictEqual([
      'WORKER must be on or off, not "yes"',
      'WORKER_INTERVAL_MS must be a whole number from 10 to 3600000, not "9"',
    ]);
  });
});

describe('pages of a host product', () => {
  test.each([
    'https://rmm.example.com/incidents',
    'https://rmm.example.com/#/incidents',
    'https://rmm.example.com/?page=incidents',
  ])('may be at %s', (NAV_INCIDENTS_URL) => {
    expect(configOf({ NAV_INCIDENTS_URL }).hostPages.incidents).toBe(NAV_INCIDENTS_URL);
  });

  test.each(['/incidents', 'javascript:alert(1)', 'https://jo:secret@rmm.example.com'])(
    'cannot be at %s',
    (value) => {
      expect(faultsOf({ NAV_INCIDENTS_URL: value })).toStrictEqual([
        `NAV_INCIDENTS_URL must be a URL such as https://rmm.example.com/incidents, not "${value}"`,
      ]);
    },
  );
});
