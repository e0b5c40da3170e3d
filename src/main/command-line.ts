import { join } from 'node:path';
import type { Announce, CliRuntime, CliService, StorageOptions } from '#adapters/cli/cli-runtime.ts';
import type { Pages } from '#adapters/http/pages.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import type { Config } from '#adapters/system/read-config.ts';
import type { Tracing } from '#adapters/tracing/tracing.ts';
import type { ComposeConfig, Composition } from './composition.ts';
import type { Assembly } from './service.ts';

export interface CommandLineContext {
  readonly config: Config;
  readonly version: string;
  readonly announce: Announce;
  readonly assemble: (config: ComposeConfig) => Promise<Assembly>;
}

export function makeRuntime(context: CommandLineContext): CliRuntime {
  const { config, version, announce } = context;
  return {
    version,
    config,
    clock: systemClock,
    newId: uuidV7,
    announce,
    bindServer: async () => (await import('#adapters/http/serve.ts')).bindServer(config),
    bindMetrics: async () => {
      const { host, metricsPort: port } = config;
      return port === null
        ? null
        : (await import('#adapters/metrics/serve-metrics.ts')).bindMetrics({ host, port });
    },
    startEmbeddedDatabase: async () => {
      const { startEmbeddedPostgres } = await import('#adapters/embedded-postgres/embedded-postgres.ts');
      return startEmbeddedPostgres({ dataDir: config.dataDir, onProgress: telling(announce) });
    },
    openService: async (databaseUrl, { migrate = config.migrate, allowsLostKeys = false } = {}) => {
      return openCommandService(context, { databaseUrl, migrate, allowsLostKeys });
    },
    makeDemo: async (now) => {
      const { demoFleet } = await import('#adapters/demo/demo-fleet.ts');
      const { randomDemoSecrets } = await import('#adapters/demo/demo-accounts.ts');
      const { currentTotpCode } = await import('#adapters/auth/otpauth-totp.ts');
      return { ...demoFleet(now, randomDemoSecrets()), currentTotpCode };
    },
    importLoadFiles: async () => {
      const { LoadFileError } = await import('#adapters/load/fault-list.ts');
      const { printRecord } = await import('#adapters/load/print-record.ts');
      return { ...(await import('#adapters/load/read-load-file.ts')), LoadFileError, printRecord };
    },
    importInventories: () => import('#adapters/glpi/read-inventory.ts'),
    importSecrets: async () => (await import('#adapters/auth/secret-generator.ts')).randomSecrets,
    explainFailure: async (error) => {
      const { isRefusedInMaintenance } = await import('#adapters/postgres/database-error.ts');
      return isRefusedInMaintenance(error)
        ? 'the data of a partner in maintenance is read-only, and nothing was changed; to let changes through again, run: partner maintenance off'
        : null;
    },
    listensAt: async () => (await import('#adapters/http/serve.ts')).toUrl(config.host, config.port),
    makeOpenApiDocument: async () => {
      const { makeOpenApiDocument } = await import('#adapters/http/openapi/openapi-document.ts');
      const { basePathOf } = await import('#adapters/http/read/base-path.ts');
      return makeOpenApiDocument(version, basePathOf(config.baseUrl));
    },
  };
}

// Opens the storage at once. Other parts are made when the server or the worker needs them.

async function openCommandService(
  { config, version, announce, assemble }: CommandLineContext,
  database: Required<StorageOptions> & { readonly databaseUrl: string },
): Promise<CliService> {
  let pages: Pages | null = null;
  const metrics =
    config.metricsPort === null ? null : (await import('#adapters/metrics/metrics.ts')).makeMetrics(version);
  const tracing = await openTracing(config, version);
  const { from, complete, stopBeingReady, close } = await assemble({
    ...{ ...config, ...database, onProgress: telling(announce), findPages: () => pages },
    ...(metrics !== null && { metrics }),
    ...(tracing !== null && { tracing }),
  });
  let completing: Promise<Composition> | null = null;
  const whole = () => {
    completing ??= complete();
    return completing;
  };
  try {
    const { backend, hashPassword, storage } = await from('backend', 'hashPassword', 'storage');
    return {
      backend,
      hashPassword,
      isEmpty: storage.isEmpty,
      resealSecrets: storage.resealSecrets,
      databaseTools: storage.databaseTools,
      prepare: async () => {
        pages = await tryOpenConsole(config, announce);
        await whole();
      },
      answer: async (server) => server.answerWith((await whole()).app),
      showMetrics: async (server) => {
        await whole();
        if (metrics !== null) server.answerWith(metrics);
      },
      startWorker: async (listensAt) => {
        const { toUrl } = await import('#adapters/http/serve.ts');
        return (await whole()).startWorker({
          ...(await makeMailing(config, tracing)),
          baseUrl: config.baseUrl ?? listensAt ?? toUrl(config.host, config.port),
          intervalMs: config.workerIntervalMs,
          auditRetentionDays: config.auditRetentionDays,
          changesRetentionDays: config.changesRetentionDays,
          changesRetentionCount: config.changesRetentionCount,
          offlineAfterMinutes: config.offlineAfterMinutes,
        });
      },
      stopBeingReady,
      close: async () => {
        await close();
        await tracing
          ?.shutdown()
          .catch((error: Error) => announce('warn', `the last traces were not sent: ${error.message}`));
      },
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

async function openTracing({ traceEndpoint: endpoint }: Config, version: string): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { startTracing } = await import('#adapters/tracing/tracing.ts');
  const { INSTANCE } = await import('#adapters/system/logger.ts');
  return startTracing({ endpoint, version, instance: INSTANCE });
}

function telling(announce: Announce): (message: string) => void {
  return (message) => announce('info', message);
}

async function tryOpenConsole({ hostPages, baseUrl }: Config, announce: Announce): Promise<Pages | null> {
  const { openConsole } = await import('./service.ts');
  try {
    return await openConsole({ hostPages, baseUrl, onProgress: telling(announce) });
  } catch (error) {
    announce(
      'warn',
      `The console is unavailable; only the API is served: ${error instanceof Error ? error.message : error}`,
    );
    return null;
  }
}

/** Mail files are removed even with an SMTP server, because earlier mails may be in files. */
async function makeMailing({ smtpUrl: url, mailFrom: from, dataDir }: Config, tracing: Tracing | null) {
  const traced = tracing?.traceMails ?? ((send) => send);
  const { makeEmlRemover, makeEmlSender } = await import('#adapters/mail/eml-sender.ts');
  const directory = join(dataDir, 'mail');
  const removeMailCopies = makeEmlRemover({ directory });
  if (url === null) return { sendMail: traced(makeEmlSender({ directory, from })), removeMailCopies };
  const { makeSmtpSender } = await import('#adapters/mail/smtp-sender.ts');
  return { sendMail: traced(makeSmtpSender({ url, from })), removeMailCopies };
}
