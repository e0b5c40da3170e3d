import { useRouterState } from '@tanstack/react-router';

/** No server sees the fragment. A link pasted over another one does not reload the page. */
export function useLinkToken(): string {
  return useRouterState({ select: ({ location }) => location.hash });
}
