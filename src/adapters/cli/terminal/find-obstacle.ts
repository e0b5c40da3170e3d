import { stat } from 'node:fs/promises';

/** Why the file cannot be read; null if it can. */
export async function findObstacle(file: string): Promise<string | null> {
  const stats = await stat(file).catch(() => null);
  if (stats === null) return 'no such file';
  return stats.isDirectory() ? 'is a directory, not a file' : null;
}
