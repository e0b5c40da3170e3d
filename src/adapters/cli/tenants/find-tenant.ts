/** Finds a tenant or filter by the id or name that was typed. Names match in any case. */
import { CommandFailed } from '#adapters/cli/cli-runtime.ts';
import type { Backend } from '#application/backend.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { isSameName } from '#domain/fleet/tenant-name.ts';
import { type FilterId, type OrgId, type PartnerId, parseId, type SiteId } from '#domain/ids.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';

type Directory = Pick<Backend, 'listTenants'>;

export async function findOrganization(
  { listTenants }: Directory,
  typed: string,
  option = '--org',
): Promise<OrgId> {
  const { organizations } = await listTenants();
  return findOne(option, 'organization', typed, organizations, parseId<'organization'>(typed));
}

export async function findPartner(
  { listTenants }: Directory,
  typed: string,
  option = '--partner',
): Promise<PartnerId> {
  const { partners } = await listTenants();
  return findOne(option, 'partner', typed, partners, parseId<'partner'>(typed));
}

export async function findSite(
  { namesInReach }: Pick<Backend, 'namesInReach'>,
  orgId: OrgId,
  typed: string,
  option = '--site',
): Promise<SiteId> {
  const sites = await namesInReach({ kind: 'organization', orgId }, 'site');
  return findOne(option, 'site', typed, sites as readonly NamedSite[], parseId<'site'>(typed));
}

export async function findFilter(
  { filters }: Pick<Backend, 'filters'>,
  orgId: OrgId | undefined,
  typed: string,
): Promise<FilterId> {
  const scope = orgId === undefined ? SYSTEM_SCOPE : ({ kind: 'organization', orgId } as const);
  const all: { readonly id: FilterId; readonly name: string }[] = [];
  for await (const { id, name } of filters.list(scope)) all.push({ id, name });
  return findOne('FILTER', 'saved filter', typed, all, parseId<'filter'>(typed));
}

type NamedSite = { readonly id: SiteId; readonly name: string };

function findOne<Id extends string>(
  option: string,
  kind: string,
  typed: string,
  all: readonly { readonly id: Id; readonly name: string }[],
  id: Id | null,
): Id {
  const found = all.filter((one) => one.id === id || isSameName(one.name, typed));
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) throw notOne(option, kind, typed, found, all);
  return only.id;
}

export function notOne(
  option: string,
  kind: string,
  typed: string,
  found: readonly { readonly id: string }[],
  all: readonly { readonly name: string }[],
): CommandFailed {
  if (found.length > 0) {
    const ids = found.map(({ id }) => `\n  ${id}`).join('');
    return new CommandFailed(`${option}: several are named "${typed}"; choose one by its id:${ids}`);
  }
  const near = nearestWord(
    typed,
    all.map(({ name }) => name),
  );
  const where = LISTS[kind] ?? 'org list';
  const advice = near === null ? `see the names in ${where}` : `did you mean "${near}"?`;
  return new CommandFailed(`${option}: there is no ${kind} with the id or name "${typed}"; ${advice}`);
}

const LISTS: Readonly<Record<string, string>> = {
  partner: 'partner list',
  site: 'site list',
  'saved filter': 'the console',
};
