import { useQuery } from '@tanstack/react-query';
import type { SavedFilter } from '#console/api/filters/filter-types.ts';
import { filterCountQuery } from '#console/api/filters/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { formatNumber } from '#console/parts/display/format.ts';
import { messageOf } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';

export interface FilterCountProps {
  readonly filter: SavedFilter;
  /** It is asked for once somebody sees it. */
  readonly isSeen: boolean;
}

/** How many devices a saved filter matches. */
export function FilterCount({ filter, isSeen }: FilterCountProps) {
  const { data, error } = useQuery({ ...filterCountQuery(useApi(), filter), enabled: isSeen });
  if (data !== undefined) return formatNumber(data);
  if (error === null) return <Skeleton width={40} />;
  return (
    <span title={messageOf(error)}>
      <span aria-hidden="true">—</span>
      <span className="visually-hidden">{words.filters.uncounted}</span>
    </span>
  );
}
