/**
 * The composition root: the one place that knows every adapter. `compose` puts a service together for embedders and
 * tests, with any part replaced; run as a program, this file is the command line.
 */
import 'reflect-metadata';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type DestinationStream, type Logger, pino } from 'pino';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import { generateApiKey } from '#adapters/auth/api-key.ts';
import { makeArgon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import { LineTooLongError } from '#adapters/auth/concurrency-limit.ts';
import { makeCredentialVerifier } from '#adapters/auth/credential-verifier.ts';
import { digestSecret } from '#adapters/auth/digest-secret.ts';
import { makeIssueAccessToken } from '#adapters/auth/issue-access-token.ts';
import { currentTotpCode, otpauthTotp } from '#adapters/auth/otpauth-totp.ts';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import { makeTokenKeys, type TokenKeys } from '#adapters/auth/token-keys.ts';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { runProgram } from '#adapters/cli/program.ts';
import { welcome } from '#adapters/cli/welcome.ts';
import { demoFleet } from '#adapters/demo/demo-fleet.ts';
import { randomDemoSecrets } from '#adapters/demo/demo-secrets.ts';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { readInventory } from '#adapters/glpi/read-inventory.ts';
import { createApp } from '#adapters/http/app.ts';
import { serveApp, toUrl } from '#adapters/http/serve.ts';
import { LoadFileError } from '#adapters/load/load-file-error.ts';
import { readLoadFile } from '#adapters/load/read-load-file.ts';
import { makeEmlSender } from '#adapters/mail/eml-sender.ts';
import { makeSmtpSender } from '#adapters/mail/smtp-sender.ts';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { systemClock } from '#adapters/system/clock.ts';
import { uuidV7 } from '#adapters/system/id-generator.ts';
import { type Config, readConfig } from '#adapters/system/read-config.ts';
import { makeSecretBox } from '#adapters/system/secret-box.ts';
import { startWorker, type Worker } from '#adapters/system/worker.ts';
import { makeSystemEntryFactory } from '#application/audit/make-entry.ts';
import { makeReadAuditLog, type ReadAuditLog } from '#application/audit/read-audit-log.ts';
import { type AuthUseCases, makeAuthUseCases } from '#application/auth/auth-use-cases.ts';
import { type CheckPassword, makeCheckPassword } from '#application/auth/check-password.ts';
import type { Backend } from '#application/backend.ts';
import { type CompleteDeletions, makeCompleteDeletions } from '#application/deletion/complete-deletions.ts';
import { type DeletionUseCases, makeDeletionUseCases } from '#application/deletion/deletion-use-cases.ts';
import { makeErasureJob } from '#application/deletion/erasure-job.ts';
import { type FilterUseCases, makeFilterUseCases } from '#application/filters/filter-use-cases.ts';
import { announceMail } from '#application/mail/announce-mail.ts';
import { MAIL_JOB, makeMailJob } from '#application/mail/mail-job.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Log } from '#application/ports/log.ts';
import { makeSearchEverything, type SearchEverything } from '#application/search/search-everything.ts';
import { acquireServiceLock } from './adapters/embedded-postgres/locks/exclusive-service-lock.ts';
import { makeRequireFreshMfa, type RequireFreshMfa } from './application/auth/mfa/require-fresh-mfa.ts';
import type { CredentialVerifier } from './application/ports/auth/credential-verifier.ts';
import type { PasswordHasher } from './application/ports/auth/password-hasher.ts';
import type { PasswordVerifier } from './application/ports/auth/password-verifier.ts';
import type { MailSender } from './application/ports/mail/mail-sender.ts';

/** The parts of a service that an embedder or a test may bring in place of ours. */
export interface Parts {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly hashPassword: PasswordHasher;
  readonly verifyPassword: PasswordVerifier;
  readonly log: Log;
  /** Storage. Brought along, no database is opened. */
  readonly backend: Backend;
  readonly tokenKeys: TokenKeys;
  readonly credentials: CredentialVerifier;
  /** What stands before everything that needs MFA. */
  readonly requireFreshMfa: RequireFreshMfa;
  readonly checkPassword: CheckPassword;
  readonly auth: AuthUseCases;
  readonly filters: FilterUseCases;
  readonly search: SearchEverything;
  readonly deletions: DeletionUseCases;
  /** What the worker does about deletions, for whoever brings a worker of their own. */
  readonly completeDeletions: CompleteDeletions;
  readonly readAuditLog: ReadAuditLog;
}

/** What `compose` needs to know; `readConfig` gives it and more. */
export interface ComposeConfig
  extends Pick<Config, 'databaseUrl' | 'migrate' | 'filterTimeoutMs' | 'trustedProxies' | 'logLevel'> {
  /** Contract: §6, SEARCH_TIMEOUT_MS. Default: 1,000. */
  readonly searchTimeoutMs?: number;
  /** What secrets in the database are encrypted with; where absent or null, the database keeps a key itself. */
  readonly secretKey?: string | null;
  /** Contract: §9, MFA_MAX_AGE_SECONDS. Default: 900. */
  readonly mfaMaxAgeSeconds?: number;
  readonly onProgress?: (message: string) => void;
}

export interface WorkerSettings {
  readonly sendMail: MailSender;
  /** Where users find the service, for the links in mails; without a slash at its end. */
  readonly baseUrl: string;
  /** Milliseconds between two looks for work. */
  readonly intervalMs: number;
}

export interface Composition extends Parts {
  /** The HTTP application: for `serveApp`, for `app.request()`, or to be mounted in another. */
  readonly app: ReturnType<typeof createApp>;
  /** Whether the database that was opened here holds no tenant yet; false where a backend was brought along. */
  isEmpty(): Promise<boolean>;
  /** Starts the work behind the requests. Changes that are made here are then followed at once. */
  startWorker(settings: WorkerSettings): Worker;
  /** Answers `/readyz` with 503 from now on. */
  stopBeingReady(): void;
  /** Closes what was opened here; what was brought along stays open. */
  close(): Promise<void>;
}

const TOKENS: { readonly [K in keyof Parts]: InjectionToken<Parts[K]> } = {
  clock: Symbol('clock'),
  newId: Symbol('newId'),
  hashPassword: Symbol('hashPassword'),
  verifyPassword: Symbol('verifyPassword'),
  log: Symbol('log'),
  backend: Symbol('backend'),
  tokenKeys: Symbol('tokenKeys'),
  credentials: Symbol('credentials'),
  requireFreshMfa: Symbol('requireFreshMfa'),
  checkPassword: Symbol('checkPassword'),
  auth: Symbol('auth'),
  filters: Symbol('filters'),
  search: Symbol('search'),
  deletions: Symbol('deletions'),
  completeDeletions: Symbol('completeDeletions'),
  readAuditLog: Symbol('readAuditLog'),
};

/** Passwords are hashed on at most so many threads at once, so that previews keep the other half of the machine. */
const MAX_CONCURRENT_HASHES = Math.max(1, Math.floor(availableParallelism() / 2));

const DEFAULT_MFA_MAX_AGE_SECONDS = 900;

/** Puts a service together. Rejects where the database cannot be used, with a message that says what to do. */
export async function compose(config: ComposeConfig, overrides: Partial<Parts> = {}): Promise<Composition> {
  const parts = container.createChildContainer();
  const provide = <K extends keyof Parts>(name: K, make: (from: DependencyContainer) => Parts[K]) => {
    const given = overrides[name];
    if (given !== undefined) parts.register<Parts[K]>(TOKENS[name], { useValue: given });
    else parts.register<Parts[K]>(TOKENS[name], { useFactory: instanceCachingFactory(make) });
  };
  provide('clock', () => systemClock);
  provide('newId', () => uuidV7);
  const argon2 = makeArgon2PasswordHasher({ maxConcurrent: MAX_CONCURRENT_HASHES });
  provide('hashPassword', () => argon2.hashPassword);
  provide('verifyPassword', () => argon2.verifyPassword);
  provide('log', () => createLogger(config.logLevel));
  const opened = overrides.backend === undefined ? await openBackend(config, parts) : null;
  const storage = overrides.backend ?? opened ?? fail('a backend was to be brought along');
  let worker: Worker | null = null;
  parts.register<Backend>(TOKENS.backend, {
    useValue: { ...storage, unitOfWork: announceMail(storage.unitOfWork, () => worker?.nudge(MAIL_JOB)) },
  });
  provide('tokenKeys', (from) =>
    makeTokenKeys({
      store: from.resolve(TOKENS.backend).signingKeys,
      clock: from.resolve(TOKENS.clock),
      newId: from.resolve(TOKENS.newId),
    }),
  );
  provide('credentials', (from) =>
    makeCredentialVerifier({
      principals: from.resolve(TOKENS.backend).principals,
      keys: from.resolve(TOKENS.tokenKeys),
      clock: from.resolve(TOKENS.clock),
    }),
  );
  provide('requireFreshMfa', (from) =>
    makeRequireFreshMfa({
      clock: from.resolve(TOKENS.clock),
      maxAgeSeconds: config.mfaMaxAgeSeconds ?? DEFAULT_MFA_MAX_AGE_SECONDS,
    }),
  );
  provide('checkPassword', (from) =>
    makeCheckPassword({
      signIns: from.resolve(TOKENS.backend).signIns,
      verifyPassword: from.resolve(TOKENS.verifyPassword),
      hashPassword: from.resolve(TOKENS.hashPassword),
    }),
  );
  provide('auth', (from) => {
    const ports = { clock: from.resolve(TOKENS.clock), newId: from.resolve(TOKENS.newId) };
    const keys = from.resolve(TOKENS.tokenKeys);
    return makeAuthUseCases({
      ...from.resolve(TOKENS.backend),
      ...ports,
      requireFreshMfa: from.resolve(TOKENS.requireFreshMfa),
      issueAccessToken: makeIssueAccessToken({ ...ports, keys, lifetimeMs: keys.tokenLifetimeMs }),
      verifyPassword: from.resolve(TOKENS.verifyPassword),
      hashPassword: from.resolve(TOKENS.hashPassword),
      totp: otpauthTotp,
      secrets: randomSecrets,
    });
  });
  provide('filters', (from) =>
    makeFilterUseCases({
      ...from.resolve(TOKENS.backend),
      clock: from.resolve(TOKENS.clock),
      newId: from.resolve(TOKENS.newId),
    }),
  );
  provide('search', (from) => makeSearchEverything(from.resolve(TOKENS.backend)));
  provide('deletions', (from) =>
    makeDeletionUseCases({
      ...from.resolve(TOKENS.backend),
      clock: from.resolve(TOKENS.clock),
      newId: from.resolve(TOKENS.newId),
      requireFreshMfa: from.resolve(TOKENS.requireFreshMfa),
      checkPassword: from.resolve(TOKENS.checkPassword),
    }),
  );
  provide('completeDeletions', (from) => {
    const ports = { clock: from.resolve(TOKENS.clock), newId: from.resolve(TOKENS.newId) };
    const { unitOfWork } = from.resolve(TOKENS.backend);
    const log = from.resolve(TOKENS.log);
    return makeCompleteDeletions({
      ...ports,
      unitOfWork,
      makeSystemEntry: makeSystemEntryFactory(ports),
      log,
    });
  });
  provide('readAuditLog', (from) => makeReadAuditLog(from.resolve(TOKENS.backend)));

  const newId = parts.resolve(TOKENS.newId);
  const tokenKeys = parts.resolve(TOKENS.tokenKeys);
  let isStopping = false;
  const app = createApp({
    filters: parts.resolve(TOKENS.filters),
    search: parts.resolve(TOKENS.search),
    auth: parts.resolve(TOKENS.auth),
    deletions: parts.resolve(TOKENS.deletions),
    readAuditLog: parts.resolve(TOKENS.readAuditLog),
    clock: parts.resolve(TOKENS.clock),
    credentials: parts.resolve(TOKENS.credentials),
    publicKeys: tokenKeys.publicKeys,
    readiness: async () => {
      const checks = { ...(await opened?.readiness()), running: !isStopping };
      return { isReady: Object.values(checks).every(Boolean), checks };
    },
    log: parts.resolve(TOKENS.log),
    newRequestId: () => newId(),
    trustedProxies: config.trustedProxies,
    isUnavailable: (error) => isDatabaseUnavailable(error) || error instanceof LineTooLongError,
  });
  return {
    app,
    clock: parts.resolve(TOKENS.clock),
    newId,
    hashPassword: parts.resolve(TOKENS.hashPassword),
    verifyPassword: parts.resolve(TOKENS.verifyPassword),
    log: parts.resolve(TOKENS.log),
    backend: parts.resolve(TOKENS.backend),
    tokenKeys,
    credentials: parts.resolve(TOKENS.credentials),
    requireFreshMfa: parts.resolve(TOKENS.requireFreshMfa),
    checkPassword: parts.resolve(TOKENS.checkPassword),
    auth: parts.resolve(TOKENS.auth),
    filters: parts.resolve(TOKENS.filters),
    search: parts.resolve(TOKENS.search),
    deletions: parts.resolve(TOKENS.deletions),
    completeDeletions: parts.resolve(TOKENS.completeDeletions),
    readAuditLog: parts.resolve(TOKENS.readAuditLog),
    isEmpty: async () => (await opened?.isEmpty()) ?? false,
    startWorker: ({ sendMail, baseUrl, intervalMs }) => {
      const clock = parts.resolve(TOKENS.clock);
      const log = parts.resolve(TOKENS.log);
      const { mailOutbox: outbox } = parts.resolve(TOKENS.backend);
      const jobs = [
        makeMailJob({ outbox, send: sendMail, baseUrl, clock, log, random: Math.random }),
        makeErasureJob(parts.resolve(TOKENS.completeDeletions)),
      ];
      worker = startWorker({ jobs, intervalMs, log });
      return worker;
    },
    stopBeingReady: () => {
      isStopping = true;
    },
    close: async () => {
      await opened?.close();
      await parts.dispose();
    },
  };
}

function openBackend(config: ComposeConfig, parts: DependencyContainer): Promise<PostgresBackend> {
  if (config.databaseUrl === null) fail('compose needs a databaseUrl, or a backend of your own');
  return openPostgresBackend({
    url: config.databaseUrl,
    migrate: config.migrate,
    filterTimeoutMs: config.filterTimeoutMs,
    clock: parts.resolve(TOKENS.clock),
    newId: parts.resolve(TOKENS.newId),
    hashPassword: parts.resolve(TOKENS.hashPassword),
    digestSecret,
    makeSecretBox,
    ...(config.secretKey !== undefined && { secretKey: config.secretKey }),
    ...(config.searchTimeoutMs !== undefined && { searchTimeoutMs: config.searchTimeoutMs }),
    ...(config.onProgress !== undefined && { onProgress: config.onProgress }),
  });
}

/** Lines are written together, as each write takes a thread: as soon as they fill a page, else ten times a second. */
const LOG_WRITES = { minLength: 4_096, periodicFlush: 100, sync: false };

let standardOutput: DestinationStream | undefined;

function createLogger(level: Config['logLevel']): Logger {
  // One for the process: it writes what is left when the process ends.
  standardOutput ??= pino.destination(LOG_WRITES);
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, standardOutput);
}

function fail(message: string): never {
  throw new Error(message);
}

/** How long what is in flight may take when the service is told to stop (Contract: §9). */
const STOP_GRACE_MS = 10_000;

/** Runs the service with the configuration of the environment, until SIGTERM or SIGINT. */
async function serve(config: Config): Promise<void> {
  const database = await openDatabase(config);
  try {
    if (database.isEmbedded) await claimDataDir(database.url, config);
    const service = await compose({ ...config, databaseUrl: database.url, onProgress: tell });
    try {
      const demo = database.isEmbedded && config.demo ? await loadDemo(service) : null;
      const server = await serveApp(service.app, { host: config.host, port: config.port });
      const currentCode = (secret: string) => currentTotpCode(secret, service.clock());
      tell(
        `Fleetsift is ready at ${server.url}${demo === null ? '' : `\n${welcome(demo, server.url, currentCode)}`}`,
      );
      const worker = config.worker ? service.startWorker(workerSettings(config, server.url)) : null;
      await untilStopped();
      service.stopBeingReady();
      tell('stopping: finishing what is in flight');
      await Promise.all([server.close(STOP_GRACE_MS), worker?.stop(STOP_GRACE_MS)]);
    } finally {
      await service.close();
    }
  } finally {
    await database.close();
  }
}

/** Runs what goes on behind the requests and nothing else, until SIGTERM or SIGINT. */
async function work(config: Config): Promise<void> {
  const { host, port } = config;
  await withComposition(config, async (service) => {
    const worker = service.startWorker(workerSettings(config, toUrl(host, port)));
    tell('the worker is running');
    await untilStopped();
    tell('stopping: finishing what is in hand');
    await worker.stop(STOP_GRACE_MS);
  });
}

/** `listensAt` is where the service is found, unless the configuration says better. */
function workerSettings(config: Config, listensAt: string): WorkerSettings {
  const { smtpUrl, mailFrom: from, dataDir } = config;
  const sendMail =
    smtpUrl === null
      ? makeEmlSender({ directory: join(dataDir, 'mail'), from })
      : makeSmtpSender({ url: smtpUrl, from });
  return { sendMail, baseUrl: config.baseUrl ?? listensAt, intervalMs: config.workerIntervalMs };
}

interface OpenDatabase {
  readonly url: string;
  readonly isEmbedded: boolean;
  close(): Promise<void>;
}

async function openDatabase({ databaseUrl, dataDir }: Config): Promise<OpenDatabase> {
  if (databaseUrl !== null) return { url: databaseUrl, isEmbedded: false, close: async () => undefined };
  const embedded = await startEmbeddedPostgres({ dataDir, onProgress: tell });
  return { url: embedded.url, isEmbedded: true, close: () => embedded.stop() };
}

/** One service on a data directory; a second one says so and ends. */
async function claimDataDir(url: string, { dataDir }: Config): Promise<void> {
  const lock = await acquireServiceLock(url);
  if (lock.ok) return;
  throw new CommandFailed(
    `Fleetsift is running on the data directory ${dataDir} already. Stop it first, or set DATA_DIR (and PORT) to run another beside it.`,
  );
}

async function loadDemo(service: Composition): Promise<ReturnType<typeof demoFleet> | null> {
  if (!(await service.isEmpty())) return null;
  tell('loading the demo fleet (DEMO=off leaves it out)');
  const demo = demoFleet(service.clock(), randomDemoSecrets());
  const loaded = await service.backend.fleetWriter(demo.records);
  if (!loaded.ok) fail(`the demo fleet was refused: ${JSON.stringify(loaded.error)}`);
  return demo;
}

function untilStopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  return promise;
}

/** Tells the person at the terminal; standard output is for logs and results. */
function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}

async function withComposition<T>(config: Config, use: (service: Composition) => Promise<T>): Promise<T> {
  const database = await openDatabase(config);
  try {
    const service = await compose({ ...config, databaseUrl: database.url, onProgress: tell });
    try {
      return await use(service);
    } finally {
      await service.close();
    }
  } finally {
    await database.close();
  }
}

function makeRuntime(config: Config): CliRuntime {
  return {
    serve: () => serve(config),
    work: () => work(config),
    migrate: async () => {
      await makeRuntime({ ...config, migrate: true }).withBackend(async () => undefined);
      tell('the database is up to date');
    },
    withBackend: (use) => withComposition(config, ({ backend }) => use(backend)),
    readLoadFile,
    loadFileFaults: (error) => (error instanceof LoadFileError ? error.faults : null),
    readInventory,
    generateApiKey,
    clock: systemClock,
    newId: uuidV7,
  };
}

async function main(): Promise<number> {
  const config = readConfig(process.env);
  if (!config.ok) {
    process.stderr.write(
      `The configuration is wrong:\n${config.error.map((line) => `  ${line}\n`).join('')}`,
    );
    return 1;
  }
  return runProgram(makeRuntime(config.value), process.argv.slice(2));
}

if (import.meta.main) process.exitCode = await main();
