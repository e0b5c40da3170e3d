/** Columns that lists of keys have, whatever the keys are for. */
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { Time } from '#console/parts/display/time.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';

const said = words.settings.apiKeys;

interface AnyKey {
  readonly name: string;
  readonly createdAt: string;
  /** Null: never. */
  readonly expiresAt: string | null;
}

/** When it was made, when it ends by `now` in epoch milliseconds, and a button to revoke it. */
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
