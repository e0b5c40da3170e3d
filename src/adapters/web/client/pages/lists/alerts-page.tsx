import { Link, useSearch } from '@tanstack/react-router';
import type { Alert } from '#adapters/http/api-types.ts';
import { alertsQuery } from '#console/api/alerts.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { DeviceLink } from '#console/parts/display/device-link.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Toast } from '#console/parts/feedback/toast.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { AlertButtons, SeverityBadge } from './alert-parts.tsx';
import styles from './paged-table.module.css';
import { PagedTable } from './paged-table.tsx';
import { NarrowingSearch, NarrowingSelect, Toolbar, useNarrow } from './toolbar.tsx';
import { type AlertChange, useAlertChange } from './use-alert-change.ts';
import { type Organizations, useOrganizations } from './use-organizations.ts';

const said = words.lists.alerts;

export function AlertsPage() {
  const api = useApi();
  const { org, search, status, severity } = useSearch({ from: '/shell/alerts' });
  const narrow = useNarrow();
  const organizations = useOrganizations();
  const change = useAlertChange();
  return (
    <Page title="Alerts" isWide>
      <Toolbar>
        <NarrowingSearch label={said.search} value={search} />
        <NarrowingSelect
          label={said.status}
          name="status"
          any={said.anyStatus}
          options={said.statuses}
          value={status}
        />
        <NarrowingSelect
          label={said.severity}
          name="severity"
          any={said.anySeverity}
          options={said.severities}
          value={severity}
        />
      </Toolbar>
      <PagedTable
        label="Alerts"
        query={alertsQuery(api, { search, status, severity, orgId: org })}
        columns={columnsFor(organizations, org, change)}
        keyOf={({ id }) => id}
        one={said.one}
        many={said.many}
        empty={
          search === undefined && status === undefined && severity === undefined
            ? { title: said.emptyTitle, text: said.emptyText }
            : {
                title: said.noneFoundTitle,
                text: said.noneFoundText,
                onClear: () => narrow({ search: undefined, status: undefined, severity: undefined }),
              }
        }
      />
      <Toast onUndo={change.undo}>{change.message}</Toast>
    </Page>
  );
}

function columnsFor(
  organizations: Organizations,
  org: string | undefined,
  change: AlertChange,
): readonly Column<Alert>[] {
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
      cell: ({ id, title, message }) => (
        <>
          <Link to="/alerts/$id" params={{ id }}>
            {title}
          </Link>
          {message !== null && <div className={styles.message}>{message}</div>}
        </>
      ),
    },
    {
      id: 'severity',
      title: said.severity,
      fits: true,
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
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
    {
      id: 'change',
      title: said.change,
      isAction: true,
      fits: true,
      align: 'end',
      cell: (alert) => <AlertButtons alert={alert} change={change} isCompact />,
    },
  ];
}
