import type { World } from '#adapters/memory/tables/world.ts';
import type { NamedThing, NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import { canReach } from '#domain/access/access-scope.ts';

export function makeNamesInReach(world: Pick<World, 'organizations' | 'sites'>): NamesInReach {
  return async (scope, kind) => {
    const found: readonly NamedThing[] =
      kind === 'organization'
        ? [...world.organizations.values()].filter(({ id }) => canReach(scope, id))
        : [...world.sites.values()].filter(({ orgId }) => canReach(scope, orgId));
    return found.map(({ id, name }) => ({ id, name })).sort((a, b) => (a.id < b.id ? -1 : 1));
  };
}
