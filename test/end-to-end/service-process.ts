/** The service and its commands as a person runs them: processes of their own, with nothing but an environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { COMPILED_MODULES } from '#test/support/compiled-modules.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const PROGRAM = resolve(ROOT, 'src/main.ts');

/** A program and its arguments. */
type CommandLine = readonly [string, ...string[]];

/** How long a service may take to be ready or to end before a test gives up on it, in milliseconds. */
const PATIENCE_MS = 90_000;

const READY = /ready at (http:\/\/\S+)/;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningService {
  readonly url: string;
  readonly pid: number;
  isAlive(): boolean;
  /** The output so far, both streams together. */
  output(): string;
  /** Sends it a signal, and waits for nothing. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves once the process has ended. */
  ended(): Promise<Outcome>;
  /** Tells it to stop and waits for the end. */
  stop(): Promise<Outcome>;
  /** `kill -9`. */
  kill(): Promise<void>;
}

/** A temporary data directory, and the commands on it. */
export class ServiceUnderTest {
  readonly dataDir: string;
  readonly #env: Readonly<Record<string, string>>;
  #running: ChildProcess[] = [];

  private constructor(dataDir: string, env: Readonly<Record<string, string>>) {
    this.dataDir = dataDir;
    this.#env = env;
  }

  static async create(env: Readonly<Record<string, string>>): Promise<ServiceUnderTest> {
    return new ServiceUnderTest(await mkdtemp(join(tmpdir(), 'fleetsift-e2e-')), env);
  }

  /** Runs a command to its end, on a free port if it takes one. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}, stdin = ''): Promise<Outcome> {
    const { child, streams } = this.#spawn([process.execPath, PROGRAM, ...args], { PORT: '0', ...env });
    // The command may end before it has read anything.
    child.stdin?.on('error', () => undefined).end(stdin);
    return ended(child, streams);
  }

  /** Starts the service, or another command, on a free port, and waits until its output matches `awaited`. */
  start(
    env: Readonly<Record<string, string>> = {},
    awaited = READY,
    args: readonly string[] = ['serve'],
  ): Promise<RunningService> {
    return this.#start([process.execPath, PROGRAM, ...args], env, awaited);
  }

  /** Starts the service by `npm start`, and signals npm. */
  startByNpm(env: Readonly<Record<string, string>>): Promise<RunningService> {
    return this.#start(['npm', 'start'], env, READY);
  }

  async #start(
    command: CommandLine,
    env: Readonly<Record<string, string>>,
    awaited: RegExp,
  ): Promise<RunningService> {
    const { child, streams } = this.#spawn(command, { PORT: '0', ...env });
    this.#running.push(child);
    const url = await urlIn(awaited, child, streams);
    return {
      url,
      pid: child.pid ?? 0,
      isAlive: () => child.exitCode === null && child.signalCode === null,
      output: () => streams.stdout + streams.stderr,
      signal: (signal) => void child.kill(signal),
      ended: () => ended(child, streams),
      stop: () => {
        child.kill('SIGTERM');
        return ended(child, streams);
      },
      kill: async () => {
        child.kill('SIGKILL');
        await ended(child, streams);
      },
    };
  }

  /** Ends all processes, including the database of a killed service, and removes the data. */
  async dispose(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    // A command attaches to a database that was left behind, and stops it when it is done.
    await this.run(['migrate']);
    await rm(this.dataDir, { recursive: true, force: true });
  }

  #spawn([program, ...args]: CommandLine, env: Readonly<Record<string, string>>) {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        ...COMPILED_MODULES,
        DATA_DIR: this.dataDir,
        DRAIN_SECONDS: '0',
        ...this.#env,
        ...env,
      },
      stdio: 'pipe',
    });
    const streams = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      streams.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      streams.stderr += text;
    });
    return { child, streams };
  }
}

async function ended(child: ChildProcess, streams: { stdout: string; stderr: string }): Promise<Outcome> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) });
  }
  return { code: child.exitCode, ...streams };
}

async function urlIn(
  awaited: RegExp,
  child: ChildProcess,
  streams: { stdout: string; stderr: string },
): Promise<string> {
  const { promise, resolve: ready, reject } = Promise.withResolvers<string>();
  const give = () => new Error(`the service did not become ready:\n${streams.stdout}${streams.stderr}`);
  const timer = setTimeout(() => reject(give()), PATIENCE_MS);
  const look = () => {
    const said = awaited.exec(streams.stderr);
    if (said !== null) ready(said[1] ?? '');
  };
  child.stderr?.on('data', look);
  child.once('exit', () => reject(give()));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.stderr?.off('data', look);
  }
}
