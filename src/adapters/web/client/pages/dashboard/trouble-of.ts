/** Which organizations are looked at for trouble, and which have most of it. */
import type { Organization, Summary } from '#adapters/http/api-types.ts';

/** How many are asked for their numbers at most: each is a request. */
const MAX_CANDIDATES = 12;

/** How many of these are there for their alerts; the others are there for their size. */
const MAX_BY_ALERTS = 6;

/** Those with most of the newest critical alerts, then those with most devices. */
export function candidatesFor(
  organizations: readonly Organization[],
  alerts: readonly { readonly orgId: string }[],
): readonly Organization[] {
  const counts = Map.groupBy(alerts, ({ orgId }) => orgId);
  const alertsOf = ({ id }: Organization) => counts.get(id)?.length ?? 0;
  const byAlerts = organizations
    .filter((organization) => alertsOf(organization) > 0)
    .sort((a, b) => alertsOf(b) - alertsOf(a))
    .slice(0, MAX_BY_ALERTS);
  const bySize = organizations.toSorted((a, b) => b.deviceCount - a.deviceCount);
  return [...new Set([...byAlerts, ...bySize])].slice(0, MAX_CANDIDATES);
}

export interface Examined {
  readonly organization: Organization;
  readonly summary: Summary | undefined;
}

/** Those with any trouble: by critical alerts, then by devices that were not seen, then by pending patches. */
export function inTrouble(
  examined: readonly Examined[],
): readonly { readonly organization: Organization; readonly summary: Summary }[] {
  return examined
    .flatMap(({ organization, summary }) => (summary === undefined ? [] : [{ organization, summary }]))
    .filter(({ summary }) => summary.alerts.critical > 0 || summary.notSeen.days7 > 0)
    .sort(
      ({ summary: a }, { summary: b }) =>
        b.alerts.critical - a.alerts.critical ||
        b.notSeen.days7 - a.notSeen.days7 ||
        b.patchesPending - a.patchesPending,
    );
}
