import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Subscription, WebhookDelivery } from '#adapters/http/api-types.ts';
import { deliveriesQuery, redeliver, testWebhook } from '#console/api/live.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { formatNumber } from '#console/parts/display/format.ts';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';

const said = words.live;

export interface DeliveriesDialogProps {
  readonly subscription: Subscription;
  readonly mayChange: boolean;
  readonly onResume: () => void;
  readonly onClose: () => void;
}

export function DeliveriesDialog({ subscription, mayChange, onResume, onClose }: DeliveriesDialogProps) {
  const { id, name, state } = subscription;
  const api = useApi();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(deliveriesQuery(api, id));
  const { isSending, fault, send } = useSending();
  const act = (action: () => Promise<void>) =>
    send(async () => {
      await action();
      await queries.invalidateQueries({ queryKey: deliveriesQuery(api, id).queryKey });
    });
  const mayAct = mayChange && state !== 'ended';
  const again: Column<WebhookDelivery> = {
    id: 'again',
    title: said.again,
    isAction: true,
    fits: true,
    align: 'end',
    cell: (delivery) => (
      <Button isCompact onPress={() => void act(() => redeliver(api, id, delivery.id))}>
        {said.again}
      </Button>
    ),
  };

  return (
    <Dialog title={said.deliveriesOf(name)} width={860} onClose={onClose}>
      {state !== 'active' && <Notice kind="info">{said.stopped[state]}</Notice>}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      <ErrorNotice error={fault} />
      {data?.length === 0 ? (
        <p className="soft">{said.noDeliveries}</p>
      ) : (
        <DataTable
          label={said.deliveries}
          columns={mayAct ? [...COLUMNS, again] : COLUMNS}
          rows={data}
          pendingRows={3}
          keyOf={(delivery) => delivery.id}
        />
      )}
      <DialogActions>
        {mayAct && (
          <Button isPending={isSending} onPress={() => void act(() => testWebhook(api, id))}>
            {said.test}
          </Button>
        )}
        {mayAct && state === 'paused' && <Button onPress={onResume}>{said.resume}</Button>}
        <Button kind="primary" onPress={onClose}>
          {words.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const TONES = { pending: 'amber', delivered: 'green', failed: 'red' } as const;

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { id: 'when', title: said.when, isMain: true, cell: ({ at }) => <Time at={at} as="dateTime" /> },
  {
    id: 'status',
    title: said.state,
    fits: true,
    cell: ({ status }) => <Badge tone={TONES[status]}>{said.deliveryStatuses[status]}</Badge>,
  },
  {
    id: 'what',
    title: said.content,
    fits: true,
    cell: ({ from }) => (from === null ? said.testContent : said.changesContent),
  },
  {
    id: 'answer',
    title: said.answer,
    cell: ({ httpStatus, error }) =>
      [httpStatus, sentence(error)].filter((part) => part !== null).join(' · '),
  },
  {
    id: 'took',
    title: said.took,
    align: 'end',
    fits: true,
    cell: ({ durationMs }) => (durationMs === null ? '—' : `${formatNumber(durationMs)} ms`),
  },
];

/** The API's errors begin without a capital. */
function sentence(error: string | null): string | null {
  return error === null ? null : error.slice(0, 1).toUpperCase() + error.slice(1);
}
