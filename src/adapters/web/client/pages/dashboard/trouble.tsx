import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Organization, Summary } from '#adapters/http/api-types.ts';
import { organizationsQuery, recentCriticalAlertsQuery, summaryQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { formatNumber } from '#console/parts/display/format.ts';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import styles from './dashboard-page.module.css';
import { Card } from './figures.tsx';
import { NOT_SEEN_FIGURE, PATCHES_FIGURE } from './figures-of.ts';

const ROWS = 5;

export function Trouble() {
  const api = useApi();
  const { data: organizations, error, refetch } = useQuery(organizationsQuery(api));
  const critical = useQuery({
    ...recentCriticalAlertsQuery(api),
    enabled: organizations !== undefined && organizations.length > 1,
  });
  const alerts = critical.data;
  const candidates =
    organizations === undefined || alerts === undefined ? [] : candidatesFor(organizations, alerts);
  const summaries = useQueries({ queries: candidates.map(({ id }) => summaryQuery(api, id)) });

  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (organizations === undefined || organizations.length < 2) return null;
  const isLoaded = candidates.length > 0 && summaries.every(({ isPending }) => !isPending);
  const failed = [critical, ...summaries].filter((query) => query.error !== null);
  const rows = candidates.flatMap((organization, at) => {
    const summary = summaries[at]?.data;
    return summary !== undefined && isInTrouble(summary) ? [{ organization, summary }] : [];
  });
  return (
    <Card title={words.dashboard.trouble}>
      {candidates.length > 0 && candidates.length < organizations.length && (
        <p className="soft">{words.dashboard.troubleAmong(candidates.length)}</p>
      )}
      <ErrorNotice
        error={failed[0]?.error}
        onRetry={() => {
          for (const query of failed) void query.refetch();
        }}
      />
      {isLoaded && rows.length === 0 && failed.length === 0 && <p>{words.dashboard.noTrouble}</p>}
      {(isLoaded ? rows.length > 0 : critical.error === null) && (
        <div className={styles.scroll}>
          <table aria-label={words.dashboard.trouble} className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{words.dashboard.organization}</th>
                {FIGURES.map(({ title }) => (
                  <th key={title} scope="col" className={styles.numeric}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {isLoaded
                ? rows
                    .sort(byTrouble)
                    .slice(0, ROWS)
                    .map((row) => <TroubleRow key={row.organization.id} {...row} />)
                : Array.from({ length: Math.min(ROWS, organizations.length) }, (_, row) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are all alike.
                    <tr key={row}>
                      <td colSpan={5}>
                        <Skeleton width="40%" />
                      </td>
                    </tr>
                  ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

const said = words.dashboard;

const FIGURES: readonly {
  title: string;
  countIn: (summary: Summary) => number;
  to: string;
  search: object;
}[] = [
  {
    title: said.criticalAlerts,
    countIn: ({ alerts }) => alerts.critical,
    to: '/alerts',
    search: { status: 'active', severity: 'critical' },
  },
  ...[NOT_SEEN_FIGURE, PATCHES_FIGURE].map(({ label, countIn, q }) => ({
    title: label,
    countIn,
    to: '/devices',
    search: { q },
  })),
  { title: said.devices, countIn: ({ devices }) => devices.total, to: '/devices', search: {} },
];

interface TroubleRowProps {
  readonly organization: Organization;
  readonly summary: Summary;
}

function TroubleRow({ organization: { id, name }, summary }: TroubleRowProps) {
  return (
    <tr>
      <th scope="row">
        <Link to="/" search={{ org: id }}>
          {name}
        </Link>
      </th>
      {FIGURES.map(({ title, countIn, to, search }) => (
        <td key={title} className={styles.numeric}>
          <Link to={to as '/'} search={{ ...search, org: id } as object}>
            {formatNumber(countIn(summary))}
          </Link>
        </td>
      ))}
    </tr>
  );
}

const MAX_CANDIDATES = 12;

const MAX_BY_ALERTS = 6;

/** Organizations with the most critical alerts come first, then the largest. */
function candidatesFor(
  organizations: readonly Organization[],
  alerts: readonly { readonly orgId: string }[],
): readonly Organization[] {
  const counts = Map.groupBy(alerts, ({ orgId }) => orgId);
  const alertsOf = ({ id }: Organization) => counts.get(id)?.length ?? 0;
  const byAlerts = organizations
    .filter((organization) => alertsOf(organization) > 0)
    .sort((a, b) => alertsOf(b) - alertsOf(a))
    .slice(0, MAX_BY_ALERTS);
  const bySize = organizations.toSorted((a, b) => b.deviceCount - a.deviceCount);
  return [...new Set([...byAlerts, ...bySize])].slice(0, MAX_CANDIDATES);
}

function isInTrouble({ alerts, notSeen }: Summary): boolean {
  return alerts.critical > 0 || notSeen.days7 > 0;
}

function byTrouble({ summary: a }: TroubleRowProps, { summary: b }: TroubleRowProps): number {
  return (
    b.alerts.critical - a.alerts.critical ||
    b.notSeen.days7 - a.notSeen.days7 ||
    b.patchesPending - a.patchesPending
  );
}
