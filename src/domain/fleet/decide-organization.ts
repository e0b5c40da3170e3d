/** The partner of a new organization, and the rules for names (Contract: §15). */
import { type OrgId, type PartnerId, parseId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import { err, ok } from '#domain/result.ts';
import { isSameName, parseTenantName } from './tenant-name.ts';

export interface KnownTenants {
  readonly partners: readonly { readonly id: PartnerId; readonly name: string }[];
  readonly organizations: readonly {
    readonly id: OrgId;
    readonly partnerId: PartnerId;
    readonly name: string;
  }[];
}

export interface WantedOrganization {
  readonly name: string;
  /**
   * An id or name; an unknown name makes a new partner. Null means the only partner. If there is none, it
   * makes one with the organization's name.
   */
  readonly partner: string | null;
}

export interface AcceptedOrganization {
  readonly name: string;
  readonly partner: { readonly id: PartnerId } | { readonly newName: string };
}

export type OrganizationRefusal =
  | { readonly reason: 'invalid-name'; readonly member: keyof WantedOrganization; readonly fault: string }
  | { readonly reason: 'name-taken'; readonly name: string }
  | { readonly reason: 'partner-needed'; readonly partners: number }
  /** `ids` are the partners that fit: none for an unknown id, several for a shared name. */
  | { readonly reason: 'unclear-partner'; readonly ids: readonly PartnerId[] };

export function decideOrganization(
  { partners, organizations }: KnownTenants,
  wanted: WantedOrganization,
): Result<AcceptedOrganization, OrganizationRefusal> {
  const name = parseMember('name', wanted.name);
  if (!name.ok) return name;
  const owner = findOwner(partners, wanted, name.value);
  if (!owner.ok) return owner;
  const partner = owner.value;
  const isTaken = organizations.some(
    (other) => 'id' in partner && other.partnerId === partner.id && isSameName(other.name, name.value),
  );
  return isTaken ? err({ reason: 'name-taken', name: name.value }) : ok({ name: name.value, partner });
}

function findOwner(
  partners: KnownTenants['partners'],
  { partner: typed }: WantedOrganization,
  name: string,
): Result<AcceptedOrganization['partner'], OrganizationRefusal> {
  if (typed === null) {
    const [only, ...others] = partners;
    if (others.length > 0) return err({ reason: 'partner-needed', partners: partners.length });
    return ok(only === undefined ? { newName: name } : { id: only.id });
  }
  const id = parseId<'partner'>(typed.trim());
  const found = partners.filter((one) => one.id === id || isSameName(one.name, typed));
  const [only, ...others] = found;
  if (others.length > 0) return err({ reason: 'unclear-partner', ids: found.map((one) => one.id) });
  if (only !== undefined) return ok({ id: only.id });
  // A text that looks like an id never names a new partner.
  if (id !== null) return err({ reason: 'unclear-partner', ids: [] });
  const newName = parseMember('partner', typed);
  return newName.ok ? ok({ newName: newName.value }) : newName;
}

function parseMember(member: keyof WantedOrganization, text: string): Result<string, OrganizationRefusal> {
  const parsed = parseTenantName(text);
  return parsed.ok ? parsed : err({ reason: 'invalid-name', member, fault: parsed.error });
}
