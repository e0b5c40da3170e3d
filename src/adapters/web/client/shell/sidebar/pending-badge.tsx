import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { pendingDeletionsQuery } from '#console/api/administration/deletion-requests.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { formatNumber } from '#console/parts/display/format.ts';
import styles from './pending-badge.module.css';

/**
 * How many deletion requests wait for a decision where the pages are narrowed to; nothing where none does. Where that is
 * not known, as after a failure, it does not look like none.
 */
export function PendingBadge() {
  const { org = null } = useSearch({ strict: false });
  const { data: count, error } = useQuery(pendingDeletionsQuery(useApi(), org));
  if (count === undefined && error !== null) {
    return (
      <strong
        role="img"
        aria-label={words.administration.waitingUnknown}
        title={words.administration.waitingUnknown}
        className={styles.unknown}
      >
        ?
      </strong>
    );
  }
  if (count === undefined || count === 0) return null;
  return (
    <strong className={styles.badge} title={words.administration.waiting(count)}>
      {formatNumber(count)}
    </strong>
  );
}
