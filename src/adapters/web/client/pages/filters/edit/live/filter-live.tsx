import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { subscriptionsQuery } from '#console/api/live.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { useOwners } from '#console/pages/filters/owners.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { Pending } from '#console/parts/feedback/pending.tsx';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { MemberChart } from './member-chart.tsx';
import { RecentChangesCard } from './recent-changes.tsx';
import { SubscriptionDialog } from './subscription-dialogs.tsx';
import { SubscriptionsCard } from './subscriptions.tsx';

const said = words.live;

export interface FilterLiveProps {
  readonly filter: SavedFilter;
  readonly onSay: (message: string) => void;
}

/** The live tab of a filter (Contract: §17). */
export function FilterLive({ filter, onSay }: FilterLiveProps) {
  const owners = useOwners();
  const isWithinReach = owners.mayChange(filter);
  const mayChange = holds(useUser(), DEVICES_WRITE) && isWithinReach;
  const query = useQuery(subscriptionsQuery(useApi(), filter.id));
  const { data: subscriptions } = query;
  const [isAdding, setIsAdding] = useState(false);
  if (subscriptions === undefined) return <Pending query={query} />;
  // Any subscription will do, because all subscriptions to a filter have the same changes.
  const source = subscriptions.find(({ state }) => state === 'active') ?? subscriptions[0];
  const add = mayChange && <Button onPress={() => setIsAdding(true)}>{said.add}</Button>;
  return (
    <>
      {source === undefined ? (
        <Empty title={said.emptyTitle} text={mayChange ? said.emptyText : said.emptyOthers}>
          {add}
        </Empty>
      ) : (
        <>
          {source.state !== 'active' && <Notice kind="info">{said.noneActive}</Notice>}
          {isWithinReach ? (
            <>
              <MemberChart filterId={filter.id} />
              <RecentChangesCard filterId={filter.id} subscriptionId={source.id} />
            </>
          ) : (
            <Notice kind="info">{said.wholePartnerOnly}</Notice>
          )}
          <SubscriptionsCard
            filter={filter}
            subscriptions={subscriptions}
            mayChange={mayChange}
            mayFollow={isWithinReach}
            add={add}
            onSay={onSay}
          />
        </>
      )}
      {isAdding && (
        <SubscriptionDialog
          filter={filter}
          subscription={null}
          onSaved={({ name }) => onSay(said.said.added(name))}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  );
}
