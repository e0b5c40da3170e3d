/** Where a command writes what it makes piece by piece: a file that is there only when it is whole, or standard output. */
import { once } from 'node:events';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommandFailed } from '#adapters/cli/cli-runtime.ts';

/** Writes all pieces. Throws what they throw; then there is no file, or the one that was there before. */
export type WriteOutput = (pieces: AsyncIterable<string>) => Promise<void>;

/**
 * Into a file beside it, which takes its name at the end; `mode` are its permissions, but for the umask. What is there
 * and is no file, such as `/dev/stdout` or a named pipe, is written to and stays.
 */
export function toFile(path: string, mode = 0o666): WriteOutput {
  return async (pieces) => {
    // Where a link leads, so that it goes on leading there.
    const target = await realpath(path).catch(() => path);
    const there = await stat(target).catch(() => null);
    if (there?.isDirectory() === true) throw new CommandFailed(`${path} is a directory, not a file`);
    if (there !== null && !there.isFile()) await writeAll(await openFor(path, target, mode), pieces);
    else await replace(path, target, mode, pieces);
  };
}

async function replace(
  path: string,
  target: string,
  mode: number,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const unfinished = `${target}.${process.pid}.part`;
  const file = await openFor(path, unfinished, mode);
  try {
    await writeAll(file, pieces, () => file.sync());
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** @param path as it was given */
async function openFor(path: string, opened: string, mode: number): Promise<FileHandle> {
  return open(opened, 'w', mode).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${path} cannot be written (${error.code})`);
  });
}

async function writeAll(
  file: FileHandle,
  pieces: AsyncIterable<string>,
  finish?: () => Promise<void>,
): Promise<void> {
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await finish?.();
  } finally {
    await file.close();
  }
}

/** Whoever read standard output has closed it. */
export class ReaderGone extends Error {
  constructor() {
    super('standard output is closed');
  }
}

/** Standard output and standard error, while a command runs. */
interface WatchedOutput {
  /** Throws {@link ReaderGone}, or says why, if anything that was written to standard output is lost. */
  checkWritten(): Promise<void>;
  unwatch(): Promise<void>;
}

/** Without it, a reader that has enough, or a full disk, ends the process with a stack trace. */
export function watchOutput(): WatchedOutput {
  let failure: Error | null = null;
  const onError = (error: NodeJS.ErrnoException) => {
    failure ??= error.code === 'EPIPE' ? new ReaderGone() : lost(error);
  };
  // There is nowhere left to say it.
  const ignore = () => undefined;
  process.stdout.on('error', onError);
  process.stderr.on('error', ignore);
  return {
    checkWritten: async () => {
      // The last line fails a turn later.
      await nextTurn();
      if (failure !== null) throw failure;
    },
    unwatch: async () => {
      await nextTurn();
      process.stdout.off('error', onError);
      process.stderr.off('error', ignore);
    },
  };
}

function lost(error: Error): CommandFailed {
  return new CommandFailed(
    `standard output cannot be written: ${error.message}; what was to be shown is lost, and what was done is done`,
  );
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
