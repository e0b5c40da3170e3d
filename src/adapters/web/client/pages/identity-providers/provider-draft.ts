import type { IdentityProvider } from '#adapters/http/api-types.ts';
import type { NewProvider, ProviderSettings } from '#console/api/identity-providers.ts';

export interface GroupDraft {
  readonly group: string;
  readonly permissions: readonly string[];
  /** Null for all organizations of the partner. */
  readonly orgIds: readonly string[] | null;
}

export interface ProviderDraft {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A key of `placesToGive`; empty if none is chosen. */
  readonly place: string;
  /** One domain on each line. */
  readonly domains: string;
  readonly provision: boolean;
  readonly permissions: readonly string[];
  readonly groupsClaim: string;
  readonly groups: readonly GroupDraft[];
  readonly trustMfa: boolean;
  /** Separated by commas. */
  readonly acrValues: string;
}

export function emptyDraft(place: string): ProviderDraft {
  return {
    ...{ name: '', issuer: '', clientId: '', clientSecret: '', place, domains: '', provision: true },
    ...{ permissions: [], groupsClaim: '', groups: [], trustMfa: false, acrValues: '' },
  };
}

export function draftOf(provider: IdentityProvider): ProviderDraft {
  const { name, issuer, clientId, orgId, partnerId, domains, provision, permissions } = provider;
  const { groupsClaim, groups, trustMfa, acrValues } = provider;
  return {
    ...{ name, issuer, clientId, clientSecret: '', provision, permissions, groups, trustMfa },
    place: orgId === null ? `partner:${partnerId}` : `organization:${orgId}`,
    domains: domains.map(({ domain }) => domain).join('\n'),
    groupsClaim: groupsClaim ?? '',
    acrValues: acrValues.join(', '),
  };
}

export function toSettings(draft: ProviderDraft): ProviderSettings {
  const { name, clientId, clientSecret, provision, permissions, groupsClaim, groups, trustMfa } = draft;
  return {
    ...{ name: name.trim(), clientId: clientId.trim(), provision, permissions, trustMfa },
    ...(clientSecret !== '' && { clientSecret }),
    domains: partsOf(draft.domains, /\s+/).map((domain) => ({ domain })),
    groupsClaim: groupsClaim.trim() === '' ? null : groupsClaim.trim(),
    groups: groups.map((group) => ({ ...group, group: group.group.trim() })),
    acrValues: partsOf(draft.acrValues, /,/),
  };
}

export function toNewProvider(draft: ProviderDraft): NewProvider {
  const [kind, id = ''] = draft.place.split(':');
  const owner = kind === 'partner' ? { partnerId: id } : { orgId: id };
  return { ...toSettings(draft), issuer: draft.issuer.trim(), ...owner };
}

/** Null if the provider belongs to an organization. */
export function partnerIn({ place }: ProviderDraft): string | null {
  return place.startsWith('partner:') ? place.slice('partner:'.length) : null;
}

export function missingIn(draft: ProviderDraft, isNew: boolean): ReadonlySet<keyof ProviderDraft> {
  const needed = [
    ...(['name', 'clientId', 'place'] as const),
    ...(isNew ? (['issuer', 'clientSecret'] as const) : []),
  ];
  const missing = needed.filter((name) => draft[name].trim() === '');
  const isGroupMissing = draft.groups.some(
    ({ group, orgIds }) => group.trim() === '' || orgIds?.length === 0,
  );
  return new Set([...missing, ...(isGroupMissing ? (['groups'] as const) : [])]);
}

function partsOf(text: string, separator: RegExp): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
