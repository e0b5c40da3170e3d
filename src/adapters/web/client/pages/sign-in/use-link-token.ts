import { useRouterState } from '@tanstack/react-router';

/**
 * The token is in the fragment, which is never sent to a server. This is a hook, because pasting another link does
 * not reload the page.
 */
export function useLinkToken(): string {
  return useRouterState({ select: ({ location }) => location.hash });
}
