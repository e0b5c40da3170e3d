/** The lists of a fleet and its summary as JSON text, field by field (Contract: §10). */
import {
  ALERT_CURSOR,
  type CursorForm,
  PATCH_CURSOR,
  SCRIPT_CURSOR,
} from '#adapters/http/read/list-cursors.ts';
import type { SummaryInReach } from '#application/fleet/summarize-fleet.ts';
import type { Page } from '#application/page.ts';
import type {
  AlertPosition,
  ListedAlert,
  ListedOrganization,
  ListedPatch,
  ListedScript,
  ListedSite,
  ScriptPosition,
} from '#domain/fleet/fleet-lists.ts';
import { printInstant } from '#domain/text/print-instant.ts';

/** `{data: [{id, name, partnerId, partnerName, deviceCount}]}`. */
export function presentOrganizations(organizations: readonly ListedOrganization[]): string {
  return JSON.stringify({
    data: organizations.map(({ id, name, partnerId, partnerName, deviceCount }) => ({
      id,
      name,
      partnerId,
      partnerName,
      deviceCount,
    })),
  });
}

/** `{data: [{id, orgId, name}]}`. */
export function presentSites(sites: readonly ListedSite[]): string {
  return JSON.stringify({ data: sites.map(({ id, orgId, name }) => ({ id, orgId, name })) });
}

/** `{data, nextCursor}`. */
export function presentAlertPage(page: Page<ListedAlert, AlertPosition>): string {
  return presentPage(page, ALERT_CURSOR, (alert) => {
    const { id, orgId, deviceId, deviceName, title, message, severity, status, createdAt } = alert;
    return {
      id,
      orgId,
      deviceId,
      deviceName,
      title,
      message,
      severity,
      status,
      createdAt: printInstant(createdAt),
    };
  });
}

/** `{data, nextCursor}`; a script has an organization or a partner, and null for the other. */
export function presentScriptPage(page: Page<ListedScript, ScriptPosition>): string {
  return presentPage(page, SCRIPT_CURSOR, ({ id, owner, name, description }) => ({
    id,
    orgId: owner.kind === 'organization' ? owner.orgId : null,
    partnerId: owner.kind === 'partner' ? owner.partnerId : null,
    name,
    description,
  }));
}

/** `{data: [{title, pending, installed, failed}], nextCursor}`. */
export function presentPatchPage(page: Page<ListedPatch, string>): string {
  return presentPage(page, PATCH_CURSOR, ({ title, pending, installed, failed }) => ({
    title,
    pending,
    installed,
    failed,
  }));
}

/** The summary; without `deletionRequestsPending` for those who do not learn it. */
export function presentSummary(summary: SummaryInReach): string {
  const { devices, notSeen, alerts, patchesPending, rebootRequired, deletionRequestsPending } = summary;
  const { total, byStatus, byOsType, byRole } = devices;
  return JSON.stringify({
    devices: { total, byStatus, byOsType, byRole },
    notSeen: { days7: notSeen.days7, days30: notSeen.days30 },
    alerts: { critical: alerts.critical, high: alerts.high },
    patchesPending,
    rebootRequired,
    ...(deletionRequestsPending !== null && { deletionRequestsPending }),
  });
}

function presentPage<Item, Place>(
  { items, next }: Page<Item, Place>,
  cursor: CursorForm<Place>,
  toBody: (item: Item) => object,
): string {
  return JSON.stringify({
    data: items.map(toBody),
    nextCursor: next === null ? null : cursor.print(next),
  });
}
