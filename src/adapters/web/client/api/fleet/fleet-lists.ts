/** Alerts, scripts and patches (Contract: §10). */
import type { Api } from '#console/api/http.ts';
import { pagesQuery } from '#console/api/pages.ts';
import type { AlertSeverity, AlertStatus, PatchStatus } from '#domain/fleet/fleet-record.ts';

export interface Alert {
  readonly id: string;
  readonly orgId: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  readonly title: string;
  readonly message: string | null;
  readonly severity: AlertSeverity;
  readonly status: AlertStatus;
  readonly createdAt: string;
}

/** Of an organization or of a partner; the other is null. */
export interface Script {
  readonly id: string;
  readonly orgId: string | null;
  readonly partnerId: string | null;
  readonly name: string;
  readonly description: string | null;
}

/** A title, and on how many devices it is in each status. */
export interface Patch extends Readonly<Record<PatchStatus, number>> {
  readonly title: string;
}

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
