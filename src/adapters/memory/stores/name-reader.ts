import type { World } from '#adapters/memory/tables/world.ts';
import { type NameReader, nameKey, type ThingReference } from '#application/ports/names.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import { attributionOf, idsOfOwner, isWithinReach, ownersInReach } from '#domain/access/ownership.ts';
import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import type {
  AlertId,
  ApiKeyId,
  CustomFieldId,
  DeletionRequestId,
  DeviceId,
  EnrolmentKeyId,
  FilterId,
  IdentityProviderId,
  OrgId,
  PartnerId,
  SiteId,
  UserId,
} from '#domain/ids.ts';
import { containsFolded } from '#domain/text/fold-case.ts';

export function makeNameReader(world: World): NameReader {
  function personName(scope: AccessScope, id: UserId): string | null {
    const user = world.users.get(id);
    return user !== undefined && isWithinReach(scope, attributionOf(user.membership)) ? user.name : null;
  }

  function nameOf(scope: AccessScope, { kind, id }: ThingReference): string | null {
    const reachesOwner = ownersInReach(scope, (orgId) => world.organizations.get(orgId)?.partnerId);
    const inReach = <T extends { readonly orgId: OrgId }>(thing: T | undefined) =>
      thing !== undefined && canReach(scope, thing.orgId) ? thing : null;
    switch (kind) {
      case 'user':
        return personName(scope, id as UserId);
      case 'account_deletion_request': {
        const request = world.deletionRequests.get(id as DeletionRequestId)?.request;
        return request !== undefined && isWithinReach(scope, request)
          ? personName(scope, request.userId)
          : null;
      }
      case 'api_key': {
        const key = world.apiKeys.get(id as ApiKeyId);
        return key !== undefined && personName(scope, key.userId) !== null ? key.name : null;
      }
      case 'enrolment_key':
        return inReach(world.enrolmentKeys.get(id as EnrolmentKeyId))?.name ?? null;
      case 'organization':
        return canReach(scope, id as OrgId) ? (world.organizations.get(id as OrgId)?.name ?? null) : null;
      case 'site':
        return inReach(world.sites.get(id as SiteId))?.name ?? null;
      case 'partner':
        return reachesOwner({ kind: 'partner', partnerId: id as PartnerId })
          ? (world.partners.get(id as PartnerId)?.name ?? null)
          : null;
      case 'filter': {
        const filter = world.filters.get(id as FilterId);
        return filter !== undefined && reachesOwner(ownerOfFilter(filter)) ? filter.name : null;
      }
      case 'device': {
        const device = inReach(world.devices.get(id as DeviceId));
        return device === null ? null : device.displayName || device.hostname;
      }
      case 'alert':
        return inReach(world.alerts.get(id as AlertId))?.title ?? null;
      case 'custom_field': {
        const field = world.customFields.get(id as CustomFieldId);
        return field !== undefined && reachesOwner(field.owner) ? field.name : null;
      }
      case 'identity_provider': {
        const found = world.identityProviders.get(id as IdentityProviderId)?.provider;
        return found !== undefined && isWithinReach(scope, idsOfOwner(found.owner)) ? found.name : null;
      }
      default:
        return null;
    }
  }

  return {
    async namesOf(scope, things) {
      const names = new Map<string, string>();
      for (const thing of things) {
        const name = nameOf(scope, thing);
        if (name !== null) names.set(nameKey(thing), name);
      }
      return names;
    },
    async findPeople(scope, foldedText) {
      const isIn = containsFolded(foldedText);
      return [...world.users.values()].flatMap(({ id, name, email, membership }) =>
        isWithinReach(scope, attributionOf(membership)) && (isIn(name) || isIn(email)) ? [id] : [],
      );
    },
  };
}
