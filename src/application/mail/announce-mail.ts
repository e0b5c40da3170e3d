import type { UnitOfWork } from '#application/ports/unit-of-work.ts';

/** Calls `announce` after each commit that queued mail, so the mail job need not wait for its poll. */
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
