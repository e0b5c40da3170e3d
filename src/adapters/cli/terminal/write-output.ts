/** Writes long output to standard output, or to a file that appears only once complete. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { onStopSignal } from '#adapters/cli/service/stop-signals.ts';
import { visible } from '#domain/text/visible-text.ts';
import { isShown } from './door.ts';

export interface Output {
  /** Null means standard output. */
  readonly file: string | null;
  /** The file's permissions, before the umask. */
  readonly mode?: number;
  readonly pieces: (signal: AbortSignal) => AsyncIterable<string>;
  /** Returns how much was written so far, such as `5 records`. */
  readonly done: () => string;
}

/**
 * A stop signal aborts `pieces`. If the command fails, it says how much was done and leaves an existing file unchanged.
 */
export async function writeOutput({ file, mode = 0o666, pieces, done }: Output): Promise<void> {
  const interruption = new AbortController();
  const stopListening = onStopSignal(() => interruption.abort());
  try {
    const all = pieces(interruption.signal);
    await (file === null ? toStandardOutput(all) : toFile(file, mode, all));
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    const cause = error instanceof Error ? error.message || error.name : String(error);
    const why = interruption.signal.aborted ? 'interrupted' : `failed (${cause})`;
    const left = file === null ? 'the output is not complete' : `${file} was not written`;
    throw new CommandFailed(`${why} after ${done()}; ${left}`);
  } finally {
    stopListening();
  }
}

/** Writes a temporary file beside the target and renames it at the end. Pipes and devices are written directly. */
async function toFile(path: string, mode: number, pieces: AsyncIterable<string>): Promise<void> {
  // Follows a symbolic link, because the rename would otherwise replace the link itself.
  const target = await realpath(path).catch(() => path);
  const there = await stat(target).catch(() => null);
  if (there?.isDirectory() === true) throw new CommandFailed(`${path} is a directory, not a file`);
  if (there !== null && !there.isFile()) await writeAll(await openFor(path, target, mode), pieces);
  else await replace(path, target, mode, pieces);
}

async function replace(
  path: string,
  target: string,
  mode: number,
  pieces: AsyncIterable<string>,
): Promise<void> {
  // The name is random and `wx` opens only new files, so nobody can plant a link at this path.
  const unfinished = `${target}.${randomBytes(8).toString('hex')}.part`;
  const file = await openFor(path, unfinished, mode, 'wx');
  try {
    await writeAll(file, pieces, () => file.sync());
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function openFor(
  path: string,
  opened: string,
  mode: number,
  flags: 'w' | 'wx' = 'w',
): Promise<FileHandle> {
  return open(opened, flags, mode).catch((error: NodeJS.ErrnoException) => {
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

export class ReaderGone extends Error {
  constructor() {
    super('standard output is closed');
  }
}

interface WatchedOutput {
  /** Throws {@link ReaderGone}, or an error with a message, if output was lost. */
  checkWritten(): Promise<void>;
  unwatch(): Promise<void>;
}

/** Without these handlers, a closed pipe or a full disk would end the process with a stack trace. */
export function watchOutput(): WatchedOutput {
  let failure: Error | null = null;
  const onError = (error: NodeJS.ErrnoException) => {
    failure ??= error.code === 'EPIPE' ? new ReaderGone() : lost(error);
  };
  // If standard error fails, there is no place left for a message.
  const ignore = () => undefined;
  process.stdout.on('error', onError);
  process.stderr.on('error', ignore);
  return {
    checkWritten: async () => {
      // An error of the last write arrives one turn of the event loop later.
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
    `standard output cannot be written: ${error.message}; the output is lost, but any changes were made`,
  );
}

export async function toStandardOutput(pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
  let failure: NodeJS.ErrnoException | null = null;
  const onError = (error: NodeJS.ErrnoException) => {
    failure = error.code === 'EPIPE' ? new ReaderGone() : error;
  };
  process.stdout.on('error', onError);
  try {
    for await (const piece of pieces) {
      if (!process.stdout.write(isShown() ? visible(piece) : piece))
        await once(process.stdout, 'drain').catch(() => undefined);
      if (failure !== null) throw failure;
    }
  } finally {
    process.stdout.off('error', onError);
  }
}
