import { stat } from 'node:fs/promises';

/** Null if the file can be read. */
export async function findObstacle(file: string): Promise<string | null> {
  const stats = await stat(file).catch(() => null);
  if (stats === null) return 'no such file';
  return stats.isDirectory() ? 'is a directory, not a file' : null;
}
