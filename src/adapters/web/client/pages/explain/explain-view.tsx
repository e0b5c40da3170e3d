import { useQuery } from '@tanstack/react-query';
import { type ExplanationWanted, explanationQuery } from '#console/api/filters/filter-text.ts';
import { organizationsQuery } from '#console/api/fleet/organizations.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { ExplainTree } from './explain-tree.tsx';

/** The tree of why, loaded. */
export function ExplainView(wanted: ExplanationWanted) {
  const api = useApi();
  const { data, error, refetch } = useQuery(explanationQuery(api, wanted));
  const { data: organizations = [] } = useQuery(organizationsQuery(api));
  if (error instanceof ApiError && error.code === 'too_many_nodes') {
    return <Notice kind="info">{words.filters.tooMany}</Notice>;
  }
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton width="60%" />;
  const names = new Map(organizations.map(({ id, name }) => [id, name]));
  return <ExplainTree conditions={wanted.conditions} explanation={data} nameOf={(id) => names.get(id)} />;
}
