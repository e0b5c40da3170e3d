import type { PrintCursor } from '#adapters/http/answer/respond-list.ts';
import type { AlertPage as FoundAlerts } from '#application/fleet/alerts.ts';
import type { SummaryInReach } from '#application/fleet/fleet-counts.ts';
import type { Page } from '#application/page.ts';
import type { FoundItem } from '#application/search/search-everything.ts';
import { idsOfOwner } from '#domain/access/ownership.ts';
import type {
  AlertPosition,
  AlertDetails as FoundAlert,
  ListedAlert,
  ListedOrganization,
  ListedPatch,
  ListedScript,
  ListedSite,
  ScriptPosition,
} from '#domain/fleet/fleet-lists.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type {
  Alert,
  AlertDetails,
  Organization,
  Patch,
  Script,
  SearchItem,
  Site,
  Summary,
} from './fleet-shapes.ts';

export function presentOrganizations(organizations: readonly ListedOrganization[]): string {
  return presentList(
    organizations,
    ({ id, name, partnerId, partnerName, deviceCount }): Organization => ({
      id,
      name,
      partnerId,
      partnerName,
      deviceCount,
    }),
  );
}

export function presentSites(sites: readonly ListedSite[]): string {
  return presentList(sites, ({ id, orgId, name }): Site => ({ id, orgId, name }));
}

export function presentAlertPage(
  { totalCount, ...page }: FoundAlerts,
  print: PrintCursor<AlertPosition>,
): string {
  return presentPage(page, print, toAlert, totalCount === null ? {} : { totalCount });
}

export function presentAlert(alert: FoundAlert): string {
  const { orgId, deviceId, hostname, organizationName } = alert;
  return JSON.stringify({
    ...toAlert(alert),
    device: deviceId === null || hostname === null ? null : { id: deviceId, hostname },
    organization: { id: orgId, name: organizationName },
  } satisfies AlertDetails);
}

function toAlert(alert: ListedAlert): Alert {
  const { id, orgId, deviceId, deviceName, title, message, severity, status, createdAt } = alert;
  return {
    ...{ id, orgId, deviceId, deviceName, title, message, severity, status },
    createdAt: printInstant(createdAt),
  };
}

export function presentScriptPage(
  page: Page<ListedScript, ScriptPosition>,
  print: PrintCursor<ScriptPosition>,
): string {
  return presentPage(
    page,
    print,
    ({ id, owner, name, description }): Script => ({
      id,
      ...idsOfOwner(owner),
      name,
      description,
    }),
  );
}

export function presentPatchPage(page: Page<ListedPatch, string>, print: PrintCursor<string>): string {
  return presentPage(
    page,
    print,
    ({ title, pending, installed, failed }): Patch => ({ title, pending, installed, failed }),
  );
}

export function presentSummary(summary: SummaryInReach): string {
  const { devices, notSeen, neverSeen, alerts, patchesPending, rebootRequired, deletionRequestsPending } =
    summary;
  const { total, byStatus, byOsType, byRole } = devices;
  return JSON.stringify({
    devices: { total, byStatus, byOsType, byRole },
    notSeen: { days7: notSeen.days7, days30: notSeen.days30 },
    neverSeen,
    alerts: { critical: alerts.critical, high: alerts.high },
    patchesPending,
    rebootRequired,
    ...(deletionRequestsPending !== null && { deletionRequestsPending }),
  } satisfies Summary);
}

export function presentSearchResults(found: readonly FoundItem[]): string {
  const results = found.map((item): SearchItem => {
    const { id, type, title, description, match, isApproximate, context } = item;
    return {
      id,
      type,
      title,
      ...(description !== null && { description }),
      ...(item.type === 'settings' && { href: item.href }),
      ...(match !== undefined && { match: { field: match.field, value: match.value } }),
      ...(context?.organization && { organization: context.organization }),
      ...(context !== undefined && type === 'alerts' && { device: context.device }),
      ...(isApproximate && { approximate: true }),
    };
  });
  return JSON.stringify({ results });
}

function presentList<Item>(items: readonly Item[], toBody: (item: Item) => object): string {
  return JSON.stringify({ data: items.map(toBody) });
}

function presentPage<Item, Position>(
  { items, next }: Page<Item, Position>,
  print: PrintCursor<Position>,
  toBody: (item: Item) => object,
  more: object = {},
): string {
  return JSON.stringify({
    data: items.map(toBody),
    nextCursor: next === null ? null : print(next),
    ...more,
  });
}
