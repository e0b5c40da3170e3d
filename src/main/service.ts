import { availableParallelism } from 'node:os';
import type { Argon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import type { CachingCredentialVerifier } from '#adapters/auth/credential-verifier.ts';
import type { Pages } from '#adapters/http/pages.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { Config } from '#adapters/system/read-config.ts';
import type { Worker } from '#adapters/system/worker.ts';
import type { HostPages } from '#adapters/web/places.ts';
import type { RequestBudgets } from '#application/admission/request-budgets.ts';
import type { Backend } from '#application/backend.ts';
import type { SharedClock } from '#application/ports/clock.ts';
import type { DatabaseTools } from '#application/ports/database-tools.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { DEFAULT_CHANGES_COUNT, DEFAULT_CHANGES_DAYS } from '#domain/limits.ts';
import type { ComposeConfig, Composition, Parts } from './composition.ts';

export async function makeApp(parts: Parts, storage: Storage, run: Run): Promise<Composition['app']> {
  const { readiness, withFreshness } = storage;
  const { createApp } = await import('#adapters/http/app.ts');
  const { makeCursorSigner } = await import('#adapters/auth/cursor-signer.ts');
  const { isDatabaseUnavailable, isDiskFull, isRefusedInMaintenance } = await import(
    '#adapters/postgres/database-error.ts'
  );
  const { makeWatchedFiltersState } = await import('#application/live/watched-filters-state.ts');
  const { PasswordQueueFullError } = await import('#application/ports/auth/password-verifier.ts');
  const watchedFiltersState = makeWatchedFiltersState({
    readBacklog: parts.backend.readBacklog,
    clock: parts.clock,
  });
  return createApp({
    ...parts,
    publicKeys: parts.tokenKeys.publicKeys,
    cursors: makeCursorSigner(parts.backend.cursorKey),
    newRequestId: () => parts.newId(),
    isStopping: () => run.isStopping,
    version: run.version,
    trustedProxies: run.config.trustedProxies,
    baseUrl: run.config.baseUrl ?? null,
    budgets: run.config.budgets ?? (await suitableBudgets(storage.pools, run)),
    ...(run.config.findPages !== undefined && { findPages: run.config.findPages }),
    ...(run.config.tracing !== undefined && { traceRequest: run.config.tracing.traceRequest }),
    ...(run.config.metrics !== undefined && (await measured(parts, storage, run.config.metrics))),
    ...(withFreshness !== undefined && { withFreshness }),
    isRefusedInMaintenance,
    isDiskFull,
    isUnavailable: (error) => isDatabaseUnavailable(error) || error instanceof PasswordQueueFullError,
    readiness: async () => {
      const checks = { ...(await readiness()), running: !run.isStopping };
      return { isReady: Object.values(checks).every(Boolean), checks, watchedFilters: watchedFiltersState() };
    },
  });
}

async function suitableBudgets(pools: Storage['pools'], { config }: Run): Promise<RequestBudgets> {
  const { budgetsFor, USUAL_CONNECTIONS } = await import('#application/admission/request-budgets.ts');
  const atPrimary = pools().filter(({ replica }) => replica === undefined);
  const connections = Object.fromEntries(atPrimary.map(({ pool, size }) => [pool, size]));
  return budgetsFor({
    connections: { ...USUAL_CONNECTIONS, ...connections },
    cores: config.databaseCores ?? availableParallelism(),
  });
}

async function measured(
  { auth, filters, search, backend, clock }: Parts,
  { pools, replicas }: Pick<Storage, 'pools' | 'replicas'>,
  metrics: Metrics,
) {
  const { measureAuth, measureFilters, measureSearch } = await import('#adapters/metrics/measure.ts');
  const { readBacklog } = backend;
  metrics.watch({ pools, readBacklog, clock, ...(replicas !== undefined && { replicas }) });
  return {
    auth: measureAuth(auth, metrics),
    filters: measureFilters(filters, metrics),
    search: measureSearch(search, metrics),
    noteRequest: metrics.noteRequest,
    noteRefusal: metrics.noteRefusal,
    noteDiskFull: metrics.noteDiskFull,
  };
}

export interface ConsoleSettings {
  /** Where the console finds pages of the host product. Default: none. */
  readonly hostPages?: HostPages;
  /** As in `ComposeConfig`. */
  readonly baseUrl?: string | null;
  /** Reports progress when a checkout builds the console, which happens once. */
  readonly onProgress?: (message: string) => void;
}

const NOWHERE: HostPages = { incidents: null, remoteAccess: null, vulnerabilities: null };

export async function openConsole({
  hostPages = NOWHERE,
  baseUrl = null,
  onProgress,
}: ConsoleSettings): Promise<Pages> {
  const { ensureConsole } = await import('#adapters/web/build/build-console.ts');
  const { openConsoleFiles } = await import('#adapters/web/serve/console-files.ts');
  const directory = await ensureConsole(() => onProgress?.('building the console (once)'));
  const { basePathOf } = await import('#adapters/http/read/base-path.ts');
  return openConsoleFiles(directory, { hostPages, basePath: basePathOf(baseUrl) });
}

export async function prepareWorker(
  parts: Parts,
  cautiousClock: SharedClock,
  run: Run,
): Promise<Composition['startWorker']> {
  const { startWorker } = await import('#adapters/system/worker.ts');
  const { makeMailJob } = await import('#application/mail/mail-job.ts');
  const { makeResetJob } = await import('#application/auth/links/password-reset.ts');
  const { randomSecrets } = await import('#adapters/auth/secret-generator.ts');
  const { makeAuditMonthsJob } = await import('#application/audit/audit-months-job.ts');
  const { makeSystemEntryFactory } = await import('#application/audit/make-entry.ts');
  const { makeErasureJob } = await import('#application/deletion/complete-deletions.ts');
  const { makeReminderJob } = await import('#application/deletion/mail-reviewers.ts');
  const { makeBulkChangesJob, makeSilenceJob, makeUnusedTitlesJob } = await import(
    '#application/fleet/fleet-jobs.ts'
  );
  const live = await import('#application/live/membership-jobs.ts');
  const { makeEvaluateMemberships } = await import('#application/live/evaluate-memberships.ts');
  const { makeFilterMailsJob } = await import('#application/live/filter-mails-job.ts');
  const { makeWebhookJob } = await import('#application/live/webhook-job.ts');
  const { makeCursorSigner } = await import('#adapters/auth/cursor-signer.ts');
  const { translatePattern } = await import('#adapters/postgres-regex/translate-pattern.ts');
  const { makeTidySearchJob } = await import('#application/search/tidy-search-job.ts');
  const presence = await import('#domain/inventory/presence.ts');
  const { backend, clock, newId, log, completeDeletions } = parts;
  const {
    metrics,
    contactMinutes = presence.DEFAULT_CONTACT_MINUTES,
    inventoryExpirationHours: expirationHours = presence.DEFAULT_EXPIRATION_HOURS,
  } = run.config;
  const makeSystemEntry = makeSystemEntryFactory({ clock, newId });
  const measure = metrics === undefined ? null : await import('#adapters/metrics/measure.ts');
  return (settings) => {
    const { sendMail = parts.sendMail, removeMailCopies: removeCopies, baseUrl, intervalMs } = settings;
    if (sendMail === null) throw new Error('startWorker needs a sendMail: pass one to it or to compose');
    const send =
      measure === null || metrics === undefined ? sendMail : measure.measureMails(sendMail, metrics);
    const { auditRetentionDays: retentionDays = null } = settings;
    const { offlineAfterMinutes = null } = settings;
    const silenceMinutes = presence.silenceMinutes({ contactMinutes, expirationHours, offlineAfterMinutes });
    const { mailOutbox: outbox, sharedClock } = backend;
    const mail = makeMailJob({
      ...{ outbox, send, removeCopies, baseUrl, clock, sharedClock, log },
      random: Math.random,
    });
    const { auditArchive: archive } = backend;
    const auditMonths = makeAuditMonthsJob({
      ...{ archive, retentionDays, makeSystemEntry, log },
      clock: cautiousClock,
    });
    const silence = makeSilenceJob({ ...backend, silenceMinutes, intervalMs, clock });
    const tidySearch = makeTidySearchJob({ tidySearch: backend.tidySearch, clock });
    const { removeBulkChanges, removeUnusedTitles } = backend;
    const unusedTitles = makeUnusedTitlesJob({ removeUnusedTitles, clock });
    const bulkChanges = makeBulkChangesJob({ removeBulkChanges, clock: cautiousClock });
    const erasure = makeErasureJob(completeDeletions);
    const reminders = makeReminderJob({ unitOfWork: backend.unitOfWork, clock: cautiousClock });
    const resets = makeResetJob({ unitOfWork: backend.unitOfWork, secrets: randomSecrets, clock, newId });
    const { memberships: members } = backend;
    const evaluate = makeEvaluateMemberships({ memberships: members, translatePattern, clock });
    const memberships = live.makeMembershipsJob({ memberships: members, evaluate, clock });
    const oldChanges = live.makeOldChangesJob({
      memberships: members,
      retentionDays: settings.changesRetentionDays ?? DEFAULT_CHANGES_DAYS,
      retentionCount: settings.changesRetentionCount ?? DEFAULT_CHANGES_COUNT,
      clock: cautiousClock,
    });
    const sendWebhook =
      measure === null || metrics === undefined
        ? parts.sendWebhook
        : measure.measureWebhooks(parts.sendWebhook, metrics);
    const webhooks = makeWebhookJob({
      ...{ queue: backend.subscriptionQueue, memberships: members, filters: backend.filters },
      ...{ unitOfWork: backend.unitOfWork, send: sendWebhook, makeSystemEntry, newId, log },
      ...{ clock, sharedClock },
      cursors: makeCursorSigner(backend.cursorKey),
    });
    const jobs = [
      ...[mail, resets, reminders, erasure, auditMonths, silence, tidySearch, unusedTitles, bulkChanges],
      ...[memberships, oldChanges, makeFilterMailsJob({ ...backend, newId }), webhooks],
    ];
    const worker = startWorker({
      jobs:
        measure === null || metrics === undefined
          ? jobs
          : jobs.map((job) => measure.measureJob(job, metrics)),
      ...{ intervalMs, log },
    });
    run.worker = worker;
    return worker;
  };
}

/** After a change, this process sends queued mails at once and reloads the access of the users concerned. */
export async function announcing(changes: Pick<Backend, 'unitOfWork' | 'fleetWriter'>, run: Run) {
  const { announceAccessChanges } = await import('#application/auth/announce-access-changes.ts');
  const { announceMail } = await import('#application/mail/announce-mail.ts');
  const { MAIL_JOB } = await import('#application/mail/mail-job.ts');
  const announced = announceAccessChanges(changes, (userId) => run.credentials?.forget(userId));
  return { ...announced, unitOfWork: announceMail(announced.unitOfWork, () => run.worker?.nudge(MAIL_JOB)) };
}

export interface Ingredients extends Parts {
  readonly storage: Storage;
  readonly argon2: Argon2PasswordHasher;
  /** For actions that cannot be undone. */
  readonly cautiousClock: SharedClock;
}

export type Storage = Pick<
  PostgresBackend,
  'isEmpty' | 'resealSecrets' | 'pools' | 'withFreshness' | 'replicas' | 'close'
> & {
  readonly backend: Backend;
  readonly databaseTools: DatabaseTools | null;
  /** Absent: sign-ins use the backend's unit of work. */
  readonly signInUnitOfWork?: UnitOfWork;
  readonly readiness: () => Promise<Readonly<Record<string, boolean>>>;
};

export type Defaults = Required<Pick<Config, 'migrate' | 'filterTimeoutMs' | 'trustedProxies' | 'logLevel'>>;

export interface Run {
  readonly config: ComposeConfig & Defaults;
  readonly version: string;
  readonly ports: Partial<Backend>;
  isStopping: boolean;
  worker: Worker | null;
  credentials: CachingCredentialVerifier | null;
}

export type Resolve = <K extends keyof Ingredients>(...names: readonly K[]) => Promise<Pick<Ingredients, K>>;

/** Factories import their modules only when they run. */
export type Factories<Names extends keyof Ingredients> = {
  readonly [K in Names]: (from: Resolve, run: Run) => Ingredients[K] | Promise<Ingredients[K]>;
};

export interface Assembly {
  readonly from: Resolve;
  /** Rejects if the database cannot be used. */
  complete(): Promise<Composition>;
  stopBeingReady(): void;
  close(): Promise<void>;
}
