import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSessionState } from '#console/app/services.ts';

/**
 * Every page, until the session ends, here or in another tab: then the way to sign in, and back. It stands around
 * whatever could fail for want of a session.
 */
export function LeaveWhenSignedOut() {
  const { kind } = useSessionState();
  const href = useRouterState({ select: ({ location }) => location.href });
  const isAtLogin = useRouterState({ select: ({ location }) => location.pathname === '/login' });
  const navigate = useNavigate();
  useEffect(() => {
    if (kind !== 'signed-out' || isAtLogin) return;
    void navigate({ to: '/login', search: href === '/' ? {} : { next: href }, replace: true });
  }, [kind, isAtLogin, href, navigate]);
  return <Outlet />;
}
