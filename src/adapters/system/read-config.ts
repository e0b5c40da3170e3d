/** The environment variables (Contract: §9, §15). */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { DEFAULT_CONTACT_MINUTES, DEFAULT_EXPIRATION_HOURS } from '#domain/inventory/presence.ts';
import {
  DEFAULT_CHANGES_COUNT,
  DEFAULT_CHANGES_DAYS,
  DEFAULT_FILTER_TIMEOUT_MS,
  DEFAULT_SEARCH_TIMEOUT_MS,
} from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import {
  baseUrl,
  checked,
  integer,
  integerOr,
  isAddressOrBlock,
  isPostgresUrl,
  isSmtpUrl,
  linkBase,
  list,
  onOff,
  optional,
  PAGE,
  readMailFrom,
  SECRET,
  type Sender,
  type Setting,
  type Settings,
  setting,
  string,
  type ValuesOf,
} from './config-values.ts';

export interface Config extends ValuesOf<typeof SETTINGS> {
  /** Absent: a number that suits a dedicated PostgreSQL. */
  readonly databaseConnections?: number;
  /** If absent, as many as this machine has. */
  readonly databaseCores?: number;
  readonly mailFrom: Sender;
  readonly hostPages: {
    readonly incidents: string | null;
    readonly remoteAccess: string | null;
    readonly vulnerabilities: string | null;
  };
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** With fewer, one of the PostgreSQL backend's pools would be empty. */
const FEWEST_CONNECTIONS = 18;

const MOST_CONNECTIONS = 10_000;

const SETTINGS = {
  host: setting('HOST', string('127.0.0.1')),
  port: setting('PORT', integerOr(3000, 0, 65_535)),
  metricsPort: optional('METRICS_PORT', integer(0, 65_535)),
  /** Null runs the embedded PostgreSQL. */
  databaseUrl: optional(
    'DATABASE_URL',
    checked(isPostgresUrl, 'must be a connection string such as postgres://user:password@host:5432/database'),
  ),
  databasePooler: optional('DATABASE_POOLER', v.picklist(['transaction'], 'must be transaction, or not set')),
  replicaUrls: setting(
    'DATABASE_REPLICA_URL',
    list(
      isPostgresUrl,
      'must be connection strings such as postgres://replica:5432/database, separated by commas',
    ),
  ),
  replicaMaxLagMs: setting('REPLICA_MAX_LAG_MS', integerOr(1_000, 100, 600_000)),
  dataDir: setting('DATA_DIR', string('.data')),
  /** If null, a key in the database is used. */
  secretKey: optional('SECRET_KEY', SECRET),
  previousSecretKey: optional('SECRET_KEY_PREVIOUS', SECRET),
  migrate: setting('MIGRATE', onOff('on')),
  demo: setting('DEMO', onOff('on')),
  filterTimeoutMs: setting('FILTER_TIMEOUT_MS', integerOr(DEFAULT_FILTER_TIMEOUT_MS, 1, 600_000)),
  searchTimeoutMs: setting('SEARCH_TIMEOUT_MS', integerOr(DEFAULT_SEARCH_TIMEOUT_MS, 1, 600_000)),
  /** Contract: §2, "Passed MFA". */
  mfaMaxAgeSeconds: setting('MFA_MAX_AGE_SECONDS', integerOr(900, 1, 86_400)),
  outboundPrivate: setting(
    'OUTBOUND_PRIVATE',
    v.pipe(
      v.optional(v.picklist(['allow'], 'must be allow, or not set')),
      v.transform((value) => value === 'allow'),
    ),
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    list(isAddressOrBlock, 'must be comma-separated addresses or CIDR blocks, such as 10.0.0.0/8,::1'),
  ),
  /** If null, mails are written to `dataDir/mail`. */
  smtpUrl: optional(
    'SMTP_URL',
    checked(isSmtpUrl, 'must be a URL such as smtp://user:password@host:587 or smtps://host'),
  ),
  /** Null means the address where the service listens. */
  baseUrl: optional('BASE_URL', linkBase('https://fleetsift.example.com')),
  worker: setting('WORKER', onOff('on')),
  drainSeconds: setting('DRAIN_SECONDS', integerOr(5, 0, 600)),
  workerIntervalMs: setting('WORKER_INTERVAL_MS', integerOr(5_000, 10, 3_600_000)),
  /** Days from the end of an entry's month to its deletion; null means never. */
  auditRetentionDays: optional('AUDIT_RETENTION_DAYS', integer(1, 99_999, 'days')),
  changesRetentionDays: setting('CHANGES_RETENTION_DAYS', integerOr(DEFAULT_CHANGES_DAYS, 1, 99_999)),
  changesRetentionCount: setting(
    'CHANGES_RETENTION_COUNT',
    integerOr(DEFAULT_CHANGES_COUNT, 1, 1_000_000_000),
  ),
  contactMinutes: setting('CONTACT_MINUTES', integerOr(DEFAULT_CONTACT_MINUTES, 5, 1_440)),
  inventoryExpirationHours: setting(
    'INVENTORY_EXPIRATION_HOURS',
    integerOr(DEFAULT_EXPIRATION_HOURS, 1, 8_760),
  ),
  /** Null means a time that suits the device's agent. */
  offlineAfterMinutes: optional('OFFLINE_AFTER_MINUTES', integer(1, 9_999_999, 'minutes')),
  traceEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', baseUrl('http://localhost:4318')),
  logLevel: setting(
    'LOG_LEVEL',
    v.optional(v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
  ),
};

const SOURCES = {
  connections: optional('DB_POOL', integer(FEWEST_CONNECTIONS, MOST_CONNECTIONS, 'connections')),
  cores: optional('DATABASE_CORES', integer(1, 1_024, 'processor cores')),
  from: optional(
    'MAIL_FROM',
    v.pipe(
      v.string(),
      v.transform(readMailFrom),
      v.check((from) => from !== null, 'must be an address such as Fleetsift <fleetsift@example.com>'),
    ),
  ),
  incidents: optional('NAV_INCIDENTS_URL', PAGE),
  remoteAccess: optional('NAV_REMOTE_ACCESS_URL', PAGE),
  vulnerabilities: optional('NAV_VULNERABILITIES_URL', PAGE),
};

const VARIABLES: readonly Setting<unknown>[] = [...Object.values(SETTINGS), ...Object.values(SOURCES)];

const SCHEMA = v.object(Object.fromEntries(VARIABLES.map(({ variable, schema }) => [variable, schema])));

/** Their values never appear in messages. With `_FILE` appended, the variable names a file with the value. */
const SECRETS = ['DATABASE_URL', 'DATABASE_REPLICA_URL', 'SMTP_URL', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS'];

/**
 * Returns one message per invalid variable. An empty value counts as unset, except for the database: a service that
 * lost its address must not start on an empty embedded one.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
): Result<Config, readonly string[]> {
  const misspelt = misspeltNames(environment);
  if (misspelt.length > 0) return err(misspelt);
  const files = readSecretFiles(environment);
  if (files.faults.length > 0) return err(files.faults);
  const env = { ...environment, ...files.values };
  if (env.DATABASE_URL === '') {
    return err([
      'DATABASE_URL is empty; give it a connection string, or unset it to run the embedded PostgreSQL',
    ]);
  }
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = v.safeParse(SCHEMA, set);
  if (!parsed.success) {
    return err(
      parsed.issues.map((issue) => {
        const name = String(issue.path?.[0]?.key);
        const value = SECRETS.includes(name) ? '' : `, not ${JSON.stringify(set[name])}`;
        return `${name} ${issue.message}${value}`;
      }),
    );
  }
  const settings = pick(SETTINGS, parsed.output);
  const { connections, cores, from, ...hostPages } = pick(SOURCES, parsed.output);
  const fault = contradictionOf(settings, from !== null);
  if (fault !== null) return err([fault]);
  return ok({
    ...settings,
    ...(connections !== null && { databaseConnections: connections }),
    ...(cores !== null && { databaseCores: cores }),
    mailFrom: from ?? { name: 'Fleetsift', address: 'fleetsift@localhost' },
    hostPages,
  });
}

/** Shorter names are too similar to those of other programs, such as PORTS. */
const SHORTEST_COMPARED = 7;

/** Misspelt names are refused: an ignored `DATABSE_URL` would start an empty embedded database. */
function misspeltNames(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = [...VARIABLES.map(({ variable }) => variable), ...SECRETS.map((name) => `${name}_FILE`)];
  const compared = known.filter((name) => name.length >= SHORTEST_COMPARED);
  return Object.keys(env).flatMap((name) => {
    const near = known.includes(name) || env[name] === undefined ? null : nearestWord(name, compared);
    return near === null ? [] : [`${name} is not a variable of Fleetsift; did you mean ${near}?`];
  });
}

/** Containers mount secrets as files, whose last line break is not part of the value. */
function readSecretFiles(env: Readonly<Record<string, string | undefined>>) {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of SECRETS) {
    const path = env[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if (env[name] !== undefined) {
      faults.push(`${name} and ${name}_FILE are both set; keep one of them`);
      continue;
    }
    try {
      values[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      faults.push(`${name}_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { values, faults };
}

function pick<S extends Settings>(settings: S, output: Readonly<Record<string, unknown>>): ValuesOf<S> {
  const values = Object.entries(settings).map(([key, { variable }]) => [key, output[variable]]);
  return Object.fromEntries(values) as ValuesOf<S>;
}

function contradictionOf(settings: ValuesOf<typeof SETTINGS>, hasSender: boolean): string | null {
  const { databaseUrl, replicaUrls, databasePooler, smtpUrl, metricsPort, port } = settings;
  if (replicaUrls.length > 0 && databaseUrl === null) {
    return 'DATABASE_URL is required with DATABASE_REPLICA_URL: the embedded PostgreSQL has no replica';
  }
  if (smtpUrl !== null && !hasSender) {
    return 'MAIL_FROM is required with SMTP_URL, such as Fleetsift <fleetsift@example.com>';
  }
  if (databasePooler !== null && databaseUrl === null) {
    return 'DATABASE_URL is required with DATABASE_POOLER: the address of the pooler';
  }
  return metricsPort === port && port !== 0
    ? `METRICS_PORT must be another port than PORT, which is ${port}`
    : null;
}
