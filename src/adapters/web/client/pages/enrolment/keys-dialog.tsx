/** The enrolment keys of one organization, to look at and to revoke. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type EnrolmentKey, enrolmentKeysQuery, revokeEnrolmentKey } from '#console/api/enrolment-keys.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Badge } from '#console/parts/badge.tsx';
import { Button } from '#console/parts/button.tsx';
import { type Column, DataTable } from '#console/parts/data-table.tsx';
import { Dialog, DialogActions } from '#console/parts/dialog.tsx';
import { Empty } from '#console/parts/empty.tsx';
import { ErrorNotice } from '#console/parts/notice.tsx';
import { Time, useNow } from '#console/parts/time.tsx';

const said = words.enrolment;

export interface KeysDialogProps {
  readonly organization: { readonly id: string; readonly name: string };
  readonly onAdd: () => void;
  readonly onClose: () => void;
}

export function KeysDialog({ organization, onAdd, onClose }: KeysDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const now = useNow();
  const { data, error, refetch } = useQuery(enrolmentKeysQuery(api));
  const [leaving, setLeaving] = useState<EnrolmentKey | null>(null);
  const keys = data?.filter(({ orgId }) => orgId === organization.id);
  return (
    <>
      <Dialog title={said.keysOf(organization.name)} isOpen width={640} onClose={onClose}>
        <p>{said.keysText}</p>
        {keys === undefined && error !== null ? (
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        ) : keys?.length === 0 ? (
          <Empty title={said.noKeysTitle} text={said.noKeysText} />
        ) : (
          <DataTable
            label={said.keys}
            columns={columnsFor(now, setLeaving)}
            rows={keys}
            pendingRows={2}
            keyOf={({ id }) => id}
          />
        )}
        <DialogActions>
          <Button kind="quiet" onPress={onClose}>
            {words.close}
          </Button>
          <Button kind="primary" onPress={onAdd}>
            {said.add}
          </Button>
        </DialogActions>
      </Dialog>
      {leaving !== null && (
        <ConfirmDialog
          title={said.revokeTitle(leaving.name)}
          action={said.revokeConfirm}
          kind="danger"
          onConfirm={async () => {
            await revokeEnrolmentKey(api, leaving.id);
            await queries.invalidateQueries({ queryKey: enrolmentKeysQuery(api).queryKey });
          }}
          onClose={() => setLeaving(null)}
        >
          {said.revokeText}
        </ConfirmDialog>
      )}
    </>
  );
}

function columnsFor(now: number, revoke: (key: EnrolmentKey) => void): readonly Column<EnrolmentKey>[] {
  return [
    { id: 'name', title: said.keyName, isMain: true, cell: ({ name }) => name },
    { id: 'created', title: said.created, fits: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'expires',
      title: said.expires,
      fits: true,
      cell: ({ expiresAt }) => {
        if (expiresAt === null) return said.never;
        const isOver = new Date(expiresAt).getTime() <= now;
        return isOver ? <Badge tone="red">{said.expired}</Badge> : <Time at={expiresAt} as="date" />;
      },
    },
    {
      id: 'revoke',
      title: said.revoke,
      isAction: true,
      fits: true,
      align: 'end',
      cell: (key) => (
        <Button isCompact aria-label={said.revokeNamed(key.name)} onPress={() => revoke(key)}>
          {said.revoke}
        </Button>
      ),
    },
  ];
}
