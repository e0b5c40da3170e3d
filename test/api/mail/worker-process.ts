/** `fleetsift work` as a separate process, which a test can stop or kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { COMPILED_MODULES } from '#test/support/compiled-modules.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../src/main.ts');

/** How long a process may take to begin or to end before a test gives up on it, in milliseconds. */
const PATIENCE_MS = 60_000;

export interface ProcessOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface WorkerProcess {
  /** The output so far, both streams together. */
  output(): string;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<ProcessOutcome>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<ProcessOutcome>;
}

/** Starts a worker and waits until it logs that it is running. */
export async function startWorkerProcess(env: Readonly<Record<string, string>>): Promise<WorkerProcess> {
  const { child, streams, ended } = run(['work'], env);
  await new Promise<void>((begun, failed) => {
    const timer = setTimeout(() => failed(new Error(`no worker began:\n${streams.stderr}`)), PATIENCE_MS);
    child.stderr?.on('data', () => {
      if (!streams.stderr.includes('the worker is running')) return;
      clearTimeout(timer);
      begun();
    });
    child.once('exit', () => failed(new Error(`the worker ended:\n${streams.stderr}`)));
  });
  const endBy = (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    return ended();
  };
  return {
    output: () => streams.stdout + streams.stderr,
    stop: () => endBy('SIGTERM'),
    kill: () => endBy('SIGKILL'),
  };
}

/** Runs a command to its end. */
export function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProcessOutcome> {
  return run(args, env).ended();
}

function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env.PATH, ...COMPILED_MODULES, ...env },
    stdio: 'pipe',
  });
  const streams = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    streams.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    streams.stderr += text;
  });
  return { child, streams, ended: () => ended(child, streams) };
}

async function ended(
  child: ChildProcess,
  streams: { stdout: string; stderr: string },
): Promise<ProcessOutcome> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) });
  }
  return { code: child.exitCode, ...streams };
}
