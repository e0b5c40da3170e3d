import { useRouterState } from '@tanstack/react-router';

/** The token in the fragment, which no server sees. A link that is pasted over another one loads no page anew. */
export function useLinkToken(): string {
  return useRouterState({ select: ({ location }) => location.hash });
}
