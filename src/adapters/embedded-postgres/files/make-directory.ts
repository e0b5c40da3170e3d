import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a missing directory (mode 0700) with its parents; rejects with `ENOTDIR` if something else is in the way.
 * Node's own recursive mkdir never ends where the system refuses a directory as if its parent were missing.
 */
export async function makeDirectory(path: string): Promise<void> {
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
