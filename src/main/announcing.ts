import type { Backend } from '#application/backend.ts';
import type { Run } from './ingredients.ts';

/** After a change, this process sends queued mails at once and reloads the access of the users concerned. */
export async function announcing(changes: Pick<Backend, 'unitOfWork' | 'fleetWriter'>, run: Run) {
  const { announceAccessChanges } = await import('#application/auth/announce-access-changes.ts');
  const { announceMail } = await import('#application/mail/announce-mail.ts');
  const { MAIL_JOB } = await import('#application/mail/mail-job.ts');
  const announced = announceAccessChanges(changes, (userId) => run.credentials?.forget(userId));
  return { ...announced, unitOfWork: announceMail(announced.unitOfWork, () => run.worker?.nudge(MAIL_JOB)) };
}
