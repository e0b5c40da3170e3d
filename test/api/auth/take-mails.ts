/** Mails as the worker sends them, and the links in them. */
import type { Composition } from 'fleetsift';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import { makeResetJob } from '#application/auth/links/password-reset.ts';
import type { QueuedMail } from '#domain/mail/queued-mail.ts';
import { renderMail } from '#domain/mail/render-mail.ts';

const NEVER = new AbortController().signal;

type Service = Pick<Composition, 'backend' | 'clock' | 'newId'>;

/** Turns every request for a new password into a link and its mail. */
export function answerResets({ backend: { unitOfWork }, clock, newId }: Service): Promise<void> {
  const job = makeResetJob({ unitOfWork, clock, newId, secrets: randomSecrets });
  return job.run({ stopping: NEVER, aborting: NEVER });
}

/** Answers requests for a new password, then takes every due mail out of the outbox as sent. */
export async function takeMails(service: Service): Promise<readonly QueuedMail[]> {
  const { backend, clock } = service;
  await answerResets(service);
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
