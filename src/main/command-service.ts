/**
 * The service for commands. Storage opens at once, and the rest only to serve requests or run the worker. Rejects if
 * the database cannot be used, with a message that says what to do.
 */
import { join } from 'node:path';
import type { CliService, StorageOptions } from '#adapters/cli/cli-runtime.ts';
import type { Pages } from '#adapters/http/pages.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { Config } from '#adapters/system/read-config.ts';
import type { Tracing } from '#adapters/tracing/tracing.ts';
import type { CommandLineContext } from './command-line.ts';
import type { Composition } from './composition.ts';

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

/** Null if no collector is configured. */
async function openTracing({ traceEndpoint: endpoint }: Config, version: string): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { startTracing } = await import('#adapters/tracing/tracing.ts');
  return startTracing({ endpoint, version });
}

async function openMetrics(): Promise<Metrics> {
  return (await import('#adapters/metrics/metrics.ts')).makeMetrics();
}

/** Reports the reason and returns null if the console cannot be built. */
async function tryOpenConsole(
  { hostPages }: Config,
  report: (message: string) => void,
): Promise<Pages | null> {
  const { openConsole } = await import('./console.ts');
  try {
    return await openConsole({ hostPages, onProgress: report });
  } catch (error) {
    report(
      `The console is unavailable; only the API is served: ${error instanceof Error ? error.message : error}`,
    );
    return null;
  }
}

/** Files are removed even with a mail server, because they may be older than its configuration. */
async function makeMailing({ smtpUrl: url, mailFrom: from, dataDir }: Config, tracing: Tracing | null) {
  const traced = tracing?.traceMails ?? ((send) => send);
  const { makeEmlRemover, makeEmlSender } = await import('#adapters/mail/eml-sender.ts');
  const directory = join(dataDir, 'mail');
  const removeMailCopies = makeEmlRemover({ directory });
  if (url === null) return { sendMail: traced(makeEmlSender({ directory, from })), removeMailCopies };
  const { makeSmtpSender } = await import('#adapters/mail/smtp-sender.ts');
  return { sendMail: traced(makeSmtpSender({ url, from })), removeMailCopies };
}
