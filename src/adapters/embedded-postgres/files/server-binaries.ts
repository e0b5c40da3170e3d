import { join } from 'node:path';
import { type ProgramOutcome, runProgram } from '#adapters/embedded-postgres/server/child-program.ts';
import type { ServerAccount } from '#adapters/embedded-postgres/server/server-account.ts';
import type { DataDir } from './data-dir.ts';
import { linkLibraries, type NativePackage } from './native-package.ts';
import { COPY_PARENTS, findRunnableCopy, makeRunnableCopy, removeRunnableCopy } from './runnable-copy.ts';

const PROBE_TIMEOUT_MS = 30_000;

/**
 * Returns the directory with `initdb` and `postgres`. It is a copy if the account cannot enter a parent
 * directory, the file system forbids executing, or library links cannot be created. Requires the start mutex.
 */
export async function prepareBinaries(
  dataDir: DataDir,
  native: NativePackage,
  account: ServerAccount | undefined,
): Promise<string> {
  const installed = join(native.root, 'native', 'bin');
  await linkLibraries(native, native.root);
  const failures = [await probe(installed, account)];
  if (failures[0]?.succeeded) {
    await removeRunnableCopy(dataDir);
    return installed;
  }
  const existing = await findRunnableCopy(dataDir, native);
  if (existing !== undefined && (await probe(join(existing, 'bin'), account)).succeeded) {
    return join(existing, 'bin');
  }
  for (const parent of COPY_PARENTS) {
    try {
      const copy = join(await makeRunnableCopy(dataDir, native, parent), 'bin');
      const outcome = await probe(copy, account);
      if (outcome.succeeded) {
        return copy;
      }
      failures.push(outcome);
    } catch (error) {
      failures.push({ succeeded: false, output: (error as Error).message });
    }
  }
  await removeRunnableCopy(dataDir);
  throw new Error(
    `The PostgreSQL in ${native.root} does not run here` +
      `${account === undefined ? '' : ` as uid ${account.uid}`}: ${failures.map(({ output }) => output).join('; ')}. ` +
      'Set DATABASE_URL to use a PostgreSQL server of your own',
  );
}

function probe(directory: string, account: ServerAccount | undefined): Promise<ProgramOutcome> {
  const file = join(directory, 'postgres');
  return runProgram({ file, args: ['--version'], cwd: '/', account, timeoutMs: PROBE_TIMEOUT_MS });
}
