import { queryOptions } from '@tanstack/react-query';
import type { HostPages, PLACES } from '#adapters/web/places.ts';
import { readJson, sendOrThrow } from './http.ts';

/** A host product's page is offered only if its address is configured. */
export function isOffered(place: (typeof PLACES)[number], hostPages: HostPages | undefined): boolean {
  return !('hostPage' in place) || (hostPages?.[place.hostPage] ?? null) !== null;
}

export const hostPagesQuery = queryOptions({
  queryKey: ['host-pages'],
  queryFn: async ({ signal }): Promise<HostPages> => {
    const response = await sendOrThrow('/settings.json', { signal });
    return (await readJson<{ readonly hostPages: HostPages }>(response)).hostPages;
  },
  staleTime: Number.POSITIVE_INFINITY,
});
