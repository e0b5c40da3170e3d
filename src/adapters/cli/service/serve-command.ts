/** `serve` and `work`, which run until SIGTERM or SIGINT. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { BoundMetrics, BoundServer, CliRuntime, CliService, Demo } from '#adapters/cli/cli-runtime.ts';
import { withService } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { report } from '#adapters/cli/terminal/door.ts';
import { FIRST_LINK_LIFETIME, firstLink } from '#adapters/cli/users/admin-command.ts';
import { type StopSignals, watchStopSignals } from './stop-signals.ts';
import { welcome } from './welcome.ts';

/** Contract: §9. */
const STOP_GRACE_MS = 10_000;

const WITHOUT_SECRET_KEY =
  'SECRET_KEY is not set: TOTP secrets and signing keys are encrypted with a key in the same database, so anyone with a copy of the database can read them.';

export function serveCommand(runtime: CliRuntime): Command {
  return new Command('serve').description('Run the service (same as npm start)').action(() =>
    untilStopped(runtime, async (start) => {
      // Bind first: if that fails, nothing has been created, and no secret that is shown only once is lost.
      const server = await runtime.bindServer();
      try {
        await withMetrics(runtime, (metrics) =>
          withService(runtime, (service) => serve(runtime, service, { server, metrics }, start), {
            isExclusive: true,
            givenUp: start.givenUp,
          }),
        );
      } finally {
        await server.close(0);
      }
    }),
  );
}

/** Binds METRICS_PORT before a database is created or migrated. */
async function withMetrics(
  runtime: CliRuntime,
  work: (metrics: BoundMetrics | null) => Promise<void>,
): Promise<void> {
  const metrics = await runtime.bindMetrics();
  try {
    await work(metrics);
  } finally {
    await metrics?.close();
  }
}

interface Start {
  readonly end: () => StopSignals;
  readonly givenUp: Promise<never>;
}

/**
 * A signal during the start ends the process at once, and unfinished work rolls back. Without a handler, the first
 * process of a container ignores signals.
 */
async function untilStopped({ announce }: CliRuntime, run: (start: Start) => Promise<void>): Promise<void> {
  const signals = watchStopSignals();
  const gaveUp = Promise.withResolvers<never>();
  // Without this, a rejection that nothing awaits yet would end the process.
  gaveUp.promise.catch(() => undefined);
  let isStarting = true;
  void signals.next().then(() => {
    if (isStarting) gaveUp.reject(new StoppedWhileStarting());
  });
  try {
    await run({
      end: () => {
        isStarting = false;
        return signals;
      },
      givenUp: gaveUp.promise,
    });
  } catch (error) {
    if (!(error instanceof StoppedWhileStarting)) throw error;
    announce('info', 'stopped before it was ready');
    // Do not wait for a load, or for a migration that waits for locks.
    process.exit(0);
  }
}

class StoppedWhileStarting extends Error {}

async function serve(
  runtime: CliRuntime,
  service: CliService,
  { server, metrics }: { readonly server: BoundServer; readonly metrics: BoundMetrics | null },
  start: Start,
): Promise<void> {
  const { announce, version, config } = runtime;
  const { secretKey, worker: isWorking, drainSeconds } = config;
  if (metrics !== null) await service.showMetrics(metrics);
  await service.prepare();
  const demo = await loadDemo(runtime, service);
  await service.answer(server);
  const worker = isWorking ? await service.startWorker(server.url) : null;
  const signals = start.end();
  // Printed, never logged: a log must not keep secrets.
  if (demo !== null) report(greet(demo, server.url, runtime));
  else await reportFirstLink(runtime, service, server.url);
  announce('info', `Fleetsift is ready at ${server.url} (version ${version})`);
  if (metrics !== null) announce('info', `the metrics are at ${metrics.url}`);
  if (secretKey === null) announce('warn', WITHOUT_SECRET_KEY);
  warnOfShortSilence(runtime);
  const signal = await signals.next();
  service.stopBeingReady();
  if (signal === 'SIGTERM' && drainSeconds > 0) {
    announce(
      'info',
      `stopping: accepting requests for ${drainSeconds} more seconds, until they are sent elsewhere`,
    );
    server.drain();
    await Promise.race([sleep(drainSeconds * 1_000, undefined, { ref: false }), signals.next()]);
  }
  announce('info', 'stopping: finishing requests and jobs in flight');
  await Promise.all([server.close(STOP_GRACE_MS), worker?.stop(STOP_GRACE_MS)]);
}

export function workCommand(runtime: CliRuntime): Command {
  return new Command('work')
    .description('Run only the background worker: mail, due account deletions, silent devices (see WORKER)')
    .action(() =>
      untilStopped(runtime, ({ end, givenUp }) =>
        withMetrics(runtime, (metrics) =>
          withService(
            runtime,
            async (service) => {
              if (metrics !== null) await service.showMetrics(metrics);
              const worker = await service.startWorker();
              const signals = end();
              warnOfShortSilence(runtime);
              runtime.announce(
                'info',
                `the worker is running${metrics === null ? '' : `; its metrics are at ${metrics.url}`}`,
              );
              await signals.next();
              runtime.announce('info', 'stopping: finishing requests and jobs in flight');
              await worker.stop(STOP_GRACE_MS);
            },
            { givenUp },
          ),
        ),
      ),
    );
}

function warnOfShortSilence({ announce, config }: CliRuntime): void {
  const { offlineAfterMinutes: silence, contactMinutes } = config;
  if (silence === null || silence >= contactMinutes) return;
  announce(
    'warn',
    `OFFLINE_AFTER_MINUTES is ${silence}, but agents make contact only every ${contactMinutes} minutes (CONTACT_MINUTES): machines that are on will be marked offline in between.`,
  );
}

async function loadDemo(runtime: CliRuntime, { backend, isEmpty }: CliService): Promise<Demo | null> {
  const { databaseUrl, demo: isWanted } = runtime.config;
  if (databaseUrl !== null || !isWanted || !(await isEmpty())) return null;
  runtime.announce('info', 'loading the demo fleet (DEMO=off leaves it out)');
  const demo = await runtime.makeDemo(runtime.clock());
  const loaded = await backend.fleetWriter(demo.records, undefined, () =>
    systemEntry(runtime, { action: 'fleet.load', command: 'serve', details: { demo: true } }),
  );
  if (!loaded.ok) throw new Error(`the demo fleet was refused: ${JSON.stringify(loaded.error)}`);
  return demo;
}

async function reportFirstLink(runtime: CliRuntime, { backend }: CliService, url: string): Promise<void> {
  const link = await firstLink(runtime, backend, url);
  if (link === null) return;
  report(`
Nobody has an account yet. Begin with this link (${FIRST_LINK_LIFETIME}):

  ${link}

For another one, run: npm run fleetsift -- admin link
`);
}

function greet(demo: Demo, url: string, { clock }: CliRuntime): string {
  return `\n${welcome(demo, url, (secret) => demo.currentTotpCode(secret, clock()))}`;
}
