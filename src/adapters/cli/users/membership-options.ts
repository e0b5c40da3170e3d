import { Option } from 'commander';
import { CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { findOrganization, findPartner } from '#adapters/cli/tenants/find-tenant.ts';
import { explainInOptions, toList } from '#adapters/cli/terminal/format-text.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Backend } from '#application/backend.ts';
import type { MembershipInput } from '#application/people/person-input.ts';
import type { OrgId } from '#domain/ids.ts';

export interface MembershipOptions {
  readonly scope?: string;
  readonly org?: string;
  readonly partner?: string;
  readonly orgs?: string;
}

export const ORG_OPTION = ['--org <id or name>', 'the organization that they belong to'] as const;
export const PARTNER_OPTION = ['--partner <id or name>', 'the partner that they belong to'] as const;
export const ORGS_OPTION = [
  '--orgs <list>',
  "comma-separated ids or names of the partner's organizations that they reach (default: all of them)",
] as const;
export const PERMISSIONS_OPTION = [
  '--permissions <list>',
  'comma-separated permissions, such as users:write,devices:write (default: none)',
] as const;

export function scopeOption(description: string): Option {
  return new Option('--scope <scope>', description).choices(['system', 'partner', 'organization']);
}

/** The use cases check whether the options fit together. */
export async function readMembership(
  backend: Pick<Backend, 'listTenants'>,
  { scope, org, partner, orgs }: MembershipOptions,
): Promise<MembershipInput> {
  return {
    scope,
    orgId: org === undefined ? undefined : await findOrganization(backend, org),
    partnerId: partner === undefined ? undefined : await findPartner(backend, partner),
    orgIds: orgs === undefined ? undefined : await findSubset(backend, toList(orgs)),
  };
}

/** Nobody gets access to everything because a script forgot an option. */
export function readNewMembership(
  backend: Pick<Backend, 'listTenants'>,
  options: MembershipOptions,
): Promise<MembershipInput> {
  if ((options.scope ?? options.org ?? options.partner) === undefined) {
    throw new CommandFailed('say where the user belongs: --org, --partner, or --scope system for everything');
  }
  return readMembership(backend, options);
}

async function findSubset(
  backend: Pick<Backend, 'listTenants'>,
  typed: readonly string[],
): Promise<readonly OrgId[]> {
  if (typed.length === 0) throw new CommandFailed('--orgs needs at least one organization');
  const found: OrgId[] = [];
  for (const each of typed) found.push(await findOrganization(backend, each, '--orgs'));
  return found;
}

/** For errors of the use cases about people. */
export function explainPerson(email: string, error: ApplicationError): string {
  if (error.code === 'email_taken') return `another user has the email ${email}`;
  // The operator reaches everything, so only this is refused.
  if (error.code === 'forbidden') return 'the partner has no such organization';
  return explainInOptions(error, OPTIONS);
}

const OPTIONS = {
  ...{ email: 'the email', name: '--name', permissions: '--permissions' },
  ...{ scope: '--scope', orgId: '--org', partnerId: '--partner', orgIds: '--orgs' },
} as const;
