/** Writes mails into a directory, where there is no mail server: each a file that any mail program opens. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailSender } from '#application/ports/mail/mail-sender.ts';
import { composeMessage, type MailFrom } from './compose-message.ts';

export interface EmlSenderOptions {
  /** Made where it is not there. */
  readonly directory: string;
  readonly from: MailFrom;
}

/** Whole files only, `<id>.eml`; a mail that is sent again takes the place of itself. Readable to their owner alone. */
export function makeEmlSender({ directory, from }: EmlSenderOptions): MailSender {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (mail) => {
    const { message } = await composer.sendMail(composeMessage(mail, from));
    if (!Buffer.isBuffer(message)) throw new Error('the message was not composed in one piece');
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeWhole(directory, `${mail.id}.eml`, message);
      return { result: 'sent' };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      const code = String(error.code);
      return { result: 'unreachable', problem: `${directory} cannot be written (${code})`, code };
    }
  };
}

/** Under its name when every byte of it is on disk. */
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

/** So that the name outlives a power cut, too. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
