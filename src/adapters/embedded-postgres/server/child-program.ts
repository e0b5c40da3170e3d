import { type SpawnOptions, spawn } from 'node:child_process';
import type { ServerAccount } from './server-account.ts';

export interface ProgramOutcome {
  readonly succeeded: boolean;
  readonly output: string;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly account: ServerAccount | undefined;
  readonly timeoutMs: number;
}

/** Never rejects: failures are part of the outcome. */
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
 * PostgreSQL does not inherit the environment: PG* variables, LD_LIBRARY_PATH or a locale would change the server.
 * `spawn` drops supplementary groups when it switches the user.
 */
export function spawnOptionsFor(account: ServerAccount | undefined): SpawnOptions {
  return {
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  };
}

/**
 * Returns a name of the working directory that needs no rights on its parent directories, which may belong to
 * root. `spawn` enters the directory before it switches the account.
 */
export function workingDirectoryName(path: string, account: ServerAccount | undefined): string {
  return account !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : path;
}
