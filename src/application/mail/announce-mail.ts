/** Lets whoever sends mail know at once when a change has queued some, instead of at their next look. */
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';

/** `announce` is called after the commit. */
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
