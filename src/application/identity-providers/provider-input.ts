import {
  type ApplicationError,
  type FieldError,
  faultsIn,
  toValidationError,
} from '#application/application-error.ts';
import { parseName } from '#application/input-values.ts';
import { parseGivenPermissions } from '#application/people/person-input.ts';
import type {
  GroupRights,
  IdentityProvider,
  ProviderDomain,
  ProviderSettings,
} from '#domain/access/identity-provider.ts';
import { refuseOutboundUrl } from '#domain/access/outbound-address.ts';
import { parseDomain } from '#domain/access/provider-domain.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import { type OrgId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { isObject } from '#domain/text/json-text.ts';
import { isBlank, trimText, unstorableReason } from '#domain/text/storable-text.ts';

/** Unchecked input. An absent member keeps its value, or has its default in a new provider. */
export interface ProviderInput {
  readonly orgId: unknown;
  readonly partnerId: unknown;
  readonly name: unknown;
  readonly issuer: unknown;
  readonly clientId: unknown;
  readonly clientSecret: unknown;
  readonly domains: unknown;
  readonly provision: unknown;
  readonly permissions: unknown;
  readonly groupsClaim: unknown;
  readonly groups: unknown;
  readonly trustMfa: unknown;
  readonly acrValues: unknown;
}

export interface ParsedProvider extends ProviderSettings {
  readonly issuer: string;
  /** Null keeps the stored secret. */
  readonly clientSecret: string | null;
}

export interface ProviderRules {
  readonly held: ReadonlySet<string>;
  /** True if the caller decides which domains are verified. */
  readonly setsVerified: boolean;
  /** True if issuers may be at private addresses and use http. */
  readonly allowsPrivate: boolean;
}

const MAX_TEXT = 500;
const MAX_DOMAINS = 50;
const MAX_GROUPS = 500;
const MAX_ORGANIZATIONS = 1_000;
const MAX_ACR_VALUES = 50;

/** `current` is null for a new provider. */
export function parseProvider(
  input: ProviderInput,
  current: IdentityProvider | null,
  rules: ProviderRules,
): Result<ParsedProvider, ApplicationError> {
  const kept = <T>(
    value: unknown,
    known: T | undefined,
    parse: () => Result<T, string>,
  ): Result<T, string> => (value === undefined && known !== undefined ? ok(known) : parse());
  const words = new Set([...rules.held, ...(current === null ? [] : permissionsIn(current))]);
  const parsed = {
    name: kept(input.name, current?.name, () => parseName(input.name)),
    issuer: kept(input.issuer, current?.issuer, () => parseIssuer(input.issuer, current, rules)),
    clientId: kept(input.clientId, current?.clientId, () => parseText('clientId', input.clientId)),
    clientSecret: kept(input.clientSecret, current === null ? undefined : null, () =>
      parseText('clientSecret', input.clientSecret),
    ),
    domains: kept(input.domains, current?.domains ?? [], () =>
      parseDomains(input.domains, current?.domains ?? [], rules),
    ),
    provision: kept(input.provision, current?.provisions ?? false, () =>
      parseFlag('provision', input.provision),
    ),
    permissions: kept(input.permissions, current?.permissions ?? [], () =>
      parseGivenPermissions(input.permissions, words),
    ),
    groupsClaim: kept<string | null>(input.groupsClaim, current?.groupsClaim ?? null, () =>
      input.groupsClaim === null ? ok(null) : parseText('groupsClaim', input.groupsClaim),
    ),
    groups: kept(input.groups, current?.groups ?? [], () => parseGroups(input.groups, words)),
    trustMfa: kept(input.trustMfa, current?.trustsMfa ?? false, () => parseFlag('trustMfa', input.trustMfa)),
    acrValues: kept(input.acrValues, current?.acrValues ?? [], () =>
      parseTexts('acrValues', input.acrValues, MAX_ACR_VALUES),
    ),
  };
  const { name, issuer, clientId, clientSecret, domains, provision, permissions } = parsed;
  const { groupsClaim, groups, trustMfa, acrValues } = parsed;
  if (!name.ok || !issuer.ok || !clientId.ok || !clientSecret.ok || !domains.ok || !provision.ok) {
    return err(toValidationError(faultsIn(parsed)));
  }
  if (!permissions.ok || !groupsClaim.ok || !groups.ok || !trustMfa.ok || !acrValues.ok) {
    return err(toValidationError(faultsIn(parsed)));
  }
  return ok({
    ...{ name: name.value, issuer: issuer.value, clientId: clientId.value, clientSecret: clientSecret.value },
    ...{ domains: domains.value, provisions: provision.value, permissions: permissions.value },
    ...{ groupsClaim: groupsClaim.value, groups: groups.value },
    ...{ trustsMfa: trustMfa.value, acrValues: acrValues.value },
  });
}

function permissionsIn({ permissions, groups }: IdentityProvider): readonly string[] {
  return [...permissions, ...groups.flatMap((group) => group.permissions)];
}

/** Changes nothing in the issuer but outer spaces, because ID tokens must repeat it exactly. */
function parseIssuer(
  value: unknown,
  current: IdentityProvider | null,
  { allowsPrivate }: ProviderRules,
): Result<string, string> {
  if (current !== null) {
    return value === current.issuer
      ? ok(current.issuer)
      : err('issuer cannot change; add another identity provider instead');
  }
  const text = parseText('issuer', value);
  if (!text.ok) return text;
  const url = URL.parse(text.value);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const refusal = allowsPrivate && isWeb ? null : refuseOutboundUrl(text.value);
  if (refusal !== null) return err(`issuer ${refusal}`);
  return url?.search === '' && url.hash === '' ? text : err('issuer must have no query and no fragment');
}

function parseText(name: string, value: unknown): Result<string, string> {
  if (typeof value !== 'string' || isBlank(value)) {
    return err(`${name} must be a string of 1 to ${MAX_TEXT} characters`);
  }
  const reason = unstorableReason(value);
  if (reason !== null) return err(`${name} ${reason}`);
  const text = trimText(value);
  return text.length <= MAX_TEXT ? ok(text) : err(`${name} must have at most ${MAX_TEXT} characters`);
}

function parseTexts(name: string, value: unknown, max: number): Result<readonly string[], string> {
  if (!Array.isArray(value) || value.length > max)
    return err(`${name} must be a list of at most ${max} texts`);
  const texts = new Set<string>();
  for (const item of value) {
    const text = parseText(`each of ${name}`, item);
    if (!text.ok) return text;
    texts.add(text.value);
  }
  return ok([...texts]);
}

function parseFlag(name: string, value: unknown): Result<boolean, string> {
  return typeof value === 'boolean' ? ok(value) : err(`${name} must be true or false`);
}

/** `verified` may repeat the current state, because a client may send back what it read. */
function parseDomains(
  value: unknown,
  known: readonly ProviderDomain[],
  { setsVerified }: ProviderRules,
): Result<readonly ProviderDomain[], string> {
  if (!Array.isArray(value) || value.length > MAX_DOMAINS) {
    return err(`domains must be a list of at most ${MAX_DOMAINS} objects with a domain`);
  }
  const domains = new Map<string, ProviderDomain>();
  for (const item of value) {
    const { domain: sent, verified } = isObject(item) ? item : {};
    const domain = typeof sent === 'string' ? parseDomain(trimText(sent)) : null;
    if (domain === null) return err('domains must have domain names, such as example.com');
    const wasVerified = known.some((each) => each.domain === domain && each.isVerified);
    if (verified !== undefined && typeof verified !== 'boolean') {
      return err('domains: verified must be true or false');
    }
    if (verified === true && !wasVerified && !setsVerified) {
      return err(
        `domains: ${domain} is verified by its DNS record, with POST /identity-providers/:id/domains/verify`,
      );
    }
    domains.set(domain, { domain, isVerified: setsVerified ? (verified ?? wasVerified) : wasVerified });
  }
  return ok([...domains.values()].sort((a, b) => (a.domain < b.domain ? -1 : 1)));
}

function parseGroups(value: unknown, words: ReadonlySet<string>): Result<readonly GroupRights[], string> {
  if (!Array.isArray(value) || value.length > MAX_GROUPS) {
    return err(`groups must be a list of at most ${MAX_GROUPS} objects with group and permissions`);
  }
  const groups = new Map<string, GroupRights>();
  for (const item of value) {
    const { group, permissions = [], orgIds } = isObject(item) ? item : {};
    const name = parseText('group', group);
    if (!name.ok) return err(`groups: ${name.error}`);
    const given = parseGivenPermissions(permissions, words);
    if (!given.ok) return err(`groups: ${given.error}`);
    const reach = parseOrgIds(orgIds);
    if (!reach.ok) return reach;
    if (groups.has(name.value)) return err(`groups: ${name.value} is there twice`);
    groups.set(name.value, { group: name.value, permissions: given.value, orgIds: reach.value });
  }
  return ok([...groups.values()]);
}

function parseOrgIds(value: unknown): Result<readonly OrgId[] | null, string> {
  if (value === undefined || value === null) return ok(null);
  const ids = Array.isArray(value) ? value.map((item) => parseId<'organization'>(item)) : [];
  const known = ids.filter((id) => id !== null);
  return known.length > 0 && known.length === ids.length && ids.length <= MAX_ORGANIZATIONS
    ? ok([...new Set(known)].sort())
    : err('groups: orgIds must be a list of at least one UUID, or null for all of the partner');
}

/** Null if no owner is named. */
export function parseNamedOwner({
  orgId,
  partnerId,
}: Pick<ProviderInput, 'orgId' | 'partnerId'>): Result<Owner | null, readonly FieldError[]> {
  const org = orgId == null ? null : parseId<'organization'>(orgId);
  const partner = partnerId == null ? null : parseId<'partner'>(partnerId);
  const fault = (path: string, message: string): FieldError => ({ path, code: 'invalid_value', message });
  const faults = [
    ...(orgId != null && org === null ? [fault('orgId', 'orgId must be a UUID')] : []),
    ...(partnerId != null && partner === null ? [fault('partnerId', 'partnerId must be a UUID')] : []),
    ...(org !== null && partner !== null
      ? [fault('partnerId', 'a provider is of an organization or a partner, not of both')]
      : []),
  ];
  if (faults.length > 0) return err(faults);
  if (org !== null) return ok({ kind: 'organization', orgId: org });
  return ok(partner === null ? null : { kind: 'partner', partnerId: partner });
}
