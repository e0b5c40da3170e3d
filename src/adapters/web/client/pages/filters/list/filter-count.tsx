import { useQuery } from '@tanstack/react-query';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { filterCountQuery } from '#console/api/filters/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { DevicesLink, type DevicesLinkProps } from '#console/pages/filters/devices-link.tsx';
import { formatNumber } from '#console/parts/display/format.ts';
import { messageOf } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';

export interface FilterCountProps {
  readonly filter: SavedFilter;
  /** It is asked for once somebody sees it. */
  readonly isSeen: boolean;
  /** What it counts; absent for a filter that is too deep to be shown there. */
  readonly devices?: Omit<DevicesLinkProps, 'children'>;
}

/** How many devices a saved filter matches, and the way to them. */
export function FilterCount({ filter, isSeen, devices }: FilterCountProps) {
  const { data, error } = useQuery({ ...filterCountQuery(useApi(), filter), enabled: isSeen });
  if (data !== undefined) {
    const count = formatNumber(data);
    return devices === undefined ? count : <DevicesLink {...devices}>{count}</DevicesLink>;
  }
  if (error === null) return <Skeleton width={40} />;
  return (
    <span title={messageOf(error)}>
      <span aria-hidden="true">—</span>
      <span className="visually-hidden">{words.filters.uncounted}</span>
    </span>
  );
}
