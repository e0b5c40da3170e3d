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
  const rows = isLoaded
    ? inTrouble(candidates.map((organization, at) => ({ organization, summary: summaries[at]?.data }))).slice(
        0,
        ROWS,
      )
    : [];
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
      {((!isLoaded && critical.error === null) || rows.length > 0) && (
        <div className={styles.scroll}>
          <table aria-label={words.dashboard.trouble} className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{words.dashboard.organization}</th>
                {[
                  words.dashboard.criticalAlerts,
                  words.dashboard.notSeen7,
                  words.dashboard.patchesPending,
                  words.dashboard.devices,
                ].map((title) => (
                  <th key={title} scope="col" className={styles.numeric}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {isLoaded
                ? rows.map((row) => <TroubleRow key={row.organization.id} {...row} />)
                : Array.from({ length: Math.min(ROWS, organizations.length) }, (_, row) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
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

interface TroubleRowProps {
  readonly organization: Organization;
  readonly summary: Summary;
}

function TroubleRow({ organization: { id, name }, summary }: TroubleRowProps) {
  const numbers = [
    {
      key: 'alerts',
      count: summary.alerts.critical,
      to: '/alerts',
      search: { status: 'active', severity: 'critical' },
    },
    { key: 'seen', count: summary.notSeen.days7, to: '/devices', search: { q: 'seen:>7d' } },
    { key: 'patches', count: summary.patchesPending, to: '/devices', search: { q: 'patches.pending:yes' } },
    { key: 'devices', count: summary.devices.total, to: '/devices', search: {} },
  ];
  return (
    <tr>
      <th scope="row">
        <Link to="/" search={{ org: id }}>
          {name}
        </Link>
      </th>
      {numbers.map(({ key, count, to, search }) => (
        <td key={key} className={styles.numeric}>
          <Link to={to as '/'} search={{ ...search, org: id } as object}>
            {formatNumber(count)}
          </Link>
        </td>
      ))}
    </tr>
  );
}

const MAX_CANDIDATES = 12;

const MAX_BY_ALERTS = 6;

/** Organizations with most critical alerts first, then the largest. */
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

interface Examined {
  readonly organization: Organization;
  readonly summary: Summary | undefined;
}

/** By critical alerts, then unseen devices, then pending patches. */
function inTrouble(
  examined: readonly Examined[],
): readonly { readonly organization: Organization; readonly summary: Summary }[] {
  return examined
    .flatMap(({ organization, summary }) => (summary === undefined ? [] : [{ organization, summary }]))
    .filter(({ summary }) => summary.alerts.critical > 0 || summary.notSeen.days7 > 0)
    .sort(
      ({ summary: a }, { summary: b }) =>
        b.alerts.critical - a.alerts.critical ||
        b.notSeen.days7 - a.notSeen.days7 ||
        b.patchesPending - a.patchesPending,
    );
}
