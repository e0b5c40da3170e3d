import { readFile, stat } from 'node:fs/promises';
import { type DataDir, hasErrorCode } from '#adapters/embedded-postgres/files/data-dir.ts';

export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root, so root switches to the owner of the cluster. Without a cluster, it switches to
 * the owner of the data directory if that account has a name, as initdb requires; else to `postgres` or `nobody`. If
 * this process is not root, returns undefined, or throws if another user owns the cluster.
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
