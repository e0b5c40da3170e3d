/**
 * Composes the service; also the command line when run as a program. Modules load on first use, so commands and
 * embedders load only what they need.
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { container, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import type { Announce } from '#adapters/cli/cli-runtime.ts';
import type { Pages } from '#adapters/http/pages.ts';
import type { RunningServer, ServeOptions } from '#adapters/http/serve.ts';
import type { Backend } from '#application/backend.ts';
import type { SharedClock } from '#application/ports/clock.ts';
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import { DEFAULT_FILTER_TIMEOUT_MS } from '#domain/limits.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { ComposeConfig, Composition, Overrides, Parts } from './main/composition.ts';
import type {
  Assembly,
  ConsoleSettings,
  Defaults,
  Factories,
  Ingredients,
  Resolve,
  Run,
} from './main/service.ts';
import { refusal } from './oldest-node.ts';

// An embedder on an old Node would see only the first thing that is missing there.
if (refusal !== null) throw new Error(refusal);

export type { TokenKeys } from '#adapters/auth/token-keys.ts';
export type { Metrics } from '#adapters/metrics/metrics.ts';
export { type Config, readConfig } from '#adapters/system/read-config.ts';
export type { Worker } from '#adapters/system/worker.ts';
export type { Tracing } from '#adapters/tracing/tracing.ts';
export type { HostPages } from '#adapters/web/places.ts';
export type { ComposeConfig, Composition, Overrides, Parts, WorkerSettings } from './main/composition.ts';
export type { ConsoleSettings } from './main/service.ts';

const DEFAULTS: Defaults = {
  migrate: true,
  filterTimeoutMs: DEFAULT_FILTER_TIMEOUT_MS,
  trustedProxies: [],
  logLevel: 'info',
};

/** The compile cache, which lets later commands start sooner. */
const COMPILED = join(import.meta.dirname, '../node_modules/.cache/fleetsift-compiled');

/** Rejects with a message for the operator if the database cannot be used. */
export async function compose(config: ComposeConfig, overrides: Overrides = {}): Promise<Composition> {
  const assembly = await assemble(config, overrides);
  try {
    return await assembly.complete();
  } catch (error) {
    await assembly.close().catch(() => undefined);
    throw error;
  }
}

/** Creates nothing yet: each part is made when it is first needed. */
async function assemble(given: ComposeConfig, { backend, ...overrides }: Overrides = {}): Promise<Assembly> {
  const { INGREDIENTS, PARTS } = await import('./main/parts.ts');
  const { keepOpen, withPorts } = await import('./main/storage.ts');
  const { parts, ports } = partsAndPorts(overrides, PARTS);
  const run: Run = {
    config: { ...DEFAULTS, ...given },
    version: packageJson.version,
    ports,
    isStopping: false,
    worker: null,
    credentials: null,
  };
  const supplied: Partial<Ingredients> = {
    ...parts,
    ...(backend !== undefined && { storage: await withPorts(keepOpen(backend), ports) }),
  };
  const scope = container.createChildContainer();
  const from: Resolve = async (...names) => {
    const entries = names.map(async (name) => [name, await scope.resolve(tokenOf(name))] as const);
    return Object.fromEntries(await Promise.all(entries)) as Pick<Ingredients, (typeof names)[number]>;
  };
  for (const name of namesIn(INGREDIENTS)) {
    const value = supplied[name];
    const make = instanceCachingFactory(() => INGREDIENTS[name](from, run));
    if (value !== undefined) scope.register(tokenOf(name), { useValue: value });
    else scope.register(tokenOf(name), { useFactory: make });
  }
  const stopBeingReady = () => {
    run.isStopping = true;
  };
  return {
    from,
    complete: async () => {
      const { storage, cautiousClock } = await from('storage', 'cautiousClock');
      const parts = await from(...namesIn(PARTS));
      return { ...(await complete(parts, storage, cautiousClock, run)), stopBeingReady };
    },
    stopBeingReady,
    close: async () => (await from('storage')).storage.close(),
  };
}

async function complete(
  parts: Parts,
  storage: Ingredients['storage'],
  cautiousClock: SharedClock,
  run: Run,
): Promise<Omit<Composition, 'stopBeingReady'>> {
  const { makeApp, prepareWorker } = await import('./main/service.ts');
  const { isEmpty, resealSecrets, databaseTools, close } = storage;
  return {
    ...parts,
    app: await makeApp(parts, storage, run),
    isEmpty,
    resealSecrets,
    databaseTools,
    startWorker: await prepareWorker(parts, cautiousClock, run),
    close,
  };
}

function tokenOf(name: keyof Ingredients): InjectionToken<Ingredients[keyof Ingredients]> {
  return Symbol.for(`fleetsift:${name}`);
}

function namesIn<Names extends keyof Ingredients>(factories: Factories<Names>): readonly Names[] {
  return Object.keys(factories) as Names[];
}

/** Overrides that are not parts replace ports of the backend. */
function partsAndPorts(
  { savedFilters, customFieldSource, ...overrides }: Omit<Overrides, 'backend'>,
  factories: Factories<keyof Parts>,
) {
  const isPart = ([name]: [string, unknown]) => Object.hasOwn(factories, name);
  const entries = Object.entries(overrides).filter(([, value]) => value !== undefined);
  const parts: Partial<Omit<Parts, 'backend'>> = Object.fromEntries(entries.filter(isPart));
  const ports: Partial<Backend> = {
    ...Object.fromEntries(entries.filter((entry) => !isPart(entry))),
    ...(savedFilters !== undefined && { filters: savedFilters }),
    ...(customFieldSource !== undefined && { customFields: customFieldSource }),
  };
  return { parts, ports };
}

/** Serves a composition over HTTP on this machine. */
export async function serve(
  service: Pick<Composition, 'app'>,
  options: ServeOptions,
): Promise<RunningServer> {
  return (await import('#adapters/http/serve.ts')).serveApp(service.app, options);
}

/** Opens pages for the option `findPages` of `compose`. */
export async function openConsole(settings: ConsoleSettings = {}): Promise<Pages> {
  return (await import('./main/service.ts')).openConsole(settings);
}

/** The records of a load file, for `backend.fleetWriter`. Throws one error with every fault and its line. */
export async function* readLoadFile(path: string): AsyncIterable<LocatedRecord> {
  yield* (await import('#adapters/load/read-load-file.ts')).readLoadFile(path);
}

/** Runs one command and resolves with its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  (await import('node:module')).enableCompileCache(COMPILED);
  const announce = await announcerFor(args[0]);
  const { readConfig } = await import('#adapters/system/read-config.ts');
  const config = readConfig(process.env);
  if (!config.ok) {
    announce('fatal', ['Invalid configuration:', ...config.error].join('\n  '));
    return 1;
  }
  const { runProgram } = await import('#adapters/cli/program.ts');
  const { makeRuntime } = await import('./main/command-line.ts');
  const { version } = packageJson;
  return runProgram(makeRuntime({ config: config.value, version, announce, assemble }), args);
}

/** The service announces its start and end in the log, or as plain text if a person watches the terminal. */
async function announcerFor(command: string | undefined): Promise<Announce> {
  const isService = command === 'serve' || command === 'work';
  if (isService && process.stderr.isTTY !== true) {
    return (await import('#adapters/system/logger.ts')).announceInLog();
  }
  const { report } = await import('#adapters/cli/terminal/door.ts');
  return (_level, message) => report(message);
}

// No `await` here: CommonJS cannot `require` a module with top-level await.
if (import.meta.main) {
  void runCommandLine(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}
