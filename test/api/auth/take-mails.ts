/** Mails as the worker sends them, and the links in them. */
import type { Composition } from 'fleetsift';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import { makeResetJob } from '#application/auth/links/password-reset.ts';
import type { QueuedMail } from '#domain/mail/queued-mail.ts';
import { renderMail } from '#domain/mail/render-mail.ts';

const NEVER = new AbortController().signal;

/** Answers requests for a new password, then takes every due mail out of the outbox as sent. */
export async function takeMails({
  backend,
  clock,
  newId,
}: Pick<Composition, 'backend' | 'clock' | 'newId'>): Promise<readonly QueuedMail[]> {
  const { unitOfWork } = backend;
  await makeResetJob({ unitOfWork, clock, newId, secrets: randomSecrets }).run({
    stopping: NEVER,
    aborting: NEVER,
  });
  const mails: QueuedMail[] = [];
  for (;;) {
    const claimed = await backend.mailOutbox.claim(clock(), 60_000);
    if (claimed === null) return mails;
    await backend.mailOutbox.settle(claimed, { status: 'sent', at: clock() });
    mails.push(claimed.mail);
  }
}

/** The token in the link of a mail, which must lead to the page. */
export function tokenIn(mail: QueuedMail | undefined, page: 'invitation' | 'reset-password'): string {
  if (mail === undefined) throw new Error('there is no mail');
  const { text } = renderMail(mail, 'https://fleetsift.example/base');
  const [, token] =
    new RegExp(`https://fleetsift\\.example/base/${page}#(fsl_[\\w-]{43})\n`).exec(text) ?? [];
  if (token === undefined) throw new Error(`there is no link to ${page} in: ${text}`);
  return token;
}
