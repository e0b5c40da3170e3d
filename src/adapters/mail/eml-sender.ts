import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailCopyRemover, MailSender } from '#application/ports/mail/mail-sender.ts';
import { composeMessage, type MailFrom } from './smtp-sender.ts';

export interface EmlSenderOptions {
  readonly directory: string;
  readonly from: MailFrom;
}

/**
 * Writes each mail to a file that appears only when complete, readable by its owner only. A repeated mail
 * replaces its file.
 */
export function makeEmlSender({ directory, from }: EmlSenderOptions): MailSender {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (mail) => {
    const { message } = await composer.sendMail(composeMessage(mail, from));
    if (!Buffer.isBuffer(message)) throw new Error('nodemailer did not buffer the message');
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeWhole(directory, `${mail.id}.eml`, message);
      return { result: 'sent' };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      const code = String(error.code);
      return { result: 'unreachable', problem: `cannot write to ${directory} (${code})`, code };
    }
  };
}

/** Also removes files left half-written by a dead process. */
export function makeEmlRemover({ directory }: Pick<EmlSenderOptions, 'directory'>): MailCopyRemover {
  return async (ids) => {
    const removed: ReadonlySet<string> = new Set(ids);
    for (const name of await namesIn(directory)) {
      const [, id] = FILE_NAME.exec(name) ?? [];
      if (id !== undefined && removed.has(id)) await rm(join(directory, name), { force: true });
    }
  };
}

/** `<id>.eml`, or `.<id>.eml.<process>` while being written. */
const FILE_NAME = /^\.?([^.]+)\.eml(?:\.\d+)?$/;

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function writeWhole(directory: string, name: string, contents: Buffer): Promise<void> {
  const partial = join(directory, `.${name}.${process.pid}`);
  try {
    const file = await open(partial, 'w', 0o600);
    try {
      await file.writeFile(contents);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, join(directory, name));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/** Makes the new name survive a power failure. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
