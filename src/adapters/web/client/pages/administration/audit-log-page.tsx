import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AuditEntry } from '#adapters/http/api-types.ts';
import { auditLogQuery } from '#console/api/administration.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { PagedTable } from '#console/pages/lists/paged-table.tsx';
import { type Organizations, useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { Badge } from '#console/parts/display/badge.tsx';
import { Time } from '#console/parts/display/time.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { isUuid } from '#domain/ids.ts';
import { AuditFilters } from './audit-filters.tsx';
import styles from './audit-log-page.module.css';
import { AuditSentence, NarrowLink } from './audit-sentence.tsx';
import { outcomeOf } from './audit-sentences.ts';
import { ForAdministrators } from './for-administrators.tsx';

const route = getRouteApi('/shell/admin/audit-log');

const said = words.administration.audit;

export function AuditLogPage() {
  return (
    <ForAdministrators title={said.title}>
      <Entries />
    </ForAdministrators>
  );
}

function Entries() {
  const { org, ...narrowing } = route.useSearch();
  const query = auditLogQuery(useApi(), { ...narrowing, orgId: org });
  const { error } = useInfiniteQuery(query);
  const organizations = useOrganizations();
  // The fields show their own faults, so the table does not.
  const isAboutFields = error instanceof ApiError && error.errors.length > 0;
  return (
    <Page title={said.title} isWide>
      <AuditFilters error={error} />
      {!isAboutFields && (
        <PagedTable
          label={said.title}
          query={query}
          columns={columnsFor(organizations)}
          keyOf={({ id }) => id}
          one={said.one}
          many={said.many}
          empty={
            Object.keys(narrowing).length === 0
              ? { title: said.emptyTitle, text: said.emptyText }
              : { title: said.noneTitle, text: said.noneText }
          }
        />
      )}
    </Page>
  );
}

function columnsFor(organizations: Organizations): readonly Column<AuditEntry>[] {
  return [
    {
      id: 'what',
      title: said.what,
      isMain: true,
      cell: (entry) => (
        <>
          <AuditSentence entry={entry} />
          <EntryDetails entry={entry} />
        </>
      ),
    },
    { id: 'at', title: said.at, fits: true, cell: ({ at }) => <Time at={at} as="dateTime" /> },
    {
      id: 'result',
      title: said.result,
      fits: true,
      cell: (entry) => <Badge {...LOOKS[outcomeOf(entry)]}>{said.results[outcomeOf(entry)]}</Badge>,
    },
    {
      id: 'organization',
      title: said.organization,
      cell: ({ orgId }) => <span className={styles.name}>{organizations.nameOf(orgId) ?? '—'}</span>,
    },
  ];
}

function EntryDetails({ entry }: { readonly entry: AuditEntry }) {
  const { action, actor, resourceId, details, ip, requestId } = entry;
  const shown = {
    ...details,
    [said.code]: action,
    [said.actorType]: said.actors[actor.type],
    ip,
    [said.request]: requestId,
  };
  return (
    <details className={styles.more}>
      <summary>{said.details}</summary>
      <dl className={styles.details}>
        {Object.entries(shown).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Detail value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {resourceId !== null && <NarrowLink search={{ resourceId }}>{said.aboutSame}</NarrowLink>}
    </details>
  );
}

const LOOKS = {
  denied: { tone: 'red', mark: '✗' },
  success: { tone: 'green', mark: '✓' },
  unfinished: { tone: 'amber', mark: '◌' },
} as const;

function Detail({ value }: { readonly value: AuditEntry['details'][string] }) {
  if (typeof value === 'string' && isUuid(value)) return <code title={value}>{shortened(value)}</code>;
  return Array.isArray(value) ? value.join(', ') : String(value ?? '—');
}

/** Shows the end, because ids from the same moment begin alike. */
function shortened(id: string): string {
  return `…${id.slice(-8)}`;
}
