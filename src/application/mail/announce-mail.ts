/** Wakes the mail job as soon as a transaction has queued mail, instead of waiting for its next poll. */
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';

/** The same unit of work; calls `announce` after each commit that queued a mail. */
export function announceMail(unitOfWork: UnitOfWork, announce: () => void): UnitOfWork {
  return async (scope, work) => {
    let hasQueued = false;
    const result = await unitOfWork(scope, (tx) =>
      work({
        ...tx,
        mail: async (mail) => {
          await tx.mail(mail);
          hasQueued = true;
        },
      }),
    );
    if (hasQueued) announce();
    return result;
  };
}
