/** Runs one of PostgreSQL's programs to its end, under the server's account. */
import { type SpawnOptions, spawn } from 'node:child_process';
import type { ServerAccount } from './server-account.ts';

/** How a program ended, and everything it printed. */
export interface ProgramOutcome {
  readonly succeeded: boolean;
  /** Standard output and error in the order they came, or why the program did not run at all. */
  readonly output: string;
}

/** What to run, where, and the time limit. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly account: ServerAccount | undefined;
  readonly timeoutMs: number;
}

/** Runs a program to its end. Never throws: a program that cannot be run has not succeeded. */
export function runProgram(program: Program): Promise<ProgramOutcome> {
  return new Promise((resolve) => {
    const child = spawn(program.file, program.args, {
      ...spawnOptionsFor(program.account),
      cwd: program.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: program.timeoutMs,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', (error) => resolve({ succeeded: false, output: error.message }));
    child.once('close', (code, signal) => {
      const ending = signal === null ? '' : `\nended by ${signal} (limit: ${program.timeoutMs} ms)`;
      resolve({ succeeded: code === 0, output: `${Buffer.concat(chunks).toString('utf8').trim()}${ending}` });
    });
  });
}

/**
 * Identity and environment of PostgreSQL's programs. The environment is not inherited: PG* variables,
 * LD_LIBRARY_PATH and the locale that the service is started with must not change the server.
 * Supplementary groups are dropped by `spawn` itself where it switches the user.
 */
export function spawnOptionsFor(account: ServerAccount | undefined): SpawnOptions {
  return {
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  };
}

/**
 * How PostgreSQL is to name the directory that it is started in. An account that we switch to may be unable
 * to reach it by its path (below a directory that only root may enter), but it can through its working
 * directory: `spawn` enters that before it switches, and this link asks nothing of the directories above.
 */
export function workingDirectoryName(path: string, account: ServerAccount | undefined): string {
  return account !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : path;
}
