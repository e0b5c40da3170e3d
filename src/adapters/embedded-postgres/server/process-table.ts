/** Running processes by command line, which tells a server of ours from another process with the same id. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '#adapters/embedded-postgres/error-code.ts';

/** The command line of a process, its words separated by spaces; `undefined` if there is no such process. */
export async function readCommand(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    // Empty for a process that has ended and waits for its parent to notice.
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return words.replaceAll('\0', ' ').trim() || undefined;
  }
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
    () => ({
      stdout: '',
    }),
  );
  return stdout.trim() || undefined;
}

/** The ids of the processes whose command line matches. */
export async function findProcesses(fits: (command: string) => boolean): Promise<readonly number[]> {
  const processes = await Promise.all(
    (await listProcessIds()).map(async (pid) => ({ pid, command: await readCommand(pid) })),
  );
  return processes.filter(({ command }) => command !== undefined && fits(command)).map(({ pid }) => pid);
}

/** Whether any process has this id, including one that has ended and was not waited for. */
export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !hasErrorCode(error, 'ESRCH');
  }
}

/** Sends a signal; false if the process is gone. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (hasErrorCode(error, 'ESRCH')) {
      return false;
    }
    throw error;
  }
}

async function listProcessIds(): Promise<readonly number[]> {
  const names =
    process.platform === 'linux'
      ? await readdir('/proc')
      : (await promisify(execFile)('ps', ['-ax', '-o', 'pid='])).stdout.split('\n');
  return names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 0);
}
