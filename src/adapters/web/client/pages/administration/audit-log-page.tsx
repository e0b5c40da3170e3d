import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { AuditEntry } from '#adapters/http/api-types.ts';
import { auditLogQuery } from '#console/api/administration.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Empty, NotAllowed } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { isUuid } from '#domain/ids.ts';
import { AuditFilters } from './audit-filters.tsx';
import styles from './audit-log-page.module.css';

const route = getRouteApi('/shell/admin/audit-log');

const said = words.administration.audit;

export function AuditLogPage() {
  const isAllowed = holds(useUser(), 'users:write');
  return isAllowed ? <Entries /> : <NotAllowed title={said.title} text={words.administration.notAllowed} />;
}

function Entries() {
  const { org, ...query } = route.useSearch();
  const api = useApi();
  const { id: userId } = useUser();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    auditLogQuery(api, { ...query, orgId: org }),
  );
  const { data: organizations = [] } = useQuery(organizationsQuery(api));
  const names = new Map(organizations.map(({ id, name }) => [id, name]));
  const entries = data?.pages.flatMap((page) => page.data);
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Page title={said.title}>
      <AuditFilters error={error} />
      <p role="status" className={styles.count}>
        {entries === undefined
          ? error === null && <Skeleton width={72} />
          : said.shown(entries.length, hasNextPage)}
      </p>
      {!isAboutFields(error) && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {entries?.length === 0 ? (
        <Empty
          title={isFiltered ? said.noneTitle : said.emptyTitle}
          text={isFiltered ? said.noneText : said.emptyText}
        />
      ) : (
        (entries !== undefined || error === null) && (
          <DataTable
            label={said.title}
            columns={columnsFor(userId, names)}
            rows={entries}
            keyOf={({ id }) => id}
          />
        )
      )}
      {hasNextPage && (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {words.loadMore}
          </Button>
        </div>
      )}
    </Page>
  );
}

function columnsFor(
  userId: string,
  organizations: ReadonlyMap<string, string>,
): readonly Column<AuditEntry>[] {
  return [
    {
      id: 'action',
      title: said.action,
      isMain: true,
      fits: true,
      cell: ({ action }) => <code>{action}</code>,
    },
    { id: 'at', title: said.at, fits: true, cell: ({ at }) => <Time at={at} as="dateTime" /> },
    {
      id: 'result',
      title: said.result,
      fits: true,
      cell: ({ result }) =>
        result === 'denied' ? (
          <Badge tone="red" mark="✗">
            {said.results.denied}
          </Badge>
        ) : (
          <Badge tone="green" mark="✓">
            {said.results.success}
          </Badge>
        ),
    },
    {
      id: 'actor',
      title: said.actor,
      fits: true,
      cell: ({ actor: { type, id } }) => (
        <span className={styles.reference}>
          {id === userId ? said.you : said.actors[type]}
          {id !== null && <IdLink id={id} search={{ actorId: id }} />}
        </span>
      ),
    },
    {
      id: 'resource',
      title: said.resource,
      fits: true,
      cell: ({ resourceType, resourceId }) => (
        <span className={styles.reference}>
          {resourceType.replaceAll('_', ' ')}
          {resourceId !== null && <IdLink id={resourceId} search={{ resourceId }} />}
        </span>
      ),
    },
    {
      id: 'organization',
      title: said.organization,
      cell: ({ orgId }) => <span className={styles.name}>{organizations.get(orgId ?? '') ?? '—'}</span>,
    },
    {
      id: 'details',
      title: said.details,
      cell: ({ details, ip, requestId }) => (
        <dl className={styles.details}>
          {Object.entries({ ...details, ip, [said.request]: requestId }).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Detail value={value} />
              </dd>
            </div>
          ))}
        </dl>
      ),
    },
  ];
}

function Detail({ value }: { readonly value: AuditEntry['details'][string] }) {
  if (typeof value === 'string' && isUuid(value)) return <code title={value}>{shortened(value)}</code>;
  return Array.isArray(value) ? value.join(', ') : String(value ?? '—');
}

/** Ids of the same moment begin alike, so the end is shown. */
const SHORT_LENGTH = 8;

function shortened(id: string): string {
  return `…${id.slice(-SHORT_LENGTH)}`;
}

interface IdLinkProps {
  readonly id: string;
  readonly search: { readonly actorId: string } | { readonly resourceId: string };
}

function IdLink({ id, search }: IdLinkProps) {
  const text = shortened(id);
  return (
    <Link
      to="/admin/audit-log"
      search={(before) => ({ ...before, ...search })}
      title={id}
      aria-label={said.only(text)}
    >
      <code>{text}</code>
    </Link>
  );
}

function isAboutFields(error: unknown): boolean {
  return error instanceof ApiError && error.errors.length > 0;
}
