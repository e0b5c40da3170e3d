/** Organizations, partners, sites and saved filters by what the operator types: an id, or a name in any case. */
import { CommandFailed } from '#adapters/cli/cli-runtime.ts';
import type { Backend } from '#application/backend.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { type FilterId, type OrgId, type PartnerId, parseId, type SiteId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';

type Directory = Pick<Backend, 'listTenants'>;

/** The id of the organization; a failure that says what `--org` takes if there is none, or several. */
export async function findOrganization({ listTenants }: Directory, typed: string): Promise<OrgId> {
  const { organizations } = await listTenants();
  return findOne('--org', 'organization', typed, organizations, parseId<'organization'>(typed));
}

export async function findPartner({ listTenants }: Directory, typed: string): Promise<PartnerId> {
  const { partners } = await listTenants();
  return findOne('--partner', 'partner', typed, partners, parseId<'partner'>(typed));
}

/** Of this organization. */
export async function findSite(
  { namesInReach }: Pick<Backend, 'namesInReach'>,
  orgId: OrgId,
  typed: string,
): Promise<SiteId> {
  const sites = await namesInReach({ kind: 'organization', orgId }, 'site');
  return findOne('--site', 'site', typed, sites as readonly NamedSite[], parseId<'site'>(typed));
}

/** Of this organization, or of any. */
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
  const wanted = foldCase(typed.trim());
  const found = all.filter((one) => one.id === id || foldCase(one.name) === wanted);
  const [only] = found;
  if (only === undefined) {
    const near = nearestWord(
      typed,
      all.map(({ name }) => name),
    );
    const advice =
      near === null
        ? kind === 'site' || kind === 'saved filter'
          ? 'the console shows what there is'
          : 'org list shows what there is'
        : `did you mean "${near}"?`;
    throw new CommandFailed(`${option}: there is no ${kind} with the id or name "${typed}"; ${advice}`);
  }
  if (found.length > 1) {
    const ids = found.map((one) => `\n  ${one.id}`).join('');
    throw new CommandFailed(`${option}: several are named "${typed}"; name one by its id:${ids}`);
  }
  return only.id;
}
