import { useQuery } from '@tanstack/react-query';
import { partQuery } from '#console/app/lazy-page.ts';
import { Pending } from '#console/parts/feedback/pending.tsx';
import type { FilterLiveProps } from './filter-live.tsx';

const liveQuery = partQuery('filter-live', async () => (await import('./filter-live.tsx')).FilterLive);

export function LiveTab(props: FilterLiveProps) {
  const query = useQuery(liveQuery);
  const FilterLive = query.data;
  return FilterLive === undefined ? <Pending query={query} /> : <FilterLive {...props} />;
}
