/** The server's log: one file of bounded size. Its end explains a failed start. */
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { appendToDataFile, type DataDir } from '#adapters/embedded-postgres/files/data-dir.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const TAIL_BYTES = 4096;

/** Rotates a large log first, keeping one generation. */
export async function openServerLog(dataDir: DataDir): Promise<FileHandle> {
  if ((await serverLogBytes(dataDir)) > MAX_BYTES) {
    await rename(dataDir.log, `${dataDir.log}.1`);
  }
  return await appendToDataFile(dataDir, dataDir.log);
}

/** What was logged after `fromByte`, at most 4 KiB from the end. */
export async function readServerLog(dataDir: DataDir, fromByte: number): Promise<string> {
  const start = Math.max(fromByte, (await serverLogBytes(dataDir)) - TAIL_BYTES);
  const handle = await open(dataDir.log).catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await handle?.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start)) ?? {
      buffer: Buffer.alloc(0),
      bytesRead: 0,
    };
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await handle?.close();
  }
}

async function serverLogBytes(dataDir: DataDir): Promise<number> {
  return (await stat(dataDir.log).catch(() => undefined))?.size ?? 0;
}
