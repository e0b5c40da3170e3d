import { words } from '#console/app/words.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { DAY_MS } from '#domain/time.ts';

export interface KeyTableProps<Key> {
  readonly label: string;
  readonly columns: readonly Column<Key>[];
  readonly keys: readonly Key[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly empty: { readonly title: string; readonly text: string };
}

export function KeyTable<Key extends { readonly id: string }>(props: KeyTableProps<Key>) {
  const { label, columns, keys, error, onRetry, empty } = props;
  if (keys === undefined && error !== null) return <ErrorNotice error={error} onRetry={onRetry} />;
  if (keys?.length === 0) return <Empty title={empty.title} text={empty.text} />;
  return <DataTable label={label} columns={columns} rows={keys} pendingRows={2} keyOf={({ id }) => id} />;
}

const said = words.settings.apiKeys;

interface AnyKey {
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

export function keyColumns<Key extends AnyKey>(
  now: number,
  revoke: (key: Key) => void,
): readonly Column<Key>[] {
  return [
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

interface RevokeDialogProps {
  readonly name: string;
  readonly text: string;
  readonly onRevoke: () => Promise<void>;
  readonly onClose: () => void;
}

export function RevokeDialog({ name, text, onRevoke, onClose }: RevokeDialogProps) {
  return (
    <ConfirmDialog
      title={said.revokeTitle(name)}
      action={said.revokeConfirm}
      kind="danger"
      onConfirm={onRevoke}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  );
}

/** `days`: a number, or `never`, which gives null. */
export function expiryAfter(days: string): string | null {
  return days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}
