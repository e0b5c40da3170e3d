import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

export interface DataDir {
  readonly path: string;
  readonly cluster: string;
  readonly log: string;
  /** Locked while a process starts or stops the server. */
  readonly lock: string;
  readonly password: string;
  readonly port: string;
  readonly copyRecord: string;
  /** If root writes files, it makes this account their owner. */
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** O_NOFOLLOW, because root may write in a directory where an ordinary user can place links. */
const OPEN_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OPEN_APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

export async function openDataDir(directory: string): Promise<DataDir> {
  try {
    await makeDirectory(resolve(directory));
    const path = await realpath(resolve(directory));
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const { uid, gid } = await stat(path);
    return {
      path,
      cluster: join(path, 'postgres'),
      log: join(path, 'postgres.log'),
      lock: join(path, 'postgres.lock'),
      password: join(path, 'postgres.password'),
      port: join(path, 'postgres.port'),
      copyRecord: join(path, 'postgres.binaries'),
      owner: { uid, gid },
    };
  } catch (cause) {
    const why = hasErrorCode(cause, 'ENOTDIR')
      ? 'it is, or is inside, something that is no directory. Name another one in DATA_DIR'
      : `${(cause as Error).message}${adviseOn(cause)}`;
    throw new Error(`DATA_DIR ${directory} cannot be used: ${why}`, { cause });
  }
}

export async function readDataFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (hasErrorCode(cause, 'ENOENT')) {
      return undefined;
    }
    throw new Error(`${file} cannot be read: ${(cause as Error).message}${adviseOn(cause)}`, { cause });
  }
}

/** Replaces the file atomically, readable by its owner only. */
export async function writeDataFile(dataDir: DataDir, file: string, content: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(temporary, OPEN_NEW, 0o600);
    try {
      await giveToOwner(dataDir, handle);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Creates a missing file. An existing one is checked without opening it (see start-mutex.ts). */
export async function ensureDataFile(dataDir: DataDir, file: string): Promise<void> {
  try {
    const handle = await open(file, OPEN_NEW, 0o600);
    await giveToOwner(dataDir, handle).finally(() => handle.close());
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) {
      throw error;
    }
    await access(file, constants.R_OK | constants.W_OK).catch((cause: Error) => {
      throw new Error(`${file} cannot be used: ${cause.message}${adviseOn(cause)}`, { cause });
    });
  }
}

/** The caller closes the file. */
export async function appendToDataFile(dataDir: DataDir, file: string): Promise<FileHandle> {
  const handle = await open(file, OPEN_APPEND, 0o600);
  await giveToOwner(dataDir, handle);
  return handle;
}

/** Makes renames in the directory survive a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}

async function giveToOwner(dataDir: DataDir, handle: FileHandle): Promise<void> {
  if (process.getuid?.() === 0 && dataDir.owner.uid !== 0) {
    await handle.chown(dataDir.owner.uid, dataDir.owner.gid);
  }
}

function adviseOn(cause: unknown): string {
  return hasErrorCode(cause, 'EACCES', 'EPERM')
    ? `. It belongs to another user (this process runs as uid ${process.getuid?.()}): run as that user, or name another directory in DATA_DIR`
    : '. Name another directory in DATA_DIR';
}

/**
 * Replaces Node's recursive mkdir, which never ends if the system reports ENOENT although the parent exists.
 * Rejects with `ENOTDIR` if something else is in the way.
 */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      if ((await stat(path)).isDirectory()) return;
      throw Object.assign(new Error(`${path} is no directory`), { code: 'ENOTDIR' });
    }
    const parent = dirname(path);
    if (code !== 'ENOENT' || (await exists(parent))) throw error;
    await makeDirectory(parent);
    await makeDirectory(path);
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** The codes are Node's (`ENOENT`) or PostgreSQL's (`57P03`). */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errorCodeOf(error) ?? '');
}

export function errorCodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
