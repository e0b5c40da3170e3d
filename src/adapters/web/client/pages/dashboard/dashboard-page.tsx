import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { PLACES } from '#adapters/web/places.ts';
import { deviceCountQuery } from '#console/api/devices.ts';
import { summaryQuery } from '#console/api/fleet.ts';
import { lazyPage } from '#console/app/lazy-page.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { FirstMachine } from '#console/pages/enrolment/first-machine.tsx';
import { DevicesLink } from '#console/parts/display/device-link.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import styles from './dashboard-page.module.css';
import { Bars, Card, Tile } from './figures.tsx';
import {
  ATTENTION_FIGURES,
  osFigures,
  PATCHES_FIGURE,
  PATCHES_UNKNOWN,
  roleFigures,
  statusFigures,
} from './figures-of.ts';
import { StatusRing } from './status-ring.tsx';

/** Lazy, because people of one organization never need it. */
const Trouble = lazyPage(() => import('./trouble.tsx'), 'Trouble');

export function DashboardPage() {
  const { org = null } = useSearch({ strict: false });
  const { isPlatformAdmin, scope } = useUser();
  const { data: summary, error, refetch } = useQuery(summaryQuery(useApi(), org));
  const title = PLACES[0].title;
  if (error !== null && summary === undefined) {
    return (
      <Page title={title}>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  const alertsTo = (severity: string) => ({ to: '/alerts', search: { status: 'active', severity } });
  return (
    <Page title={title}>
      {summary?.devices.total === 0 && (
        <Card title={words.dashboard.emptyTitle}>
          <FirstMachine />
        </Card>
      )}
      <ul className={styles.tiles} aria-label={words.dashboard.attention}>
        <Tile label={words.dashboard.devices} count={summary?.devices.total} target={{ to: '/devices' }} />
        <Tile
          label={words.dashboard.criticalAlerts}
          count={summary?.alerts.critical}
          target={alertsTo('critical')}
          tone="bad"
        />
        <Tile
          label={words.dashboard.highAlerts}
          count={summary?.alerts.high}
          target={alertsTo('high')}
          tone="warning"
        />
        {ATTENTION_FIGURES.map((figure) => (
          <Tile
            key={figure.label}
            label={figure.label}
            count={summary && figure.countIn(summary)}
            target={{ to: '/devices', search: { q: figure.q } }}
            tone="warning"
            note={figure === PATCHES_FIGURE && <PatchesUnknown org={org} />}
          />
        ))}
        {isPlatformAdmin && (
          <Tile
            label={words.dashboard.deletionRequests}
            count={summary?.deletionRequestsPending}
            target={{ to: '/admin/account-deletion-requests' }}
          />
        )}
      </ul>
      <p>
        <Link to="/devices/duplicates">{words.dashboard.duplicates}</Link>
      </p>
      <div className={styles.charts}>
        <StatusRing figures={summary && statusFigures(summary)} />
        <Bars title={words.dashboard.byOs} figures={summary && osFigures(summary)} rows={4} />
        <Bars title={words.dashboard.byRole} figures={summary && roleFigures(summary)} rows={6} />
      </div>
      {org === null && scope !== 'organization' && (
        <Suspense>
          <Trouble />
        </Suspense>
      )}
    </Page>
  );
}

function PatchesUnknown({ org }: { readonly org: string | null }) {
  const { data: count = 0 } = useQuery(deviceCountQuery(useApi(), { q: PATCHES_UNKNOWN }, org));
  if (count === 0) return null;
  return (
    <p className={styles.note}>
      <DevicesLink q={PATCHES_UNKNOWN}>{words.dashboard.patchesUnknown(count)}</DevicesLink>
    </p>
  );
}
