import { useQuery } from '@tanstack/react-query';
import { explanationQuery } from '#console/api/filter-text.ts';
import { ApiError } from '#console/api/http.ts';
import { organizationsQuery } from '#console/api/organizations.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ErrorNotice, Notice } from '#console/parts/notice.tsx';
import { Skeleton } from '#console/parts/skeleton.tsx';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import { ExplainTree } from './explain-tree.tsx';

export interface ExplainViewProps {
  readonly conditions: ConditionJson;
  /** Null: what each condition does to the list; else also whether this device matches it. */
  readonly deviceId: string | null;
}

/** The tree of why, loaded. */
export function ExplainView({ conditions, deviceId }: ExplainViewProps) {
  const api = useApi();
  const { data, error } = useQuery(explanationQuery(api, conditions, deviceId));
  const { data: organizations = [] } = useQuery(organizationsQuery(api));
  if (error instanceof ApiError && error.code === 'too_many_nodes') {
    return <Notice kind="info">{words.filters.tooMany}</Notice>;
  }
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <Skeleton width="60%" />;
  const names = new Map(organizations.map(({ id, name }) => [id, name]));
  return <ExplainTree conditions={conditions} explanation={data} nameOf={(id) => names.get(id)} />;
}
