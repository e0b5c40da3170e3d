import type { AlertId, OrgId, PartnerId, ScriptId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AlertRecord, PatchStatus, ScriptRecord, SiteRecord } from './fleet-record.ts';

/** A row of GET /organizations (Contract: §10). */
export interface ListedOrganization {
  readonly id: OrgId;
  readonly name: string;
  readonly partnerId: PartnerId;
  readonly partnerName: string;
  readonly deviceCount: number;
}

/** A row of GET /sites (Contract: §10). */
export type ListedSite = Omit<SiteRecord, 'kind'>;

/** A row of GET /alerts (Contract: §10). */
export interface ListedAlert extends Omit<AlertRecord, 'kind'> {
  /** The name that searches show (`toDeviceHit`); null if the alert has no device. */
  readonly deviceName: string | null;
  readonly createdAt: EpochMs;
}

/** GET /alerts/:id (Contract: §10). */
export interface AlertDetails extends ListedAlert {
  readonly organizationName: string;
  readonly hostname: string | null;
}

/** A row of GET /scripts (Contract: §10). */
export type ListedScript = Omit<ScriptRecord, 'kind'>;

/** A patch title with the number of devices in each status. */
export interface ListedPatch extends Readonly<Record<PatchStatus, number>> {
  readonly title: string;
}

export interface AlertPosition {
  readonly createdAt: EpochMs;
  readonly id: AlertId;
}

export interface ScriptPosition {
  /** The script's name as `sortedName` returns it. */
  readonly name: string;
  readonly id: ScriptId;
}

/** Newest first, ties by id, descending. */
export function compareAlerts(a: AlertPosition, b: AlertPosition): number {
  return b.createdAt - a.createdAt || compareCodePoints(b.id, a.id);
}

/** By name, ties by id. */
export function compareScripts(a: ScriptPosition, b: ScriptPosition): number {
  return compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id);
}

/** By name, ignoring case, ties by id: the order of organizations and sites. */
export function compareNamed(a: Named, b: Named): number {
  return compareCodePoints(foldCase(a.name), foldCase(b.name)) || compareCodePoints(a.id, b.id);
}

interface Named {
  readonly id: string;
  readonly name: string;
}
