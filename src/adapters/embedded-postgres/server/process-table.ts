/** Reads the command line, which tells our server from another process with the same id. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '#adapters/embedded-postgres/files/data-dir.ts';

export async function readCommand(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    // The file is empty for a zombie process.
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return words.replaceAll('\0', ' ').trim() || undefined;
  }
  const args = ['-ww', '-o', 'command=', '-p', String(pid)];
  const { stdout } = await promisify(execFile)('ps', args).catch(() => ({ stdout: '' }));
  return stdout.trim() || undefined;
}

export async function findProcesses(fits: (command: string) => boolean): Promise<readonly number[]> {
  const processes = await Promise.all(
    (await listProcessIds()).map(async (pid) => ({ pid, command: await readCommand(pid) })),
  );
  return processes.filter(({ command }) => command !== undefined && fits(command)).map(({ pid }) => pid);
}

/** Also true for zombie processes. */
export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !hasErrorCode(error, 'ESRCH');
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}

async function listProcessIds(): Promise<readonly number[]> {
  const names =
    process.platform === 'linux'
      ? await readdir('/proc')
      : (await promisify(execFile)('ps', ['-ax', '-o', 'pid='])).stdout.split('\n');
  return names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 0);
}
