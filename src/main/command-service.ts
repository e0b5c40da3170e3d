/** The service as commands use it: storage at once, and everything else only to serve requests or run the worker. */
import { join } from 'node:path';
import type { CliService, StorageOptions } from '#adapters/cli/cli-runtime.ts';
import type { Pages } from '#adapters/http/pages.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { Config } from '#adapters/system/read-config.ts';
import type { Tracing } from '#adapters/tracing/tracing.ts';
import type { CommandLineContext } from './command-line.ts';
import type { Composition } from './composition.ts';

/** Rejects if the database cannot be used, with a message that says what to do. */
export async function openCommandService(
  { config, version, report, assemble }: CommandLineContext,
  database: Required<StorageOptions> & { readonly databaseUrl: string },
): Promise<CliService> {
  let pages: Pages | null = null;
  const metrics = config.metricsPort === null ? null : await openMetrics();
  const tracing = await openTracing(config, version);
  const { from, complete, stopBeingReady, close } = await assemble({
    ...{ ...config, ...database, onProgress: report, findPages: () => pages },
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
        pages = await tryOpenConsole(config, report);
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
          offlineAfterMinutes: config.offlineAfterMinutes,
        });
      },
      stopBeingReady,
      close: async () => {
        await close();
        await tracing
          ?.shutdown()
          .catch((error: Error) => report(`the last traces were not sent: ${error.message}`));
      },
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Null where no collector is configured. */
async function openTracing({ traceEndpoint: endpoint }: Config, version: string): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { startTracing } = await import('#adapters/tracing/tracing.ts');
  return startTracing({ endpoint, version });
}

async function openMetrics(): Promise<Metrics> {
  return (await import('#adapters/metrics/metrics.ts')).makeMetrics();
}

/** The console; null, with a word on what to do, where it cannot be built. */
async function tryOpenConsole(
  { hostPages }: Config,
  report: (message: string) => void,
): Promise<Pages | null> {
  const { openConsole } = await import('./console.ts');
  try {
    return await openConsole({ hostPages, onProgress: report });
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
