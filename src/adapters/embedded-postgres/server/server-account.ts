/** The account that the server runs under: PostgreSQL refuses root. */
import { readFile, stat } from 'node:fs/promises';
import { hasErrorCode } from '#adapters/embedded-postgres/error-code.ts';
import type { DataDir } from '#adapters/embedded-postgres/files/data-dir.ts';

/** An account other than this process's own, which only root can switch to. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account to switch to, or `undefined` if the server runs as the same user as this process (any but root).
 *
 * As root it is the owner of the cluster, so that a cluster keeps its owner; else the owner of the data
 * directory, if that is an account with a name, since initdb asks for one; else, as where root owns it,
 * `postgres` or `nobody`. Throws if this user cannot access the cluster.
 */
export async function chooseServerAccount(dataDir: DataDir): Promise<ServerAccount | undefined> {
  const self = process.getuid?.();
  const clusterOwner = await ownerOf(dataDir.cluster);
  if (self !== 0) {
    if (clusterOwner !== undefined && clusterOwner.uid !== self) {
      throw new Error(
        `The database in ${dataDir.cluster} belongs to uid ${clusterOwner.uid}, and this process runs as uid ${self}: ` +
          'start it as that user (or as root, if root created it), or set DATA_DIR to another directory',
      );
    }
    return undefined;
  }
  if (clusterOwner !== undefined && clusterOwner.uid !== 0) {
    return clusterOwner;
  }
  return findUnprivilegedAccount(dataDir.owner.uid);
}

async function ownerOf(path: string): Promise<ServerAccount | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  }
}

async function findUnprivilegedAccount(preferredUid: number): Promise<ServerAccount> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [, , uid, gid] =
    accounts.find((fields) => Number(fields[2]) === preferredUid && preferredUid !== 0) ??
    accounts.find(([name]) => name === 'postgres') ??
    accounts.find(([name]) => name === 'nobody') ??
    [];
  if (uid === undefined || gid === undefined) {
    throw new Error(
      'PostgreSQL does not run as root, and there is no account `postgres` or `nobody` to run it as: ' +
        'start as an ordinary user, or set DATABASE_URL',
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}
