import { type ReactNode, useState } from 'react';
import { words } from '#console/app/words.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { Time, useNow } from '#console/parts/display/time.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { LoadedTable, type LoadedTableProps } from '#console/parts/layout/loaded-table.tsx';
import { DAY_MS } from '#domain/time.ts';

const said = words.settings.apiKeys;

interface AnyKey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

interface KeyTableProps<Key> extends Pick<LoadedTableProps<Key>, 'label' | 'rows' | 'query'> {
  /** Shown between the name and the dates. */
  readonly columns?: readonly Column<Key>[];
  readonly empty: ReactNode;
  readonly revokeText: string;
  /** Null if keys cannot be revoked here. */
  readonly onRevoke: ((key: Key) => Promise<void>) | null;
}

export function KeyTable<Key extends AnyKey>(props: KeyTableProps<Key>) {
  const { columns = [], revokeText, onRevoke, ...table } = props;
  const now = useNow();
  const [leaving, setLeaving] = useState<Key | null>(null);
  const shown: readonly Column<Key>[] = [
    { id: 'name', title: said.name, isMain: true, cell: ({ name }) => name },
    ...columns,
    { id: 'created', title: said.created, fits: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { id: 'expires', title: said.expires, fits: true, cell: (key) => <Expiry {...key} now={now} /> },
    ...(onRevoke === null ? [] : [revokeColumn<Key>(setLeaving)]),
  ];
  return (
    <>
      <LoadedTable {...table} columns={shown} pendingRows={2} />
      {leaving !== null && onRevoke !== null && (
        <ConfirmDialog
          title={said.revokeTitle(leaving.name)}
          action={said.revokeConfirm}
          onConfirm={() => onRevoke(leaving)}
          onClose={() => setLeaving(null)}
        >
          {revokeText}
        </ConfirmDialog>
      )}
    </>
  );
}

function Expiry({ expiresAt, now }: { readonly expiresAt: string | null; readonly now: number }) {
  if (expiresAt === null) return said.never;
  const isOver = new Date(expiresAt).getTime() <= now;
  return isOver ? <Badge tone="red">{said.expired}</Badge> : <Time at={expiresAt} as="date" />;
}

function revokeColumn<Key extends AnyKey>(revoke: (key: Key) => void): Column<Key> {
  return {
    id: 'revoke',
    title: said.revoke,
    isAction: true,
    cell: (key) => (
      <Button isCompact aria-label={said.revokeNamed(key.name)} onPress={() => revoke(key)}>
        {said.revoke}
      </Button>
    ),
  };
}

/** `days` is a number, or `never`, which gives null. */
export function expiryAfter(days: string): string | null {
  return days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}
