import { Option } from 'commander';
import { CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { findOrganization, findPartner } from '#adapters/cli/tenants/find-tenant.ts';
import type { Backend } from '#application/backend.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';

export interface MembershipOptions {
  readonly scope?: Membership['scope'];
  readonly org?: string;
  readonly partner?: string;
}

export const ORG_OPTION = ['--org <id or name>', 'the organization that they belong to'] as const;
export const PARTNER_OPTION = ['--partner <id or name>', 'the partner that they belong to'] as const;

export function scopeOption(description: string): Option {
  return new Option('--scope <scope>', description).choices(['system', 'partner', 'organization']);
}

/**
 * Refuses a tenant that contradicts the scope; ignoring it would give the user too many rights. If `fallback` is
 * null, an option is required.
 */
export async function toMembership(
  backend: Pick<Backend, 'listTenants'>,
  { org, partner, ...options }: MembershipOptions,
  fallback: 'system' | null,
): Promise<Membership> {
  if (org !== undefined && partner !== undefined) {
    throw new CommandFailed('pass either --org or --partner, not both');
  }
  const scope =
    options.scope ?? (org !== undefined ? 'organization' : partner !== undefined ? 'partner' : fallback);
  if (scope === null) {
    throw new CommandFailed('say where the user belongs: --org, --partner, or --scope system for everything');
  }
  if (org !== undefined && scope !== 'organization') {
    throw new CommandFailed(`--org contradicts --scope ${scope}; it needs --scope organization`);
  }
  if (partner !== undefined && scope !== 'partner') {
    throw new CommandFailed(`--partner contradicts --scope ${scope}; it needs --scope partner`);
  }
  switch (scope) {
    case 'system':
      return { scope };
    case 'partner':
      if (partner === undefined) throw new CommandFailed('a user of a partner needs --partner <id or name>');
      return { scope, partnerId: await findPartner(backend, partner), orgIds: null };
    case 'organization':
      if (org === undefined) throw new CommandFailed('a user of an organization needs --org <id or name>');
      return { scope, orgId: await findOrganization(backend, org) };
  }
}
