/** Anyone can write an address, so invalid values are left out. */

import type { Organization } from '#adapters/http/api-types.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  type AlertSeverity,
  type AlertStatus,
  PATCH_STATUSES,
  type PatchStatus,
} from '#domain/fleet/fleet-record.ts';

type Sent = Readonly<Record<string, unknown>>;

export interface OrganizationsSearch {
  readonly search?: string;
  readonly sort?: OrganizationSort;
  readonly add?: 'machine';
  readonly keys?: string;
}

export function readOrganizationsSearch({ search, sort, add, keys }: Sent): OrganizationsSearch {
  return {
    ...textIn('search', search),
    ...oneIn('sort', sort, ORGANIZATION_SORTS),
    ...oneIn('add', add, ['machine'] as const),
    ...textIn('keys', keys),
  };
}

export interface AlertsSearch {
  readonly status?: AlertStatus;
  readonly severity?: AlertSeverity;
}

export function readAlertsSearch({ status, severity }: Sent): AlertsSearch {
  return { ...oneIn('status', status, ALERT_STATUSES), ...oneIn('severity', severity, ALERT_SEVERITIES) };
}

export interface ScriptsSearch {
  readonly search?: string;
}

export function readScriptsSearch({ search }: Sent): ScriptsSearch {
  return textIn('search', search);
}

export interface PatchesSearch {
  readonly status?: PatchStatus;
}

export function readPatchesSearch({ status }: Sent): PatchesSearch {
  return oneIn('status', status, PATCH_STATUSES);
}

/** Always names the member: otherwise the router keeps the value of the address. */
function oneIn<Name extends string, T extends string>(
  name: Name,
  value: unknown,
  allowed: readonly T[],
): { readonly [name in Name]?: T } {
  return { [name]: allowed.find((one) => one === value) } as { readonly [name in Name]?: T };
}

/** The router reads numbers and booleans as such. */
function textIn<Name extends string>(name: Name, value: unknown): { readonly [name in Name]?: string } {
  const isText = ['string', 'number', 'boolean'].includes(typeof value) && String(value).trim() !== '';
  return { [name]: isText ? String(value) : undefined } as { readonly [name in Name]?: string };
}

const ORGANIZATION_SORTS = ['name', '-name', 'devices', '-devices'] as const;
export type OrganizationSort = (typeof ORGANIZATION_SORTS)[number];

/** By name, as the API lists them, or by number of devices, then name. */
export function sortOrganizations(
  byName: readonly Organization[],
  sort: OrganizationSort,
): readonly Organization[] {
  switch (sort) {
    case 'name':
      return byName;
    case '-name':
      return byName.toReversed();
    case 'devices':
      return byName.toSorted((a, b) => a.deviceCount - b.deviceCount);
    case '-devices':
      return byName.toSorted((a, b) => b.deviceCount - a.deviceCount);
  }
}
