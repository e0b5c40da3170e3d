import type { DevicePage, Organization } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import styles from '#console/pages/devices/devices-page.module.css';
import { Time } from '#console/parts/display/time.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';

interface DeviceCountProps {
  readonly first: DevicePage | undefined;
  readonly orgId: string | null;
  readonly organizations: readonly Organization[];
  /** True while the filter has a fault. The list still shows results of the last valid filter. */
  readonly isOutOfDate: boolean;
}

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
          {isOutOfDate ? (
            words.devices.outOfDate
          ) : (
            <>
              {count !== total && total > 0 && `${words.devices.ofTotal(total)} · `}
              {words.devices.evaluated}
              <Time at={first.evaluatedAt} as="timeOfDay" />
            </>
          )}
        </span>
      )}
    </p>
  );
}
