/** What the lists of a fleet show, and the order that each is in (Contract: §10). */
import type { AlertId, OrgId, PartnerId, ScriptId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/compare-code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AlertRecord, PatchStatus, ScriptRecord, SiteRecord } from './fleet-record.ts';

/** An organization with its partner and the number of its devices. */
export interface ListedOrganization {
  readonly id: OrgId;
  readonly name: string;
  readonly partnerId: PartnerId;
  readonly partnerName: string;
  readonly deviceCount: number;
}

/** A site as it was loaded. */
export type ListedSite = Omit<SiteRecord, 'kind'>;

/** An alert with what its device is called. */
export interface ListedAlert extends Omit<AlertRecord, 'kind'> {
  /** As searches call it: see `toDeviceHit`. Null where the alert is about no device. */
  readonly deviceName: string | null;
  readonly createdAt: EpochMs;
}

/** An organization's script, or its partner's. */
export type ListedScript = Omit<ScriptRecord, 'kind'>;

/** A title, and on how many devices it is in each status. */
export interface ListedPatch extends Readonly<Record<PatchStatus, number>> {
  readonly title: string;
}

/** The place of an alert in its list. */
export interface AlertPosition {
  readonly createdAt: EpochMs;
  readonly id: AlertId;
}

/** The place of a script in its list. */
export interface ScriptPosition {
  /** See `sortedName`. */
  readonly name: string;
  readonly id: ScriptId;
}

/** Newest first, ties by id, descending. */
export function compareAlerts(a: AlertPosition, b: AlertPosition): number {
  return b.createdAt - a.createdAt || -compareIds(a.id, b.id);
}

/** By name, ties by id. */
export function compareScripts(a: ScriptPosition, b: ScriptPosition): number {
  return compareCodePoints(a.name, b.name) || compareIds(a.id, b.id);
}

/** By name in any case, ties by id: organizations, and sites. */
export function compareNamed(a: Named, b: Named): number {
  return compareCodePoints(foldCase(a.name), foldCase(b.name)) || compareIds(a.id, b.id);
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
