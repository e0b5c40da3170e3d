import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Person } from '#adapters/http/api-types.ts';
import { pendingDeletionsQuery } from '#console/api/administration.ts';
import { PEOPLE_KEY, peopleQuery } from '#console/api/people.ts';
import { useApi } from '#console/app/services.ts';
import { hasFactor, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { ForAdministrators } from '#console/pages/administration/for-administrators.tsx';
import { PagedTable } from '#console/pages/lists/paged-table.tsx';
import { NarrowingSearch, NarrowingSelect, Toolbar, useNarrow } from '#console/pages/lists/toolbar.tsx';
import { type Organizations, useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { NeedsFactor } from '#console/pages/needs-factor.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import styles from './people.module.css';
import { PersonStatusBadge } from './person-status.tsx';
import { useGiver } from './rights.ts';
import { mayDoShortly, placeTitle } from './what-they-do.ts';

const said = words.people;

export function PeoplePage() {
  return (
    <ForAdministrators title={said.title}>
      <People />
    </ForAdministrators>
  );
}

function People() {
  const { org, search, status, dialog } = useSearch({ from: '/shell/people' });
  const api = useApi();
  const queries = useQueryClient();
  const user = useUser();
  const giver = useGiver();
  const organizations = useOrganizations();
  const narrow = useNarrow();
  const [invited, setInvited] = useState<Person | null>(null);
  const mayInvite = hasFactor(user) && giver !== undefined;
  const isNarrowed = search !== undefined || status !== undefined;
  return (
    <Page
      title={said.title}
      isWide
      {...(mayInvite && {
        actions: (
          <Button kind="primary" onPress={() => narrow({ dialog: 'invite' })}>
            {said.invite}
          </Button>
        ),
      })}
    >
      {!hasFactor(user) && <NeedsFactor>{said.needsFactor}</NeedsFactor>}
      {invited !== null && (
        <Notice kind="success">
          {said.invited(invited.email)} <PersonLink person={invited} />
        </Notice>
      )}
      <Toolbar end={<DeletionRequestsLink />}>
        <NarrowingSearch label={said.search} value={search} />
        {organizations.isPlural && (
          <NarrowingSelect
            label={said.organization}
            name="org"
            any={words.shell.allOrganizations}
            options={organizations.names}
            value={org}
          />
        )}
        <NarrowingSelect
          label={said.status}
          name="status"
          any={said.anyStatus}
          options={said.statuses}
          value={status}
        />
      </Toolbar>
      <PagedTable
        label={said.title}
        query={peopleQuery(api, { search, status, orgId: org })}
        columns={columnsFor(organizations, user.id)}
        keyOf={({ id }) => id}
        one={said.one}
        many={said.many}
        empty={
          isNarrowed
            ? {
                title: said.noneTitle,
                text: said.noneText,
                onClear: () => narrow({ search: undefined, status: undefined }),
              }
            : { title: said.emptyTitle, text: said.emptyText }
        }
      />
      {mayInvite && dialog === 'invite' && (
        <InviteDialog
          giver={giver}
          orgId={org ?? null}
          onInvited={(person) => {
            setInvited(person);
            void queries.invalidateQueries({ queryKey: PEOPLE_KEY });
            narrow({ dialog: undefined });
          }}
          onClose={() => narrow({ dialog: undefined })}
        />
      )}
    </Page>
  );
}

/** Only platform administrators see this link in the sidebar (Contract: §14), but others may decide requests. */
function DeletionRequestsLink() {
  const { org = null } = useSearch({ strict: false });
  const { data: count = 0 } = useQuery(pendingDeletionsQuery(useApi(), org));
  return (
    <Link to="/admin/account-deletion-requests">
      {count === 0 ? said.deletionRequests : said.deletionsWaiting(count)}
    </Link>
  );
}

function PersonLink({ person: { id, name } }: { readonly person: Person }) {
  return (
    <Link to="/people/$id" params={{ id }}>
      {name}
    </Link>
  );
}

function columnsFor(organizations: Organizations, ownId: string): readonly Column<Person>[] {
  return [
    {
      id: 'name',
      title: said.name,
      isMain: true,
      cell: (person) => (
        <span className={styles.person}>
          <span>
            <PersonLink person={person} /> {person.id === ownId && <Badge tone="blue">{said.you}</Badge>}
          </span>
          <span className={styles.email}>{person.email}</span>
        </span>
      ),
    },
    { id: 'place', title: said.place, cell: (person) => placeTitle(person, organizations.nameOf) },
    { id: 'may-do', title: said.mayDo, cell: mayDoShortly },
    {
      id: 'last-sign-in',
      title: said.lastSignIn,
      fits: true,
      cell: ({ lastSignInAt }) => (lastSignInAt === null ? said.neverSignedIn : <Time at={lastSignInAt} />),
    },
    {
      id: 'status',
      title: said.status,
      fits: true,
      cell: ({ status }) => <PersonStatusBadge status={status} />,
    },
  ];
}
