import { useSearch } from '@tanstack/react-router';
import type { Alert } from '#adapters/http/api-types.ts';
import { alertsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Badge, type BadgeProps } from '#console/parts/display/badge.tsx';
import { DeviceLink } from '#console/parts/display/device-link.tsx';
import { Time } from '#console/parts/display/time.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import type { AlertSeverity } from '#domain/fleet/fleet-record.ts';
import styles from './paged-table.module.css';
import { PagedTable } from './paged-table.tsx';
import { NarrowingSelect, Toolbar, useNarrow } from './toolbar.tsx';
import { type Organizations, useOrganizations } from './use-organizations.ts';

const said = words.lists.alerts;

export function AlertsPage() {
  const api = useApi();
  const { org, status, severity } = useSearch({ from: '/shell/alerts' });
  const narrow = useNarrow();
  const organizations = useOrganizations();
  return (
    <Page title="Alerts" isWide>
      <Toolbar>
        <NarrowingSelect
          label={said.status}
          any={said.anyStatus}
          options={said.statuses}
          value={status}
          onChange={(chosen) => narrow({ status: chosen })}
        />
        <NarrowingSelect
          label={said.severity}
          any={said.anySeverity}
          options={said.severities}
          value={severity}
          onChange={(chosen) => narrow({ severity: chosen })}
        />
      </Toolbar>
      <PagedTable
        label="Alerts"
        query={alertsQuery(api, { status, severity, orgId: org })}
        columns={columnsFor(organizations, org)}
        keyOf={({ id }) => id}
        one={said.one}
        many={said.many}
        empty={
          status === undefined && severity === undefined
            ? { title: said.emptyTitle, text: said.emptyText }
            : {
                title: said.noneFoundTitle,
                text: said.noneFoundText,
                onClear: () => narrow({ status: undefined, severity: undefined }),
              }
        }
      />
    </Page>
  );
}

function columnsFor(organizations: Organizations, org: string | undefined): readonly Column<Alert>[] {
  const ofOrganization: Column<Alert> = {
    id: 'organization',
    title: words.lists.organization,
    cell: ({ orgId }) => organizations.nameOf(orgId) ?? '—',
  };
  return [
    {
      id: 'alert',
      title: said.alert,
      isMain: true,
      cell: ({ title, message }) => (
        <>
          {title}
          {message !== null && <div className={styles.message}>{message}</div>}
        </>
      ),
    },
    {
      id: 'severity',
      title: said.severity,
      fits: true,
      cell: ({ severity }) => <Badge {...LOOKS[severity]}>{said.severities[severity]}</Badge>,
    },
    { id: 'status', title: said.status, fits: true, cell: ({ status }) => said.statuses[status] },
    {
      id: 'device',
      title: said.device,
      cell: ({ deviceId, deviceName }) =>
        deviceId === null ? (
          said.noDevice
        ) : (
          <DeviceLink id={deviceId}>{deviceName ?? said.device}</DeviceLink>
        ),
    },
    ...(organizations.isPlural && org === undefined ? [ofOrganization] : []),
    {
      id: 'raised',
      title: said.raised,
      fits: true,
      align: 'end',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ];
}

const LOOKS: Readonly<Record<AlertSeverity, Pick<BadgeProps, 'tone' | 'mark'>>> = {
  critical: { tone: 'red', mark: '■' },
  high: { tone: 'amber', mark: '▲' },
  medium: { tone: 'blue', mark: '●' },
  low: { mark: '○' },
  info: { mark: '·' },
};
