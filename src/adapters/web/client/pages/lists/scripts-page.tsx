import { useSearch } from '@tanstack/react-router';
import type { Script } from '#adapters/http/api-types.ts';
import { scriptsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { PagedTable } from './paged-table.tsx';
import { NarrowingSearch, Toolbar, useNarrow } from './toolbar.tsx';
import { type Organizations, useOrganizations } from './use-organizations.ts';

const said = words.lists.scripts;

export function ScriptsPage() {
  const api = useApi();
  const { org, search } = useSearch({ from: '/shell/scripts' });
  const narrow = useNarrow();
  const organizations = useOrganizations();
  return (
    <Page title="Scripts" isWide>
      <Toolbar>
        <NarrowingSearch label={said.search} value={search} />
      </Toolbar>
      <PagedTable
        label="Scripts"
        query={scriptsQuery(api, { search, orgId: org })}
        columns={columnsFor(organizations)}
        keyOf={({ id }) => id}
        one={said.one}
        many={said.many}
        empty={
          search === undefined
            ? { title: said.emptyTitle, text: said.emptyText }
            : {
                title: said.noneFoundTitle(search),
                text: said.noneFoundText,
                onClear: () => narrow({ search: undefined }),
              }
        }
      />
    </Page>
  );
}

function columnsFor(organizations: Organizations): readonly Column<Script>[] {
  return [
    { id: 'name', title: said.name, isMain: true, cell: ({ name }) => name },
    { id: 'description', title: said.description, cell: ({ description }) => description ?? '—' },
    {
      id: 'owner',
      title: said.owner,
      cell: ({ orgId, partnerId }) => {
        if (orgId !== null) return organizations.nameOf(orgId) ?? '—';
        const partner = organizations.partnerName(partnerId);
        return partner === undefined ? '—' : said.ofPartner(partner);
      },
    },
  ];
}
