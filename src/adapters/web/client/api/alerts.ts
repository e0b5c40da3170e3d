import { queryOptions } from '@tanstack/react-query';
import type { Alert, AlertDetails } from '#adapters/http/api-types.ts';
import type { AlertSeverity, AlertStatus } from '#domain/fleet/fleet-record.ts';
import type { Api } from './http.ts';
import { pagesQuery } from './pages.ts';

export interface AlertsWanted {
  readonly search: string | undefined;
  readonly status: AlertStatus | undefined;
  readonly severity: AlertSeverity | undefined;
  readonly orgId: string | undefined;
}

const PATH = '/alerts';

export const alertsQuery = (api: Api, wanted: AlertsWanted) =>
  pagesQuery<Alert>(api, PATH, { ...wanted, count: true });

export const alertQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [PATH, 'one', id],
    queryFn: ({ signal }) => api.call<AlertDetails>(`${PATH}/${encodeURIComponent(id)}`, { signal }),
  });

export const SHOWING_ALERTS: readonly (readonly string[])[] = [
  [PATH],
  ['alerts'],
  ['summary'],
  ['devices'],
  ['device'],
];

export function setAlertStatus(api: Api, id: string, status: AlertStatus): Promise<AlertDetails> {
  return api.call(`${PATH}/${encodeURIComponent(id)}`, { method: 'PATCH', body: { status } });
}
