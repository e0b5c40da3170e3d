import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { alertQuery } from '#console/api/alerts.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import facts from '#console/pages/facts.module.css';
import { DeviceLink, DevicesLink } from '#console/parts/display/device-link.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { PendingPage } from '#console/parts/feedback/pending.tsx';
import { Toast } from '#console/parts/feedback/toast.tsx';
import card from '#console/parts/layout/card.module.css';
import { Page } from '#console/parts/layout/page.tsx';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { AlertButtons, SeverityBadge } from './alert-parts.tsx';
import { useAlertChange } from './use-alert-change.ts';

const said = words.lists.alerts;

export function AlertPage() {
  const { id } = useParams({ from: '/shell/alerts/$id' });
  const query = useQuery(alertQuery(useApi(), id));
  const { data: alert, error, refetch } = query;
  const change = useAlertChange();
  const mayReadLog = holds(useUser(), USERS_WRITE);
  if (alert === undefined) {
    return (
      <PendingPage
        title={said.page}
        query={query}
        gone={
          <Empty title={words.notFoundTitle} text={said.gone}>
            <Link to="/alerts">{said.toList}</Link>
          </Empty>
        }
      />
    );
  }
  return (
    <Page title={alert.title} actions={<AlertButtons alert={alert} change={change} />}>
      <section className={card.card}>
        {alert.message !== null && <p>{alert.message}</p>}
        <dl className={facts.facts}>
          <dt>{said.severity}</dt>
          <dd>
            <SeverityBadge severity={alert.severity} />
          </dd>
          <dt>{said.status}</dt>
          <dd>{said.statuses[alert.status]}</dd>
          <dt>{said.device}</dt>
          <dd>
            {alert.device === null ? (
              said.noDevice
            ) : (
              <DeviceLink id={alert.device.id}>{alert.deviceName ?? alert.device.hostname}</DeviceLink>
            )}
          </dd>
          <dt>{words.lists.organization}</dt>
          <dd>
            <DevicesLink org={alert.organization.id}>{alert.organization.name}</DevicesLink>
          </dd>
          <dt>{said.raised}</dt>
          <dd>
            <Time at={alert.createdAt} as="dateTime" /> (<Time at={alert.createdAt} />)
          </dd>
        </dl>
        {mayReadLog && (
          <p>
            <Link to="/admin/audit-log" search={{ resourceId: alert.id }}>
              {said.seeInLog}
            </Link>
          </p>
        )}
      </section>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      <Toast onUndo={change.undo}>{change.message}</Toast>
    </Page>
  );
}
