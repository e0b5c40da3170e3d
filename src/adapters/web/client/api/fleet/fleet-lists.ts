import type { Alert, Patch, Script } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import { pagesQuery } from '#console/api/pages.ts';
import type { AlertSeverity, AlertStatus, PatchStatus } from '#domain/fleet/fleet-record.ts';

interface Narrowed {
  readonly orgId: string | undefined;
}

interface AlertsWanted extends Narrowed {
  readonly status: AlertStatus | undefined;
  readonly severity: AlertSeverity | undefined;
}

export const alertsQuery = (api: Api, wanted: AlertsWanted) =>
  pagesQuery<Alert>(api, '/alerts', { ...wanted });

export const scriptsQuery = (api: Api, wanted: Narrowed & { readonly search: string | undefined }) =>
  pagesQuery<Script>(api, '/scripts', { ...wanted });

export const patchesQuery = (api: Api, wanted: Narrowed & { readonly status: PatchStatus | undefined }) =>
  pagesQuery<Patch>(api, '/patches', { ...wanted });
