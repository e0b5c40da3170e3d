/** Finds an organization or a site by what an operator calls it: its id or its name. */
import type { NamedKind, NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { type OrgId, parseId, type SiteId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { CommandFailed } from './cli-runtime.ts';

/** Throws `CommandFailed` where no organization is called so, or several are. */
export function findOrganization(namesInReach: NamesInReach, called: string): Promise<OrgId> {
  return find<OrgId>(namesInReach, { scope: SYSTEM_SCOPE, kind: 'organization', option: '--org', called });
}

/** Throws `CommandFailed` where no site of the organization is called so, or several are. */
export function findSite(namesInReach: NamesInReach, orgId: OrgId, called: string): Promise<SiteId> {
  const scope: AccessScope = { kind: 'organization', orgId };
  return find<SiteId>(namesInReach, { scope, kind: 'site', option: '--site', called });
}

interface Wanted {
  readonly scope: AccessScope;
  readonly kind: NamedKind;
  readonly option: string;
  readonly called: string;
}

async function find<Found extends OrgId | SiteId>(
  namesInReach: NamesInReach,
  { scope, kind, option, called }: Wanted,
): Promise<Found> {
  const all = await namesInReach(scope, kind);
  const byId = all.find(({ id }) => id === parseId(called));
  if (byId !== undefined) return byId.id as Found;
  const folded = foldCase(called.trim());
  const [found, ...others] = all.filter(({ name }) => foldCase(name.trim()) === folded);
  if (found === undefined) {
    throw new CommandFailed(`${option}: there is no ${kind} with the id or the name ${called}`);
  }
  if (others.length > 0) {
    const ids = [found, ...others].map(({ id }) => id).join(', ');
    throw new CommandFailed(`${option}: several are called ${called}; pass the id of one: ${ids}`);
  }
  return found.id as Found;
}
