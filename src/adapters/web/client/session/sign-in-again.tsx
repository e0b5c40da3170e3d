/**
 * Opens a dialog when the session has ended. Input stays, and refused requests are repeated after sign-in (Contract:
 * §14).
 */

import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import type { ApiError } from '#console/api/http.ts';
import { useServices, useSessionState } from '#console/app/services.ts';

export function SignInAgain() {
  const { api, session } = useServices();
  const { kind } = useSessionState();
  const hasEnded = kind === 'ended';
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
      // If the dialog cannot be fetched, the sign-in page takes over.
      () => session.leave(),
    );
  }, [hasEnded, session]);

  return hasEnded && Dialog !== null ? <Dialog /> : null;
}

const PUBLIC: ReadonlySet<string> = new Set(['/login', '/invitation', '/reset-password']);

/** Opens the sign-in page, even after a sign-out in another tab. */
export function LeaveWhenSignedOut() {
  const { kind } = useSessionState();
  const href = useRouterState({ select: ({ location }) => location.href });
  const isAtPublic = useRouterState({ select: ({ location }) => PUBLIC.has(location.pathname) });
  const navigate = useNavigate();
  useEffect(() => {
    if (kind !== 'signed-out' || isAtPublic) return;
    void navigate({ to: '/login', search: href === '/' ? {} : { next: href }, replace: true });
  }, [kind, isAtPublic, href, navigate]);
  return <Outlet />;
}
