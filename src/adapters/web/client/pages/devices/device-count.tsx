import type { DevicePage, Organization } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { Time } from '#console/parts/display/time.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import styles from './device-count.module.css';

export interface DeviceCountProps {
  /** Undefined until it has come. */
  readonly first: DevicePage | undefined;
  readonly orgId: string | null;
  readonly organizations: readonly Organization[];
  /** The filter as it stands has a fault, and the list is that of the one before. */
  readonly isOutOfDate: boolean;
}

/** How many devices there are, of how many, as of when. */
export function DeviceCount({ first, orgId, organizations, isOutOfDate }: DeviceCountProps) {
  const total = organizations
    .filter(({ id }) => orgId === null || id === orgId)
    .reduce((sum, { deviceCount }) => sum + deviceCount, 0);
  const count = first?.totalCount ?? null;
  return (
    <p className={styles.count}>
      <strong role="status">
        {count !== null && words.devices.count(count)}
        {count === null && !isOutOfDate && <Skeleton width={90} />}
      </strong>
      {first !== undefined && (
        <span className="soft">
          {count !== total && total > 0 && `${words.devices.ofTotal(total)} · `}
          {words.devices.evaluated}
          <Time at={first.evaluatedAt} as="timeOfDay" />
          {isOutOfDate && ` · ${words.devices.outOfDate}`}
        </span>
      )}
    </p>
  );
}
