/** Where a command writes what it makes piece by piece: a file that is there only when it is whole, or standard output. */
import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import { CommandFailed } from '#adapters/cli/cli-runtime.ts';

/** Writes all pieces. Throws what they throw; then there is no file, or the one that was there before. */
export type WriteOutput = (pieces: AsyncIterable<string>) => Promise<void>;

/** Into a file beside it, which takes its name at the end; `mode` are its permissions, but for the umask. */
export function toFile(path: string, mode = 0o666): WriteOutput {
  return async (pieces) => {
    const unfinished = `${path}.${process.pid}.part`;
    const file = await open(unfinished, 'w', mode).catch((error: NodeJS.ErrnoException) => {
      throw new CommandFailed(`${path} cannot be written (${error.code})`);
    });
    try {
      try {
        for await (const piece of pieces) await file.write(piece);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  };
}

/** Whoever read standard output has closed it. */
export class ReaderGone extends Error {
  constructor() {
    super('standard output is closed');
  }
}

/** As fast as whoever reads it; throws {@link ReaderGone}. */
export const toStandardOutput: WriteOutput = async (pieces) => {
  let failure: NodeJS.ErrnoException | null = null;
  const onError = (error: NodeJS.ErrnoException) => {
    failure = error.code === 'EPIPE' ? new ReaderGone() : error;
  };
  process.stdout.on('error', onError);
  try {
    for await (const piece of pieces) {
      if (!process.stdout.write(piece)) await once(process.stdout, 'drain').catch(() => undefined);
      if (failure !== null) throw failure;
    }
  } finally {
    process.stdout.off('error', onError);
  }
};
