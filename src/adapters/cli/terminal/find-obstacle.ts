import { stat } from 'node:fs/promises';

/** Returns why the file cannot be read, or null if it can. */
export async function findObstacle(file: string): Promise<string | null> {
  const stats = await stat(file).catch(() => null);
  if (stats === null) return 'no such file';
  return stats.isDirectory() ? 'is a directory, not a file' : null;
}
