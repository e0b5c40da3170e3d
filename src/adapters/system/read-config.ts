import { isIP } from 'node:net';
import * as v from 'valibot';
import { DEFAULT_EXPIRATION_HOURS, silenceMinutes } from '#domain/inventory/device-inventory.ts';
import { DEFAULT_FILTER_TIMEOUT_MS, DEFAULT_SEARCH_TIMEOUT_MS } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** The environment variables, read and checked (Contract: §9, §15). */
export interface Config {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Port of `/metrics`; 0 picks a free one, null means off. */
  readonly metricsPort: number | null;
  /** The owner's connection string; null runs the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Connections per instance; absent: suits a dedicated PostgreSQL. */
  readonly databaseConnections?: number;
  /** The pooler in front of PostgreSQL, if any. */
  readonly databasePooler: 'transaction' | null;
  /** Processor cores of PostgreSQL's machine; absent: as many as here. */
  readonly databaseCores?: number;
  readonly replicaUrls: readonly string[];
  /** Milliseconds. */
  readonly replicaMaxLagMs: number;
  /** Data directory of the embedded PostgreSQL. */
  readonly dataDir: string;
  /** Encrypts secrets; if null, the database keeps a key. */
  readonly secretKey: string | null;
  /** A former `secretKey`, which only decrypts. */
  readonly previousSecretKey: string | null;
  readonly migrate: boolean;
  readonly demo: boolean;
  /** Milliseconds. */
  readonly filterTimeoutMs: number;
  /** Milliseconds. */
  readonly searchTimeoutMs: number;
  /** Contract: §2, "Passed MFA". */
  readonly mfaMaxAgeSeconds: number;
  /** Addresses and CIDR blocks. */
  readonly trustedProxies: readonly string[];
  /** If null, mails are written to `dataDir/mail`. */
  readonly smtpUrl: string | null;
  readonly mailFrom: { readonly name: string | null; readonly address: string };
  /** Without a trailing slash; null means where the service listens. */
  readonly baseUrl: string | null;
  /** Whether `serve` also runs the worker. */
  readonly worker: boolean;
  /** Seconds of accepting requests after SIGTERM. */
  readonly drainSeconds: number;
  /** Milliseconds. */
  readonly workerIntervalMs: number;
  /** Days after a month's end until its audit entries are dropped; null means never. */
  readonly auditRetentionDays: number | null;
  /** Between two reports. */
  readonly inventoryExpirationHours: number;
  /** Silence after which a reporting device is offline. */
  readonly offlineAfterMinutes: number;
  /** An OTLP collector without a trailing slash; null means off. */
  readonly traceEndpoint: string | null;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** The host product's pages; null means none. */
  readonly hostPages: {
    readonly incidents: string | null;
    readonly remoteAccess: string | null;
    readonly vulnerabilities: string | null;
  };
}

/** With fewer, one of the PostgreSQL backend's pools would be empty. */
const FEWEST_CONNECTIONS = 18;

const MOST_CONNECTIONS = 10_000;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const onOff = (fallback: 'on' | 'off') =>
  v.pipe(
    v.optional(v.picklist(['on', 'off'], 'must be on or off'), fallback),
    v.transform((value) => value === 'on'),
  );

const wholeNumber = (fallback: number, min: number, max: number) =>
  v.pipe(
    v.optional(v.string(), String(fallback)),
    v.check((text) => /^[0-9]{1,9}$/.test(text), `must be a whole number from ${min} to ${max}`),
    v.transform(Number),
    v.minValue(min, `must be a whole number from ${min} to ${max}`),
    v.maxValue(max, `must be a whole number from ${min} to ${max}`),
  );

const optionalNumber = (unit: string, min: number, max: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^[0-9]{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
        `must be a whole number of ${unit} from ${min} to ${max}`,
      ),
      v.transform(Number),
    ),
  );

const secretKey = v.optional(
  v.pipe(
    v.string(),
    v.minLength(32, 'must have at least 32 random characters, for example from: openssl rand -base64 32'),
  ),
);

const hostPage = v.optional(
  v.pipe(v.string(), v.check(isPageUrl, 'must be a URL such as https://rmm.example.com/incidents')),
);

const SCHEMA = v.object({
  HOST: v.optional(v.string(), '127.0.0.1'),
  PORT: wholeNumber(3000, 0, 65_535),
  METRICS_PORT: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535,
        'must be a whole number from 0 to 65535',
      ),
      v.transform(Number),
    ),
  ),
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        isPostgresUrl,
        'must be a connection string such as postgres://user:password@host:5432/database',
      ),
    ),
  ),
  DB_POOL: optionalNumber('connections', FEWEST_CONNECTIONS, MOST_CONNECTIONS),
  DATABASE_POOLER: v.optional(v.picklist(['transaction'], 'must be transaction, or not set')),
  DATABASE_CORES: optionalNumber('processor cores', 1, 1_024),
  DATABASE_REPLICA_URL: v.pipe(
    v.optional(v.string(), ''),
    v.transform(listed),
    v.check(
      (urls) => urls.every(isPostgresUrl),
      'must be connection strings such as postgres://replica:5432/database, separated by commas',
    ),
  ),
  REPLICA_MAX_LAG_MS: wholeNumber(1_000, 100, 600_000),
  DATA_DIR: v.optional(v.string(), '.data'),
  SECRET_KEY: secretKey,
  SECRET_KEY_PREVIOUS: secretKey,
  MIGRATE: onOff('on'),
  DEMO: onOff('on'),
  FILTER_TIMEOUT_MS: wholeNumber(DEFAULT_FILTER_TIMEOUT_MS, 1, 600_000),
  SEARCH_TIMEOUT_MS: wholeNumber(DEFAULT_SEARCH_TIMEOUT_MS, 1, 600_000),
  MFA_MAX_AGE_SECONDS: wholeNumber(900, 1, 86_400),
  TRUSTED_PROXIES: v.pipe(
    v.optional(v.string(), ''),
    v.transform(listed),
    v.check(
      (parts) => parts.every(isAddressOrBlock),
      'must be comma-separated addresses or CIDR blocks, such as 10.0.0.0/8,::1',
    ),
  ),
  SMTP_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isSmtpUrl, 'must be a URL such as smtp://user:password@host:587 or smtps://host'),
    ),
  ),
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.transform(readMailFrom),
      v.check((from) => from !== null, 'must be an address such as Fleetsift <fleetsift@example.com>'),
    ),
  ),
  BASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isBaseUrl, 'must be a URL such as https://fleetsift.example.com, without a query'),
      v.transform((text) => new URL(text).href.replace(/\/+$/, '')),
    ),
  ),
  WORKER: onOff('on'),
  DRAIN_SECONDS: wholeNumber(5, 0, 600),
  WORKER_INTERVAL_MS: wholeNumber(5_000, 10, 3_600_000),
  AUDIT_RETENTION_DAYS: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => /^[1-9][0-9]{0,4}$/.test(text), 'must be a whole number of days from 1 to 99999'),
      v.transform(Number),
    ),
  ),
  INVENTORY_EXPIRATION_HOURS: wholeNumber(DEFAULT_EXPIRATION_HOURS, 1, 8_760),
  OFFLINE_AFTER_MINUTES: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^[1-9][0-9]{0,6}$/.test(text),
        'must be a whole number of minutes from 1 to 9999999',
      ),
      v.transform(Number),
    ),
  ),
  NAV_INCIDENTS_URL: hostPage,
  NAV_REMOTE_ACCESS_URL: hostPage,
  NAV_VULNERABILITIES_URL: hostPage,
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(
    v.pipe(
      v.string(),
      v.check(isBaseUrl, 'must be a URL such as http://localhost:4318, without a query'),
      v.transform((text) => new URL(text).href.replace(/\/+$/, '')),
    ),
  ),
  LOG_LEVEL: v.optional(v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
});

/**
 * The configuration, or one message per invalid variable. An empty value counts as unset, except for the database: a
 * service that lost its address must not start on an empty embedded one.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
): Result<Config, readonly string[]> {
  const values = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  if (env.DATABASE_URL === '') {
    return err([
      'DATABASE_URL is empty; give it a connection string, or unset it to run the embedded PostgreSQL',
    ]);
  }
  const parsed = v.safeParse(SCHEMA, values);
  if (!parsed.success) {
    return err(
      parsed.issues.map((issue) => {
        const name = String(issue.path?.[0]?.key);
        const value = WITH_PASSWORDS.has(name) ? '' : `, not ${JSON.stringify(values[name])}`;
        return `${name} ${issue.message}${value}`;
      }),
    );
  }
  const { output } = parsed;
  if (output.DATABASE_REPLICA_URL.length > 0 && output.DATABASE_URL === undefined) {
    return err([
      'DATABASE_URL is required with DATABASE_REPLICA_URL: the embedded PostgreSQL has no replica',
    ]);
  }
  if (output.SMTP_URL !== undefined && output.MAIL_FROM === undefined) {
    return err(['MAIL_FROM is required with SMTP_URL, such as Fleetsift <fleetsift@example.com>']);
  }
  if (output.DATABASE_POOLER !== undefined && output.DATABASE_URL === undefined) {
    return err(['DATABASE_URL is required with DATABASE_POOLER: the address of the pooler']);
  }
  if (output.METRICS_PORT === output.PORT && output.PORT !== 0) {
    return err([`METRICS_PORT must be another port than PORT, which is ${output.PORT}`]);
  }
  return ok({
    host: output.HOST,
    port: output.PORT,
    metricsPort: output.METRICS_PORT ?? null,
    databaseUrl: output.DATABASE_URL ?? null,
    databasePooler: output.DATABASE_POOLER ?? null,
    ...(output.DB_POOL !== undefined && { databaseConnections: output.DB_POOL }),
    ...(output.DATABASE_CORES !== undefined && { databaseCores: output.DATABASE_CORES }),
    replicaUrls: output.DATABASE_REPLICA_URL,
    replicaMaxLagMs: output.REPLICA_MAX_LAG_MS,
    dataDir: output.DATA_DIR,
    secretKey: output.SECRET_KEY ?? null,
    previousSecretKey: output.SECRET_KEY_PREVIOUS ?? null,
    migrate: output.MIGRATE,
    demo: output.DEMO,
    filterTimeoutMs: output.FILTER_TIMEOUT_MS,
    searchTimeoutMs: output.SEARCH_TIMEOUT_MS,
    mfaMaxAgeSeconds: output.MFA_MAX_AGE_SECONDS,
    trustedProxies: output.TRUSTED_PROXIES,
    smtpUrl: output.SMTP_URL ?? null,
    mailFrom: output.MAIL_FROM ?? NOBODY,
    baseUrl: output.BASE_URL ?? null,
    worker: output.WORKER,
    drainSeconds: output.DRAIN_SECONDS,
    workerIntervalMs: output.WORKER_INTERVAL_MS,
    auditRetentionDays: output.AUDIT_RETENTION_DAYS ?? null,
    inventoryExpirationHours: output.INVENTORY_EXPIRATION_HOURS,
    offlineAfterMinutes: output.OFFLINE_AFTER_MINUTES ?? silenceMinutes(output.INVENTORY_EXPIRATION_HOURS),
    traceEndpoint: output.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    logLevel: output.LOG_LEVEL,
    hostPages: {
      incidents: output.NAV_INCIDENTS_URL ?? null,
      remoteAccess: output.NAV_REMOTE_ACCESS_URL ?? null,
      vulnerabilities: output.NAV_VULNERABILITIES_URL ?? null,
    },
  });
}

/** Never repeated in a message. */
const WITH_PASSWORDS: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'SMTP_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
]);

/** For mails written to files. */
const NOBODY: Config['mailFrom'] = { name: 'Fleetsift', address: 'fleetsift@localhost' };

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
}

function isSmtpUrl(text: string): boolean {
  return URL.canParse(text) && /^smtps?:\/\/[^/]/.test(text) && new URL(text).hostname !== '';
}

/** Paths are appended to it. */
function isBaseUrl(text: string): boolean {
  return isPageUrl(text) && !/[?#]/.test(text);
}

/** Many products have pages behind a `#`. */
function isPageUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** `Name <address>`, with or without quotes, or an address; else null. */
function readMailFrom(text: string): Config['mailFrom'] | null {
  const named = NAMED_ADDRESS.exec(text.trim());
  const name = (named?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1');
  const address = named?.[2] ?? text.trim();
  return ADDRESS.test(address) ? { name: name === '' ? null : name, address } : null;
}

const NAMED_ADDRESS = /^([^<>@\p{Cc}]*)<([^<>]*)>$/u;
const ADDRESS = /^[^\s\p{Cc}<>@]+@[^\s\p{Cc}<>@]+$/u;

function isAddressOrBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
