import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { MembershipChange } from '#adapters/http/api-types.ts';
import { memberCountsQuery, recentChangesQuery } from '#console/api/live.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { DeviceLink } from '#console/parts/display/device-link.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';
import styles from './live.module.css';

const said = words.live;

const SHOWN_AT_FIRST = 10;

/** The chart is loaded again when no change has come for this long. */
const PAUSE_MS = 1_000;

export interface RecentChangesCardProps {
  readonly filterId: string;
  readonly subscriptionId: string;
}

export function RecentChangesCard({ filterId, subscriptionId }: RecentChangesCardProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(recentChangesQuery(api, filterId, subscriptionId));
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const newest = data?.changes[0]?.seq;
  useEffect(() => {
    if (newest === undefined) return;
    const { queryKey } = memberCountsQuery(api, filterId);
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [api, queries, filterId, newest]);

  return (
    <TitledCard title={said.changes}>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined ? (
        error === null && <Skeleton width="60%" />
      ) : data.changes.length === 0 ? (
        <p className="soft">{data.cursor === null ? said.soon : said.noChanges}</p>
      ) : (
        <ol className={styles.changes} aria-label={said.changes}>
          {data.changes.slice(0, shown).map((change) => (
            <li key={change.seq}>
              <Change change={change} />
              <span className={styles.when}>
                <Time at={change.at} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {data !== undefined && data.changes.length > shown && (
        <div>
          <Button isCompact onPress={() => setShown(Infinity)}>
            {said.more}
          </Button>
        </div>
      )}
    </TitledCard>
  );
}

function Change({ change }: { readonly change: MembershipChange }): ReactNode {
  const { type, deviceId, hostname, cause } = change;
  if (type === 'degraded' || type === 'recovered') {
    return <Badge tone={type === 'degraded' ? 'amber' : 'green'}>{said[type]}</Badge>;
  }
  return (
    <>
      <span className={styles.type}>
        <Badge {...(type === 'entered' && { tone: 'green' })}>
          <span aria-hidden="true">{type === 'entered' ? '+ ' : '− '}</span>
          {said[type]}
        </Badge>
      </span>
      <span className={styles.device}>
        {deviceId === undefined || hostname == null ? (
          <span className="soft">{said.goneDevice}</span>
        ) : (
          <DeviceLink id={deviceId}>{hostname}</DeviceLink>
        )}
      </span>
      {cause !== undefined && <span className="soft">{said.causes[cause]}</span>}
    </>
  );
}
