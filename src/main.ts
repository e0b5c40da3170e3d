/**
 * The composition root: the one place that knows every adapter. `compose` puts a service together for embedders and
 * tests, with any part replaced; run as a program, this file is the command line. Modules are imported by what uses
 * them, so that neither a command nor an embedder loads what it does not run.
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { container, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import type { Argon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import type { CachingCredentialVerifier } from '#adapters/auth/credential-verifier.ts';
import type { CliRuntime } from '#adapters/cli/cli-runtime.ts';
import type { Pages } from '#adapters/http/pages.ts';
import type { RunningServer, ServeOptions } from '#adapters/http/serve.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { MetricsServer } from '#adapters/metrics/serve-metrics.ts';
import type { PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { ReplicaChange } from '#adapters/postgres/reads/replicas/replica.ts';
import { systemClock } from '#adapters/system/clock.ts';
import { uuidV7 } from '#adapters/system/id-generator.ts';
import type { Config } from '#adapters/system/read-config.ts';
import type { Worker } from '#adapters/system/worker.ts';
import type { Tracing } from '#adapters/tracing/tracing.ts';
import type { RequestBudgets } from '#application/admission/request-budgets.ts';
import type { Backend } from '#application/backend.ts';
import type { DatabaseTools } from '#application/ports/database-tools.ts';
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { ComposeConfig, Composition, Overrides, Parts } from './main/composition.ts';

export { readConfig } from '#adapters/system/read-config.ts';
export type { ComposeConfig, Composition, Overrides, Parts, WorkerSettings } from './main/composition.ts';

/** The parts, and what they are made of besides each other. */
interface Ingredients extends Parts {
  readonly storage: Storage;
  readonly argon2: Argon2PasswordHasher;
}

/** A backend, and what can be asked of the database behind it. */
type Storage = Pick<
  PostgresBackend,
  'isEmpty' | 'resealSecrets' | 'pools' | 'withFreshness' | 'replicas' | 'close'
> & {
  readonly backend: Backend;
  readonly databaseTools: DatabaseTools | null;
  /** If absent, that of the backend is used. */
  readonly signInUnitOfWork?: UnitOfWork;
  readonly readiness: () => Promise<Readonly<Record<string, boolean>>>;
};

/** One composition: its configuration, and what changes while it runs. */
interface Run {
  readonly config: ComposeConfig & typeof DEFAULTS;
  readonly ports: Partial<Backend>;
  isStopping: boolean;
  worker: Worker | null;
  credentials: CachingCredentialVerifier | null;
}

/** The ingredients with these names; each is made once per composition. */
type Resolve = <K extends keyof Ingredients>(...names: readonly K[]) => Promise<Pick<Ingredients, K>>;

type Factories<Made> = {
  readonly [K in keyof Made]: (from: Resolve, run: Run) => Made[K] | Promise<Made[K]>;
};

const PARTS: Factories<Parts> = {
  clock: () => systemClock,
  newId: () => uuidV7,
  hashPassword: async (from) => (await from('argon2')).argon2.hashPassword,
  verifyPassword: async (from) => (await from('argon2')).argon2.verifyPassword,
  log: async (_, { config }) => (await import('#adapters/system/logger.ts')).makeLogger(config.logLevel),
  backend: async (from, run) => {
    const { backend } = (await from('storage')).storage;
    return { ...backend, ...(await announcing(backend, run)), ...(await limiting(backend, run)) };
  },
  tokenKeys: async (from) => {
    const { makeTokenKeys } = await import('#adapters/auth/token-keys.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeTokenKeys({ ...deps, store: backend.signingKeys });
  },
  credentials: async (from, run) => {
    const { makeCredentialVerifier } = await import('#adapters/auth/credential-verifier.ts');
    const { backend, tokenKeys, clock } = await from('backend', 'tokenKeys', 'clock');
    run.credentials = makeCredentialVerifier({ principals: backend.principals, keys: tokenKeys, clock });
    return run.credentials;
  },
  requireFreshMfa: async (from, { config }) => {
    const { makeRequireFreshMfa } = await import('#application/auth/mfa/require-fresh-mfa.ts');
    const maxAgeSeconds = config.mfaMaxAgeSeconds ?? DEFAULT_MFA_MAX_AGE_SECONDS;
    return makeRequireFreshMfa({ ...(await from('clock')), maxAgeSeconds });
  },
  checkPassword: async (from) => {
    const { makeCheckPassword } = await import('#application/auth/check-password.ts');
    const { backend, ...deps } = await from('backend', 'verifyPassword', 'hashPassword');
    return makeCheckPassword({ ...deps, signIns: backend.signIns });
  },
  auth: async (from, run) => {
    const { makeAuthUseCases } = await import('#application/auth/auth-use-cases.ts');
    const { makeIssueAccessToken } = await import('#adapters/auth/issue-access-token.ts');
    const { otpauthTotp } = await import('#adapters/auth/otpauth-totp.ts');
    const { randomSecrets } = await import('#adapters/auth/secret-generator.ts');
    const { backend, tokenKeys: keys, storage } = await from('backend', 'tokenKeys', 'storage');
    const { signInUnitOfWork } = storage;
    const deps = await from('clock', 'newId', 'requireFreshMfa', 'verifyPassword', 'hashPassword');
    const issueAccessToken = makeIssueAccessToken({ ...deps, keys, lifetimeMs: keys.tokenLifetimeMs });
    return makeAuthUseCases({
      ...backend,
      ...(signInUnitOfWork !== undefined &&
        (await announcing({ ...backend, unitOfWork: signInUnitOfWork }, run))),
      ...deps,
      issueAccessToken,
      totp: otpauthTotp,
      secrets: randomSecrets,
    });
  },
  filters: async (from) => {
    const { makeFilterUseCases } = await import('#application/filters/filter-use-cases.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeFilterUseCases({ ...backend, ...deps });
  },
  customFields: async (from) => {
    const { makeCustomFieldUseCases } = await import('#application/custom-fields/custom-field-use-cases.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeCustomFieldUseCases({ ...backend, ...deps });
  },
  enrolment: async (from) => {
    const { makeEnrolmentUseCases } = await import('#application/enrolment/enrolment-use-cases.ts');
    const { randomSecrets: secrets } = await import('#adapters/auth/secret-generator.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'requireFreshMfa');
    return makeEnrolmentUseCases({ ...backend, ...deps, secrets });
  },
  reporters: async (from) => {
    const { makeReporterVerifier } = await import('#adapters/auth/reporter-verifier.ts');
    const { backend, clock } = await from('backend', 'clock');
    return makeReporterVerifier({ ...backend, clock });
  },
  // Loaded by the first machine that reports.
  readMessage: () => async (document) => {
    const { readDocument } = await import('#adapters/glpi/messages/message-reader.ts');
    return readDocument(document);
  },
  answerAgent: async (from) => {
    const { makeAnswerAgent } = await import('#application/inventory/answer-agent.ts');
    const { makeVisitEntryFactory } = await import('#application/audit/make-entry.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'readMessage', 'reporters');
    return makeAnswerAgent({ ...backend, ...deps, makeVisitEntry: makeVisitEntryFactory(deps) });
  },
  takeInventory: async (from) => {
    const { makeTakeInventory } = await import('#application/inventory/take-inventory.ts');
    const { makeEntryFactory } = await import('#application/audit/make-entry.ts');
    const { makeDeny } = await import('#application/audit/deny.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'readMessage');
    const makeEntry = makeEntryFactory(deps);
    const deny = makeDeny({ ...backend, makeEntry });
    return makeTakeInventory({ ...backend, ...deps, makeEntry, deny });
  },
  devices: async (from, { config }) => {
    const { makeDeviceUseCases } = await import('#application/devices/device-use-cases.ts');
    const { makeCursorSigner } = await import('#adapters/auth/cursor-signer.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    const cursors = makeCursorSigner(backend.cursorKey);
    return makeDeviceUseCases({ ...backend, ...deps, cursors, filterTimeoutMs: config.filterTimeoutMs });
  },
  exportDevices: async (from) => {
    const { makeDeviceExport } = await import('#application/devices/make-device-export.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'log');
    return makeDeviceExport({ ...backend, ...deps });
  },
  search: async (from) => {
    const { makeSearchEverything } = await import('#application/search/search-everything.ts');
    return makeSearchEverything((await from('backend')).backend);
  },
  fleet: async (from) => {
    const { makeFleetUseCases } = await import('#application/fleet/fleet-use-cases.ts');
    const { backend, clock } = await from('backend', 'clock');
    return makeFleetUseCases({ ...backend, clock });
  },
  deletions: async (from) => {
    const { makeDeletionUseCases } = await import('#application/deletion/deletion-use-cases.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'requireFreshMfa', 'checkPassword');
    return makeDeletionUseCases({ ...backend, ...deps });
  },
  completeDeletions: async (from) => {
    const { makeCompleteDeletions } = await import('#application/deletion/complete-deletions.ts');
    const { makeSystemEntryFactory } = await import('#application/audit/make-entry.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'log');
    const { unitOfWork } = backend;
    return makeCompleteDeletions({ ...deps, unitOfWork, makeSystemEntry: makeSystemEntryFactory(deps) });
  },
  readAuditLog: async (from) => {
    const { makeReadAuditLog } = await import('#application/audit/read-audit-log.ts');
    return makeReadAuditLog((await from('backend')).backend);
  },
  sendMail: () => null,
};

const INGREDIENTS: Factories<Ingredients> = {
  ...PARTS,
  storage: async (from, run) => withPorts(await openStorage(from, run), run.ports),
  argon2: async () => {
    const { makeArgon2PasswordHasher } = await import('#adapters/auth/argon2-password-hasher.ts');
    const { availableParallelism } = await import('node:os');
    // Half of the machine stays free for previews.
    return makeArgon2PasswordHasher({ maxConcurrent: Math.max(1, Math.floor(availableParallelism() / 2)) });
  },
};

/** Changes are announced to what this process has to do about them at once: mails are sent, access is read anew. */
async function announcing(changes: Pick<Backend, 'unitOfWork' | 'fleetWriter'>, run: Run) {
  const { announceAccessChanges } = await import('#application/auth/announce-access-changes.ts');
  const { announceMail } = await import('#application/mail/announce-mail.ts');
  const { MAIL_JOB } = await import('#application/mail/mail-job.ts');
  const announced = announceAccessChanges(changes, (userId) => run.credentials?.forget(userId));
  return { ...announced, unitOfWork: announceMail(announced.unitOfWork, () => run.worker?.nudge(MAIL_JOB)) };
}

/** Refusals are counted where there are metrics. */
async function limiting({ rateLimiter }: Pick<Backend, 'rateLimiter'>, { config: { metrics } }: Run) {
  if (metrics === undefined) return { rateLimiter };
  const { measureRateLimiter } = await import('#adapters/metrics/measure.ts');
  return { rateLimiter: measureRateLimiter(rateLimiter, metrics) };
}

const DEFAULT_MFA_MAX_AGE_SECONDS = 900;

/** A day, which is how long agents stay silent by default, and an hour. */
const DEFAULT_OFFLINE_AFTER_MINUTES = 1_500;

/** As `readConfig` has them. */
const DEFAULTS: Required<Pick<Config, 'migrate' | 'filterTimeoutMs' | 'trustedProxies' | 'logLevel'>> = {
  migrate: true,
  filterTimeoutMs: 2_000,
  trustedProxies: [],
  logLevel: 'info',
};

/** Puts a service together. Rejects if the database cannot be used, with a message that says what to do. */
export async function compose(given: ComposeConfig, overrides: Overrides = {}): Promise<Composition> {
  const config = { ...DEFAULTS, ...given };
  const { backend, ...others } = overrides;
  const { parts, ports } = partsAndPorts(others);
  const run: Run = { config, ports, isStopping: false, worker: null, credentials: null };
  const supplied: Partial<Ingredients> = {
    ...parts,
    ...(backend !== undefined && { storage: withPorts(keepOpen(backend), ports) }),
  };
  const scope = container.createChildContainer();
  const from: Resolve = async (...names) => {
    const entries = names.map(async (name) => [name, await scope.resolve(tokenOf(name))] as const);
    return Object.fromEntries(await Promise.all(entries)) as Pick<Ingredients, (typeof names)[number]>;
  };
  for (const name of Object.keys(INGREDIENTS) as (keyof Ingredients)[]) {
    const value = supplied[name];
    const make = instanceCachingFactory(() => INGREDIENTS[name](from, run));
    if (value !== undefined) scope.register(tokenOf(name), { useValue: value });
    else scope.register(tokenOf(name), { useFactory: make });
  }
  const close = async () => (await from('storage')).storage.close();
  try {
    const made = await from(...(Object.keys(PARTS) as (keyof Parts)[]));
    const { storage } = await from('storage');
    return {
      ...made,
      app: await makeApp(made, storage, run),
      isEmpty: storage.isEmpty,
      resealSecrets: storage.resealSecrets,
      databaseTools: storage.databaseTools,
      startWorker: await prepareWorker(made, run),
      stopBeingReady: () => {
        run.isStopping = true;
      },
      close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

function tokenOf(name: keyof Ingredients): InjectionToken<Ingredients[keyof Ingredients]> {
  return Symbol.for(`fleetsift:${name}`);
}

async function openStorage(from: Resolve, { config }: Run): Promise<Storage> {
  const { databaseUrl: url, secretKey, previousSecretKey, searchTimeoutMs, onProgress } = config;
  const { databaseConnections, databasePooler = null } = config;
  const { replicaUrls, replicaMaxLagMs } = config;
  if (url === null) throw new Error('compose needs a databaseUrl, or a backend must be supplied');
  const { openPostgresBackend } = await import('#adapters/postgres/postgres-backend.ts');
  const { digestSecret } = await import('#adapters/auth/digest-secret.ts');
  const { makeSecretBox } = await import('#adapters/system/secret-box.ts');
  const backend = await openPostgresBackend({
    ...(await from('clock', 'newId', 'hashPassword')),
    url,
    databasePooler,
    migrate: config.migrate,
    filterTimeoutMs: config.filterTimeoutMs,
    digestSecret,
    makeSecretBox,
    ...(secretKey !== undefined && { secretKey }),
    ...(previousSecretKey !== undefined && { previousSecretKey }),
    ...(searchTimeoutMs !== undefined && { searchTimeoutMs }),
    ...(databaseConnections !== undefined && { databaseConnections }),
    ...(onProgress !== undefined && { onProgress }),
    ...(replicaUrls !== undefined && { replicaUrls }),
    ...(replicaMaxLagMs !== undefined && { replicaMaxLagMs }),
    onReplicaChange: await replicaReporter(from),
  });
  return { ...backend, backend, readiness: async () => ({ ...(await backend.readiness()) }) };
}

/** One line when a replica is passed over, and one when it is used again. */
async function replicaReporter(from: Resolve) {
  const { log } = await from('log');
  return ({ isUsed, ...facts }: ReplicaChange) =>
    isUsed ? log.info(facts, 'replica is used') : log.warn(facts, 'replica is passed over');
}

/** Overrides by where they belong: what is no part is a port of the backend. */
function partsAndPorts({ savedFilters, customFieldSource, ...overrides }: Omit<Overrides, 'backend'>) {
  const isPart = ([name]: [string, unknown]) => Object.hasOwn(PARTS, name);
  const entries = Object.entries(overrides).filter(([, value]) => value !== undefined);
  const parts: Partial<Omit<Parts, 'backend'>> = Object.fromEntries(entries.filter(isPart));
  const ports: Partial<Backend> = {
    ...Object.fromEntries(entries.filter((entry) => !isPart(entry))),
    ...(savedFilters !== undefined && { filters: savedFilters }),
    ...(customFieldSource !== undefined && { customFields: customFieldSource }),
  };
  return { parts, ports };
}

/** Signing in has a unit of work of its own, unless another one takes the place of every one. */
function withPorts({ signInUnitOfWork, ...storage }: Storage, ports: Partial<Backend>): Storage {
  const ownSignIn = ports.unitOfWork === undefined && signInUnitOfWork !== undefined;
  return { ...storage, backend: { ...storage.backend, ...ports }, ...(ownSignIn && { signInUnitOfWork }) };
}

/** Somebody else's backend: theirs to watch over and to close. */
function keepOpen(backend: Backend): Storage {
  return {
    backend,
    isEmpty: async () => false,
    resealSecrets: async () => ({ resealed: 0, unreadable: 0 }),
    databaseTools: null,
    pools: () => [],
    readiness: async () => ({}),
    close: async () => undefined,
  };
}

async function makeApp(parts: Parts, storage: Storage, run: Run): Promise<Composition['app']> {
  const { readiness, withFreshness } = storage;
  const { createApp } = await import('#adapters/http/app.ts');
  const { isDatabaseUnavailable, isRefusedInMaintenance } = await import(
    '#adapters/postgres/database-error.ts'
  );
  const { PasswordQueueFullError } = await import('#application/ports/auth/password-verifier.ts');
  return createApp({
    ...parts,
    publicKeys: parts.tokenKeys.publicKeys,
    newRequestId: () => parts.newId(),
    version: packageJson.version,
    trustedProxies: run.config.trustedProxies,
    baseUrl: run.config.baseUrl ?? null,
    ...(run.config.inventoryExpirationHours !== undefined && {
      inventoryExpirationHours: run.config.inventoryExpirationHours,
    }),
    budgets: run.config.budgets ?? (await suitableBudgets(storage.pools, run)),
    ...(run.config.findPages !== undefined && { findPages: run.config.findPages }),
    ...(run.config.tracing !== undefined && { traceRequest: run.config.tracing.traceRequest }),
    ...(run.config.metrics !== undefined && (await measured(parts, storage, run.config.metrics))),
    ...(withFreshness !== undefined && { withFreshness }),
    isRefusedInMaintenance,
    isUnavailable: (error) => isDatabaseUnavailable(error) || error instanceof PasswordQueueFullError,
    readiness: async () => {
      const checks = { ...(await readiness()), running: !run.isStopping };
      return { isReady: Object.values(checks).every(Boolean), checks };
    },
  });
}

/** For the pools of the database that was opened; for somebody else's backend, for those that ours usually has. */
async function suitableBudgets(pools: Storage['pools'], { config }: Run): Promise<RequestBudgets> {
  const { budgetsFor, USUAL_CONNECTIONS } = await import('#application/admission/request-budgets.ts');
  const { availableParallelism } = await import('node:os');
  const connections = Object.fromEntries(pools().map(({ pool, size }) => [pool, size]));
  return budgetsFor({
    connections: { ...USUAL_CONNECTIONS, ...connections },
    cores: config.databaseCores ?? availableParallelism(),
  });
}

/** What is measured, and where the measurements go. */
async function measured(
  { filters, search, backend, clock }: Parts,
  { pools, replicas }: Pick<Storage, 'pools' | 'replicas'>,
  metrics: Metrics,
) {
  const { measureFilters, measureSearch } = await import('#adapters/metrics/measure.ts');
  const { readBacklog } = backend;
  metrics.watch({ pools, readBacklog, clock, ...(replicas !== undefined && { replicas }) });
  return {
    filters: measureFilters(filters, metrics),
    search: measureSearch(search, metrics),
    noteRequest: metrics.noteRequest,
    noteRefusal: metrics.noteRefusal,
  };
}

async function prepareWorker(parts: Parts, run: Run): Promise<Composition['startWorker']> {
  const { startWorker } = await import('#adapters/system/worker.ts');
  const { makeMailJob } = await import('#application/mail/mail-job.ts');
  const { makeAuditMonthsJob } = await import('#application/audit/audit-months-job.ts');
  const { makeSystemEntryFactory } = await import('#application/audit/make-entry.ts');
  const { makeErasureJob } = await import('#application/deletion/erasure-job.ts');
  const { makeSilenceJob } = await import('#application/fleet/silence-job.ts');
  const { makeTidySearchJob } = await import('#application/search/tidy-search-job.ts');
  const { backend, clock, newId, log, completeDeletions } = parts;
  const makeSystemEntry = makeSystemEntryFactory({ clock, newId });
  return (settings) => {
    const { sendMail: send = parts.sendMail, removeMailCopies: removeCopies, baseUrl, intervalMs } = settings;
    if (send === null) throw new Error('startWorker needs a sendMail: give it one, or give one to compose');
    const { auditRetentionDays: retentionDays = null } = settings;
    const { offlineAfterMinutes = DEFAULT_OFFLINE_AFTER_MINUTES } = settings;
    const { mailOutbox: outbox } = backend;
    const mail = makeMailJob({ outbox, send, removeCopies, baseUrl, clock, log, random: Math.random });
    const { auditArchive: archive } = backend;
    const auditMonths = makeAuditMonthsJob({ archive, retentionDays, makeSystemEntry, clock, log });
    const silence = makeSilenceJob({ markSilent: backend.markSilent, offlineAfterMinutes, clock });
    const tidySearch = makeTidySearchJob({ tidySearch: backend.tidySearch, clock });
    const jobs = [mail, makeErasureJob(completeDeletions), auditMonths, silence, tidySearch];
    const worker = startWorker({ jobs, intervalMs, log });
    run.worker = worker;
    return worker;
  };
}

/** Answers HTTP requests with a service, at an address of this machine. */
export async function serve(
  service: Pick<Composition, 'app'>,
  options: ServeOptions,
): Promise<RunningServer> {
  const { serveApp } = await import('#adapters/http/serve.ts');
  return serveApp(service.app, options);
}

/** The records of a load file, for `backend.fleetWriter`; throws with every fault and its line. */
export async function* readLoadFile(path: string): AsyncIterable<LocatedRecord> {
  const load = await import('#adapters/load/read-load-file.ts');
  yield* load.readLoadFile(path);
}

function makeRuntime(config: Config, report: (message: string) => void): CliRuntime {
  return {
    version: packageJson.version,
    config,
    clock: systemClock,
    newId: uuidV7,
    bindServer: async () => (await import('#adapters/http/serve.ts')).bindServer(config),
    startEmbeddedDatabase: async () => {
      const { startEmbeddedPostgres } = await import('#adapters/embedded-postgres/embedded-postgres.ts');
      return startEmbeddedPostgres({ dataDir: config.dataDir, onProgress: report });
    },
    openService: async (databaseUrl, { migrate = config.migrate } = {}) => {
      let pages: Pages | null = null;
      const findPages = () => pages;
      let metricsServer: MetricsServer | null = null;
      const metrics = config.metricsPort === null ? null : await openMetrics();
      const tracing = await openTracing(config);
      const service = await compose({
        ...{ ...config, migrate, databaseUrl, onProgress: report, findPages },
        ...(metrics !== null && { metrics }),
        ...(tracing !== null && { tracing }),
      });
      const { toUrl } = await import('#adapters/http/serve.ts');
      return {
        ...service,
        prepare: async () => {
          pages = await openConsole(config, report);
        },
        answer: (server) => server.answerWith(service.app),
        close: async () => {
          await service.close();
          await metricsServer?.close();
          await tracing?.shutdown();
        },
        serveMetrics: async () => {
          if (metrics === null || config.metricsPort === null) return null;
          const { serveMetrics } = await import('#adapters/metrics/serve-metrics.ts');
          metricsServer = await serveMetrics(metrics, { host: config.host, port: config.metricsPort });
          return metricsServer.url;
        },
        startWorker: async (listensAt = toUrl(config.host, config.port)) =>
          service.startWorker({
            ...(await makeMailing(config, tracing)),
            baseUrl: config.baseUrl ?? listensAt,
            intervalMs: config.workerIntervalMs,
            auditRetentionDays: config.auditRetentionDays,
            offlineAfterMinutes: config.offlineAfterMinutes,
          }),
      };
    },
    makeDemo: async (now) => {
      const { demoFleet } = await import('#adapters/demo/demo-fleet.ts');
      const { randomDemoSecrets } = await import('#adapters/demo/demo-secrets.ts');
      const { currentTotpCode } = await import('#adapters/auth/otpauth-totp.ts');
      return { ...demoFleet(now, randomDemoSecrets()), currentTotpCode };
    },
    importLoadFiles: async () => {
      const { LoadFileError } = await import('#adapters/load/load-file-error.ts');
      const { printRecord } = await import('#adapters/load/print-record.ts');
      return { ...(await import('#adapters/load/read-load-file.ts')), LoadFileError, printRecord };
    },
    importInventories: () => import('#adapters/glpi/read-inventory.ts'),
    importSecrets: async () => (await import('#adapters/auth/secret-generator.ts')).randomSecrets,
    explainFailure: async (error) => {
      const { isRefusedInMaintenance } = await import('#adapters/postgres/database-error.ts');
      return isRefusedInMaintenance(error)
        ? 'what belongs to a partner in maintenance cannot be changed; nothing was. It takes changes again after: partner maintenance off'
        : null;
    },
    listensAt: async () => (await import('#adapters/http/serve.ts')).toUrl(config.host, config.port),
    makeOpenApiDocument: async () => {
      const { makeOpenApiDocument } = await import('#adapters/http/openapi/openapi-document.ts');
      return makeOpenApiDocument(packageJson.version);
    },
  };
}

/** Null where no collector is configured. */
async function openTracing({ traceEndpoint: endpoint }: Config): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { startTracing } = await import('#adapters/tracing/tracing.ts');
  return startTracing({ endpoint, version: packageJson.version });
}

async function openMetrics(): Promise<Metrics> {
  return (await import('#adapters/metrics/metrics.ts')).makeMetrics();
}

/** The console; null, with a word on what to do, where it cannot be built. */
async function openConsole({ hostPages }: Config, report: (message: string) => void): Promise<Pages | null> {
  const { ensureConsole } = await import('#adapters/web/build/build-console.ts');
  const { openConsoleFiles } = await import('#adapters/web/serve/console-files.ts');
  try {
    const directory = await ensureConsole(() => report('building the console (once)'));
    return await openConsoleFiles(directory, hostPages);
  } catch (error) {
    report(`There is no console, only the API: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** Files are removed with a mail server as well, since they may be from before there was one. */
async function makeMailing({ smtpUrl: url, mailFrom: from, dataDir }: Config, tracing: Tracing | null) {
  const traced = tracing?.traceMails ?? ((send) => send);
  const { makeEmlRemover, makeEmlSender } = await import('#adapters/mail/eml-sender.ts');
  const directory = join(dataDir, 'mail');
  const removeMailCopies = makeEmlRemover({ directory });
  if (url === null) return { sendMail: traced(makeEmlSender({ directory, from })), removeMailCopies };
  const { makeSmtpSender } = await import('#adapters/mail/smtp-sender.ts');
  return { sendMail: traced(makeSmtpSender({ url, from })), removeMailCopies };
}

/** Runs one command of the command line; resolves with the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const { report } = await import('#adapters/cli/terminal/report.ts');
  const { readConfig } = await import('#adapters/system/read-config.ts');
  const config = readConfig(process.env);
  if (!config.ok) {
    report(['Invalid configuration:', ...config.error].join('\n  '));
    return 1;
  }
  const { runProgram } = await import('#adapters/cli/program.ts');
  return runProgram(makeRuntime(config.value, report), args);
}

if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2));
