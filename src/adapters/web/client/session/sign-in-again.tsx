/**
 * Asks who it is where a session ends while somebody works: what was typed stays, and requests that were refused go on
 * afterwards (Contract: §14).
 */
import { type ComponentType, useEffect, useState } from 'react';
import type { ApiError } from '#console/api/http.ts';
import { useServices, useSessionState } from '#console/app/services.ts';

export function SignInAgain() {
  const { api, session } = useServices();
  const { kind } = useSessionState();
  const hasEnded = kind === 'ended';
  /** Comes only when it is needed. */
  const [Dialog, setDialog] = useState<ComponentType | null>(null);

  useEffect(() => {
    api.signInAgain = (error: ApiError) =>
      new Promise((goOn, giveUp) => {
        const stop = session.subscribe(() => {
          if (session.state.kind === 'ended') return;
          stop();
          if (session.state.kind === 'signed-in') goOn();
          else giveUp(error);
        });
      });
  }, [api, session]);

  useEffect(() => {
    if (!hasEnded) return;
    import('./sign-in-again-dialog.tsx').then(
      ({ SignInAgainDialog }) => setDialog(() => SignInAgainDialog),
      // Where it cannot be fetched, the page for that is what is left.
      () => session.leave(),
    );
  }, [hasEnded, session]);

  return hasEnded && Dialog !== null ? <Dialog /> : null;
}
