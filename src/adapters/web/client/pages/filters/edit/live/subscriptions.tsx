import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { SavedFilter, Subscription } from '#adapters/http/api-types.ts';
import { ApiError } from '#console/api/http.ts';
import {
  changeSubscription,
  deleteSubscription,
  resumeSubscription,
  subscriptionsQuery,
} from '#console/api/live.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { ConnectDialog, RenewDialog, SubscriptionDialog } from './subscription-dialogs.tsx';
import { lineOf } from './subscription-draft.ts';

const said = words.live;

interface Asked {
  readonly what: 'edit' | 'connect' | 'deliveries' | 'renew' | 'resume-now' | 'remove';
  readonly subscription: Subscription;
}

export interface SubscriptionsCardProps {
  readonly filter: SavedFilter;
  readonly subscriptions: readonly Subscription[];
  readonly mayChange: boolean;
  /** Whether the caller may read the members and changes. */
  readonly mayFollow: boolean;
  readonly add: ReactNode;
  readonly onSay: (message: string) => void;
}

export function SubscriptionsCard(props: SubscriptionsCardProps) {
  const { filter, subscriptions, mayChange, mayFollow, add, onSay } = props;
  const api = useApi();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { fault, send } = useSending();
  const reload = () => queries.invalidateQueries({ queryKey: subscriptionsQuery(api, filter.id).queryKey });
  const pause = ({ id, name }: Subscription) =>
    send(async () => {
      await changeSubscription(api, id, { state: 'paused' });
      await reload();
      onSay(said.said.paused(name));
    });
  const resume = (subscription: Subscription, isFromNow = false) =>
    send(async () => {
      const { id, name, kind } = subscription;
      try {
        if (kind === 'feed') await changeSubscription(api, id, { state: 'active' });
        else await resumeSubscription(api, id, isFromNow);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'cursor_expired') throw error;
        setAsked({ what: 'resume-now', subscription });
        return;
      }
      await reload();
      onSay(said.said.active(name));
    });
  const close = () => setAsked(null);
  const isLastActive = subscriptions.filter(({ state }) => state === 'active').length === 1;

  const actions: Column<Subscription> = {
    id: 'actions',
    title: said.actions,
    isAction: true,
    fits: true,
    align: 'end',
    cell: (subscription) => {
      const { name, kind, state } = subscription;
      if (!mayFollow || (!mayChange && kind === 'mail')) return null;
      const ask = (what: Asked['what']) => () => setAsked({ what, subscription });
      return (
        <MenuTrigger>
          <Button kind="quiet" isCompact aria-label={said.actionsFor(name)}>
            <Icon name="more" />
          </Button>
          <Menu placement="bottom end">
            {kind === 'feed' && <MenuItem onAction={ask('connect')}>{said.connect}</MenuItem>}
            {kind === 'webhook' && <MenuItem onAction={ask('deliveries')}>{said.deliveries}</MenuItem>}
            {mayChange && state === 'active' && (
              <MenuItem onAction={() => void pause(subscription)}>{said.pause}</MenuItem>
            )}
            {mayChange && state === 'paused' && (
              <MenuItem onAction={() => void resume(subscription)}>{said.resume}</MenuItem>
            )}
            {mayChange && state !== 'ended' && kind === 'webhook' && (
              <MenuItem onAction={ask('renew')}>{said.renew}</MenuItem>
            )}
            {mayChange && state !== 'ended' && <MenuItem onAction={ask('edit')}>{said.edit}</MenuItem>}
            {mayChange && <MenuItem onAction={ask('remove')}>{said.remove}</MenuItem>}
          </Menu>
        </MenuTrigger>
      );
    },
  };

  return (
    <TitledCard title={said.subscriptions} action={add}>
      <ErrorNotice error={fault} />
      <DataTable
        label={said.subscriptions}
        columns={[...COLUMNS, actions]}
        rows={subscriptions}
        keyOf={({ id }) => id}
      />
      {asked?.what === 'edit' && (
        <SubscriptionDialog
          filter={filter}
          subscription={asked.subscription}
          onSaved={({ name }) => onSay(said.said.saved(name))}
          onClose={close}
        />
      )}
      {asked?.what === 'connect' && <ConnectDialog subscription={asked.subscription} onClose={close} />}
      {asked?.what === 'renew' && <RenewDialog subscription={asked.subscription} onClose={close} />}
      {asked?.what === 'deliveries' && (
        <DeliveriesDialog
          subscription={subscriptions.find(({ id }) => id === asked.subscription.id) ?? asked.subscription}
          mayChange={mayChange}
          onResume={() => void resume(asked.subscription)}
          onClose={close}
        />
      )}
      {asked?.what === 'resume-now' && (
        <ConfirmDialog
          title={said.expiredTitle(asked.subscription.name)}
          action={said.resumeNow}
          kind="primary"
          onConfirm={() => resume(asked.subscription, true)}
          onClose={close}
        >
          {said.expiredText}
        </ConfirmDialog>
      )}
      {asked?.what === 'remove' && (
        <ConfirmDialog
          title={said.removeTitle(asked.subscription.name)}
          action={said.remove}
          onConfirm={async () => {
            const { id, name } = asked.subscription;
            await deleteSubscription(api, id);
            await reload();
            onSay(said.said.removed(name));
          }}
          onClose={close}
        >
          {said.removeText} {isLastActive && asked.subscription.state === 'active' && said.removeLast}
        </ConfirmDialog>
      )}
    </TitledCard>
  );
}

function targetOf({ kind, url, recipients, notify }: Subscription): ReactNode {
  if (kind === 'feed') return '—';
  if (kind === 'webhook') return <code>{url}</code>;
  const line = lineOf(notify);
  const when = line === null ? said.notifyShort.changes : said.notifyShort[line.kind](line.devices);
  return `${said.people(recipients?.length ?? 0)}, ${when}`;
}

const COLUMNS: readonly Column<Subscription>[] = [
  { id: 'name', title: said.name, isMain: true, cell: ({ name }) => name },
  { id: 'kind', title: said.kind, fits: true, cell: ({ kind }) => said.kinds[kind] },
  { id: 'target', title: said.target, cell: targetOf },
  {
    id: 'state',
    title: said.state,
    fits: true,
    cell: ({ state }) => (
      <Badge {...(state === 'active' && { tone: 'green' })} {...(state === 'paused' && { tone: 'amber' })}>
        {said.states[state]}
      </Badge>
    ),
  },
  { id: 'created', title: said.created, fits: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];
