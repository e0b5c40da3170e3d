import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { DeletionRequest } from '#adapters/http/api-types.ts';
import { DELETION_PAGE_SIZE, deletionRequestsQuery } from '#console/api/administration.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { type Organizations, useOrganizations } from '#console/pages/lists/use-organizations.ts';
import type { DeletionRequestsSearch } from '#console/pages/search.ts';
import { Time } from '#console/parts/display/time.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { DeletionStatusBadge } from './deletion-decision.tsx';
import styles from './deletion-requests-page.module.css';
import { ForAdministrators } from './for-administrators.tsx';

const route = getRouteApi('/shell/admin/account-deletion-requests');

const said = words.administration.deletions;

const STATUSES = { ...said.statuses, any: said.anyStatus };

export function DeletionRequestsPage() {
  return (
    <ForAdministrators title={said.title}>
      <Queue />
    </ForAdministrators>
  );
}

function Queue() {
  const { org = null, status: chosen = 'pending', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const api = useApi();
  const status = chosen === 'any' ? null : chosen;
  const { data, error, refetch } = useQuery(deletionRequestsQuery(api, { status, orgId: org, page }));
  const organizations = useOrganizations();
  return (
    <Page title={said.title} isWide>
      <div className={styles.bar}>
        <Dropdown
          label={said.status}
          value={chosen}
          onChange={(next) => void navigate({ search: next === 'pending' ? {} : { status: next } })}
        >
          {optionsOf(STATUSES)}
        </Dropdown>
        <p role="status" className={styles.count}>
          {data !== undefined && said.count(data.total)}
          {data === undefined && error === null && <Skeleton width={72} />}
        </p>
      </div>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.total === 0 ? (
        <Empty
          title={said.emptyTitles[chosen]}
          text={chosen === 'pending' || chosen === 'any' ? said.emptyText : said.noneText}
        />
      ) : (
        (data !== undefined || error === null) && (
          <DataTable
            label={said.title}
            columns={columnsFor(organizations)}
            rows={data?.data}
            keyOf={({ id }) => id}
          />
        )
      )}
      {data !== undefined && <Pages chosen={chosen} page={page} total={data.total} />}
    </Page>
  );
}

function columnsFor(organizations: Organizations): readonly Column<DeletionRequest>[] {
  return [
    {
      id: 'person',
      title: said.person,
      isMain: true,
      cell: ({ id, user: { name, email } }) => (
        <span className={styles.person}>
          <Link to="/admin/account-deletion-requests/$id" params={{ id }}>
            {name ?? said.nobody}
          </Link>
          <span className={styles.email}>{email}</span>
        </span>
      ),
    },
    {
      id: 'organization',
      title: said.organization,
      cell: ({ orgId }) => (
        <span className={styles.name}>
          {orgId === null ? said.noOrganization : (organizations.nameOf(orgId) ?? '—')}
        </span>
      ),
    },
    {
      id: 'status',
      title: said.status,
      fits: true,
      cell: (request) => <DeletionStatusBadge request={request} />,
    },
    {
      id: 'requested',
      title: said.requested,
      fits: true,
      cell: ({ requestedAt }) => <Time at={requestedAt} />,
    },
    {
      id: 'decide-by',
      title: said.decideBy,
      fits: true,
      cell: ({ processBy, status }) => (status === 'pending' ? <Time at={processBy} as="date" /> : '—'),
    },
    {
      id: 'reason',
      title: said.reason,
      cell: ({ reason }) =>
        reason === null ? (
          '—'
        ) : (
          <span className={styles.reason} title={reason}>
            {reason}
          </span>
        ),
    },
  ];
}

interface PagesProps {
  readonly chosen: NonNullable<DeletionRequestsSearch['status']> | 'pending';
  readonly page: number;
  readonly total: number;
}

function Pages({ chosen, page, total }: PagesProps) {
  const pages = Math.max(1, Math.ceil(total / DELETION_PAGE_SIZE));
  if (pages === 1 && page === 1) return null;
  const to = (next: number): DeletionRequestsSearch => ({
    ...(chosen !== 'pending' && { status: chosen }),
    ...(next > 1 && { page: next }),
  });
  return (
    <nav aria-label={said.pageOf(page, pages)} className={styles.pages}>
      {page > 1 && (
        <Link to="." search={to(Math.min(page - 1, pages))}>
          {said.previous}
        </Link>
      )}
      <span>{said.pageOf(page, pages)}</span>
      {page < pages && (
        <Link to="." search={to(page + 1)}>
          {said.next}
        </Link>
      )}
    </nav>
  );
}
