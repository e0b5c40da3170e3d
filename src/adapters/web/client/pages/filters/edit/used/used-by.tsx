import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { impactQuery } from '#console/api/filters.ts';
import type { FilterUse } from '#console/api/http.ts';
import { subscriptionsQuery } from '#console/api/live.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import type { SavedVersion } from '#console/pages/filters/edit/draft/filter-draft.ts';
import { Badge } from '#console/parts/display/badge.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { Pending } from '#console/parts/feedback/pending.tsx';
import { DataTable } from '#console/parts/layout/data-table.tsx';

const said = words.filters.used;

/** Lists direct and indirect uses. */
export function UsedBy({ saved: { data: filter, etag } }: { readonly saved: SavedVersion }) {
  const json = JSON.stringify(filter.conditions);
  const query = useQuery(impactQuery(useApi(), filter.id, etag, json));
  const { data: subscriptions } = useQuery(subscriptionsQuery(useApi(), null));
  if (query.data === undefined) return <Pending query={query} />;
  const filterOf = new Map(subscriptions?.map(({ id, filterId }) => [id, filterId]));
  const uses: readonly FilterUse[] = query.data.usedBy;
  if (uses.length === 0) return <Empty title={said.emptyTitle} text={said.emptyText} />;
  return (
    <DataTable
      label={words.filters.tabs.used}
      columns={[
        {
          id: 'name',
          title: said.name,
          isMain: true,
          cell: ({ kind, id, name }) => {
            const filterId = kind === 'filter' ? id : filterOf.get(id);
            if (filterId === undefined) return name;
            return (
              <Link
                to="/filters/$id"
                params={{ id: filterId }}
                search={kind === 'filter' ? {} : { tab: 'live' }}
              >
                {name}
              </Link>
            );
          },
        },
        { id: 'kind', title: said.kind, cell: ({ kind }) => <Badge>{said.kinds[kind]}</Badge> },
      ]}
      rows={uses}
      keyOf={({ id }) => id}
    />
  );
}
