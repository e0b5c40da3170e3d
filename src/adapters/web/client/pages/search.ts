/**
 * Search parameters of the pages, read before a page loads. Addresses may contain anything, so invalid values
 * are ignored.
 */
import { PERSON_STATUSES, type PersonStatus } from '#domain/access/person.ts';
import { DELETION_STATUSES, type DeletionStatus } from '#domain/deletion/deletion-request.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  type AlertSeverity,
  type AlertStatus,
  PATCH_STATUSES,
  type PatchStatus,
} from '#domain/fleet/fleet-record.ts';

type Sent = Readonly<Record<string, unknown>>;

export interface DevicesSearch {
  readonly q?: string;
  /** As the API takes it, such as `-lastSeenAt`. */
  readonly sort?: string;
  /** Column ids separated by commas; absent: the default columns. */
  readonly columns?: string;
  /** A dialog to open with the page. */
  readonly dialog?: 'export';
}

export function parseDevicesSearch(sent: Sent): DevicesSearch {
  const texts = (['q', 'sort', 'columns'] as const).map((name) => [name, textOf(sent[name])] as const);
  return {
    ...Object.fromEntries(texts.filter(([, text]) => text !== '')),
    ...(sent.dialog === 'export' && { dialog: sent.dialog }),
  };
}

/** Text is applied after this many milliseconds without a key. */
export const TYPING_PAUSE_MS = 350;

/** The pause is longer for text that does not parse, because it may end in an unfinished word. */
export const FAULTY_TYPING_PAUSE_MS = 1_200;

export const DEVICE_TABS = [
  'overview',
  'hardware',
  'network',
  'software',
  'patches',
  'alerts',
  'filters',
] as const;
export type DeviceTab = (typeof DEVICE_TABS)[number];

export function parseDeviceSearch({ tab }: Sent): { readonly tab?: DeviceTab } {
  const known = DEVICE_TABS.find((one) => one === tab);
  return known === undefined || known === 'overview' ? {} : { tab: known };
}

export function readFiltersSearch({ search }: Sent): { readonly search?: string | undefined } {
  return typeof search === 'string' && search !== '' ? { search } : {};
}

const FILTER_TABS = ['text', 'json', 'live', 'history', 'used'] as const;

export interface FilterTab {
  readonly tab?: (typeof FILTER_TABS)[number] | undefined;
}

export function readFilterTab({ tab }: Sent): FilterTab {
  const known = FILTER_TABS.find((one) => one === tab);
  return known === undefined ? {} : { tab: known };
}

interface NewFilterSearch extends FilterTab {
  readonly from?: string;
  readonly q?: string;
}

export function readNewFilterSearch(sent: Sent): NewFilterSearch {
  const { from, q } = sent;
  return {
    ...(typeof from === 'string' && { from }),
    ...(typeof q === 'string' && { q }),
    ...readFilterTab(sent),
  };
}

export interface DeletionRequestsSearch {
  /** Absent for pending requests. */
  readonly status?: Exclude<DeletionStatus, 'pending'> | 'any';
  /** At least 2; absent for the first page. */
  readonly page?: number;
}

export function validateDeletionRequestsSearch(sent: Sent): DeletionRequestsSearch {
  const status = ([...DELETION_STATUSES, 'any'] as const).find((one) => one === sent.status);
  const page = Number(sent.page);
  return {
    ...(status !== undefined && status !== 'pending' && { status }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  };
}

export const AUDIT_PARAMETERS = ['action', 'actor', 'actorId', 'resourceId', 'result', 'from', 'to'] as const;

/** `from` and `to` are days in UTC. */
export type AuditLogSearch = { readonly [name in (typeof AUDIT_PARAMETERS)[number]]?: string };

/** Keeps invalid values, which the page reports. */
export function validateAuditLogSearch(sent: Sent): AuditLogSearch {
  return Object.fromEntries(
    AUDIT_PARAMETERS.flatMap((name) => {
      const value = sent[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

const ORGANIZATION_SORTS = ['name', '-name', 'devices', '-devices'] as const;
export type OrganizationSort = (typeof ORGANIZATION_SORTS)[number];

interface OrganizationsSearch {
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

interface AlertsSearch {
  readonly search?: string;
  readonly status?: AlertStatus;
  readonly severity?: AlertSeverity;
}

export function readAlertsSearch({ search, status, severity }: Sent): AlertsSearch {
  return {
    ...textIn('search', search),
    ...oneIn('status', status, ALERT_STATUSES),
    ...oneIn('severity', severity, ALERT_SEVERITIES),
  };
}

export function readScriptsSearch({ search }: Sent): { readonly search?: string } {
  return textIn('search', search);
}

export function readPatchesSearch({ status }: Sent): { readonly status?: PatchStatus } {
  return oneIn('status', status, PATCH_STATUSES);
}

interface PeopleSearch {
  readonly search?: string;
  readonly status?: PersonStatus;
  /** A dialog to open with the page. */
  readonly dialog?: 'invite';
}

export function readPeopleSearch({ search, status, dialog }: Sent): PeopleSearch {
  return {
    ...textIn('search', search),
    ...oneIn('status', status, PERSON_STATUSES),
    ...oneIn('dialog', dialog, ['invite'] as const),
  };
}

/** Sets an invalid value to undefined. Otherwise, the router would keep it. */
function oneIn<Name extends string, T extends string>(
  name: Name,
  value: unknown,
  allowed: readonly T[],
): { readonly [name in Name]?: T } {
  return { [name]: allowed.find((one) => one === value) } as { readonly [name in Name]?: T };
}

/** Sets blank text to undefined. Otherwise, the router would keep it. */
function textIn<Name extends string>(name: Name, value: unknown): { readonly [name in Name]?: string } {
  const text = textOf(value);
  return { [name]: text.trim() === '' ? undefined : text } as { readonly [name in Name]?: string };
}

/** The router parses numbers and booleans, so they are converted back. */
function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** The service adds these search parameters after a failed sign-in at an identity provider. */
export interface ProviderProblemSearch {
  readonly problem?: string | undefined;
  readonly request?: string | undefined;
}

export function readProviderProblem({ problem, request }: Sent): ProviderProblemSearch {
  const isId = typeof request === 'string' && /^[\w.-]{1,128}$/.test(request);
  // Invalid values must be undefined, or the page would read the raw address.
  return {
    problem: typeof problem === 'string' ? problem : undefined,
    request: isId ? request : undefined,
  };
}
