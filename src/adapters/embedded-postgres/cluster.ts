import { randomBytes } from 'node:crypto';
import { chown, lchown, mkdir, opendir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataDir, readDataFile, syncDirectory, writeDataFile } from './files/data-dir.ts';
import { prepareBinaries } from './files/server-binaries.ts';
import { runProgram, workingDirectoryName } from './server/child-program.ts';
import type { ServerAccount } from './server/server-account.ts';
import type { ServerContext } from './server/server-launch.ts';

export const OWNER_ROLE = 'fleetsift';

const INIT_TIMEOUT_MS = 180_000;

export async function isPresent(cluster: string): Promise<boolean> {
  return (await readDataFile(join(cluster, 'PG_VERSION'))) !== undefined;
}

/**
 * Returns false if there is no cluster. Throws if another major version of PostgreSQL made it. Removes the
 * remains of a crash, so it requires the start mutex.
 */
export async function openCluster(
  context: ServerContext,
  account: ServerAccount | undefined,
): Promise<boolean> {
  const { dataDir, native } = context;
  await removeHalfMade(dataDir);
  const version = await readDataFile(join(dataDir.cluster, 'PG_VERSION'));
  if (version === undefined) return false;
  if (version.trim() !== native.majorVersion) {
    throw new Error(
      `The database in ${dataDir.cluster} was created by PostgreSQL ${version.trim()}, but this is ` +
        `PostgreSQL ${native.majorVersion}: dump it with the old version and load it into a new DATA_DIR`,
    );
  }
  await giveCluster(dataDir.cluster, account);
  return true;
}

/** Creates the whole cluster or nothing. Requires the start mutex. */
export async function createCluster(
  context: ServerContext,
  account: ServerAccount | undefined,
): Promise<void> {
  const { dataDir, native, report } = context;
  report(`Creating the database in ${dataDir.cluster}`);
  await refuseForeignContent(dataDir);
  const binaries = await prepareBinaries(dataDir, native, account);
  const password = randomBytes(24).toString('base64url');
  const workshop = `${halfMadePrefix(dataDir)}${randomBytes(6).toString('hex')}`;
  try {
    const cluster = await furnishWorkshop(workshop, password, account);
    const place = workingDirectoryName(cluster, account);
    const outcome = await runProgram({
      file: join(binaries, 'initdb'),
      args: [
        ...['-D', place, `--pwfile=${place}/../password`, `--username=${OWNER_ROLE}`],
        ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'],
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
        ...(context.settings.fsync === 'off' ? ['--no-sync'] : []),
      ],
      cwd: cluster,
      account,
      timeoutMs: INIT_TIMEOUT_MS,
    });
    if (!outcome.succeeded) {
      throw new Error(explainInitFailure(dataDir.cluster, outcome.output));
    }
    // A cluster is useless without its password, so the password is stored first.
    await writeDataFile(dataDir, dataDir.password, `${password}\n`);
    await rename(cluster, dataDir.cluster);
    await syncDirectory(dataDir.path);
  } finally {
    await removeTree(workshop);
  }
}

export async function readOwnerPassword(dataDir: DataDir): Promise<string> {
  const password = await readDataFile(dataDir.password);
  if (password === undefined) {
    throw new Error(
      `${dataDir.password}, which holds the database's password, is missing: restore it, or move ` +
        `${dataDir.cluster} away to start with an empty database`,
    );
  }
  return password.trim();
}

/** The output of initdb may be long, so it comes last. The hint is for containers, whose user often has no name. */
export function explainInitFailure(cluster: string, output: string): string {
  const hint = output.includes('could not look up effective user ID')
    ? ' Run under an account that has a name (in /etc/passwd), or set DATABASE_URL.'
    : '';
  return `The database in ${cluster} could not be created.${hint} initdb says:\n${output}`;
}

/** initdb requires an empty directory, so the password file lies beside it. */
async function furnishWorkshop(
  workshop: string,
  password: string,
  account: ServerAccount | undefined,
): Promise<string> {
  const cluster = join(workshop, 'cluster');
  const passwordFile = join(workshop, 'password');
  await mkdir(workshop, { mode: 0o700 });
  await mkdir(cluster, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
  if (account !== undefined) {
    for (const path of [passwordFile, cluster, workshop]) {
      await chown(path, account.uid, account.gid);
    }
  }
  return cluster;
}

/** A restored backup may belong to root, but PostgreSQL must own the cluster. */
async function giveCluster(cluster: string, account: ServerAccount | undefined): Promise<void> {
  if (account === undefined || (await stat(cluster)).uid === account.uid) {
    return;
  }
  for await (const entry of await opendir(cluster, { recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  await chown(cluster, account.uid, account.gid);
}

async function refuseForeignContent(dataDir: DataDir): Promise<void> {
  const content = await readdir(dataDir.cluster).catch(() => []);
  if (content.length > 0) {
    throw new Error(
      `${dataDir.cluster} holds files but no database (no PG_VERSION): move it away, or set ` +
        'DATA_DIR to another directory',
    );
  }
}

function halfMadePrefix(dataDir: DataDir): string {
  return `${dataDir.cluster}.new-`;
}

async function removeHalfMade(dataDir: DataDir): Promise<void> {
  for (const name of await readdir(dataDir.path)) {
    const path = join(dataDir.path, name);
    if (path.startsWith(halfMadePrefix(dataDir))) {
      await removeTree(path);
    }
  }
}

/** Retries, because the initdb of a killed process may still write there. */
function removeTree(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
