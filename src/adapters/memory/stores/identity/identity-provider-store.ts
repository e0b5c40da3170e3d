import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type {
  IdentityProviderReader,
  IdentityProviderWriter,
  SignInProvider,
} from '#application/ports/auth/stores/identity-provider-store.ts';
import type { FederatedIdentity, IdentityProvider } from '#domain/access/identity-provider.ts';
import { mayChangeFor } from '#domain/access/ownership.ts';
import type { IdentityProviderId } from '#domain/ids.ts';
import { putPerson, refuseNewPerson } from './link-store.ts';

type Tables = Pick<World, 'identityProviders' | 'federatedIdentities' | 'users' | 'organizations'>;

export function makeIdentityProviderReader(world: Tables): IdentityProviderReader {
  const all = () => [...world.identityProviders.values()];
  return {
    async list(scope) {
      return all()
        .map(({ provider }) => provider)
        .filter(({ owner }) => mayChangeFor(scope, owner))
        .sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id))
        .map((provider) => structuredClone(provider));
    },
    async find(scope, id) {
      const found = world.identityProviders.get(id)?.provider;
      return found !== undefined && mayChangeFor(scope, found.owner) ? structuredClone(found) : null;
    },
    async findForSignIn(by) {
      const found =
        'id' in by
          ? world.identityProviders.get(by.id)
          : all().find(({ provider }) => isVerifiedFor(provider, by.domain));
      return found === undefined ? null : structuredClone(found);
    },
    async listForPerson(userId) {
      const user = world.users.get(userId);
      if (user?.status !== 'active' || user.isPlatformAdmin) return [];
      const { membership } = user;
      const orgId = membership.scope === 'organization' ? membership.orgId : null;
      const partnerId =
        membership.scope === 'partner'
          ? membership.partnerId
          : orgId === null
            ? null
            : world.organizations.get(orgId)?.partnerId;
      const identities = [...world.federatedIdentities.values()].filter((each) => each.userId === userId);
      return all()
        .map(({ provider }) => provider)
        .filter(({ owner }) =>
          owner.kind === 'organization' ? owner.orgId === orgId : owner.partnerId === partnerId,
        )
        .sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id))
        .map(({ id, name }) => {
          const identity = identities.find(({ providerId }) => providerId === id);
          return { provider: { id, name }, identity: identity === undefined ? null : { ...identity } };
        });
    },
  };
}

export function makeIdentityProviderWriter(tables: StagedTables): IdentityProviderWriter {
  const { identityProviders: providers, federatedIdentities: identities } = tables;
  const ownerExists = ({ owner }: IdentityProvider) =>
    owner.kind === 'organization'
      ? tables.organizations.get(owner.orgId) !== null
      : tables.partners.get(owner.partnerId) !== null;
  const isDomainTaken = ({ id, domains }: IdentityProvider) =>
    providers
      .values()
      .some(
        ({ provider }) => provider.id !== id && domains.some(({ domain }) => isVerifiedFor(provider, domain)),
      );
  const put = (stored: SignInProvider) => providers.set(stored.provider.id, structuredClone(stored));
  const identitiesOf = (id: IdentityProviderId) =>
    [...identities.values()].filter(({ providerId }) => providerId === id);
  return {
    async hold(id) {
      const found = providers.get(id);
      return found === null ? null : structuredClone(found.provider);
    },
    async add(provider, clientSecret) {
      if (!ownerExists(provider)) return 'unknown-owner';
      if (isDomainTaken(provider)) return 'domain-taken';
      put({ provider, clientSecret });
      return null;
    },
    async replace(provider, clientSecret) {
      const before = providers.get(provider.id);
      if (before === null) throw new Error(`there is no identity provider ${provider.id}`);
      if (isDomainTaken(provider)) return 'domain-taken';
      const { owner, issuer, createdAt } = before.provider;
      put({
        provider: { ...provider, owner, issuer, createdAt },
        clientSecret: clientSecret ?? before.clientSecret,
      });
      return null;
    },
    async remove(id) {
      providers.delete(id);
      for (const identity of identitiesOf(id)) identities.delete(identityKey(identity));
    },
    async listDependent(id) {
      return identitiesOf(id)
        .map(({ userId }) => tables.users.get(userId))
        .filter((user) => user?.status === 'active' && user.passwordHash === null)
        .flatMap((user) => (user === null ? [] : [user.id]))
        .sort();
    },
    async findIdentity(providerId, subject) {
      const found = identities.get(identityKey({ providerId, subject }));
      return found === null ? null : { ...found };
    },
    async makePerson(person, identity) {
      const refusal = refuseNewPerson(tables, person);
      if (refusal !== null) return refusal;
      putPerson(tables, person, {
        ...{ passwordHash: null, status: 'active', createdAt: identity.createdAt },
      });
      identities.set(identityKey(identity), { ...identity });
      return null;
    },
    async link(identity) {
      const isKnown =
        identities.get(identityKey(identity)) !== null ||
        identitiesOf(identity.providerId).some(({ userId }) => userId === identity.userId);
      if (!isKnown) identities.set(identityKey(identity), { ...identity });
      return !isKnown;
    },
    async unlink(providerId, userId) {
      const found = identitiesOf(providerId).find((each) => each.userId === userId);
      if (found === undefined || found.isMade) return false;
      identities.delete(identityKey(found));
      return true;
    },
    async recordSignIn(providerId, subject, at) {
      const key = identityKey({ providerId, subject });
      const found = identities.get(key);
      if (found !== null) identities.set(key, { ...found, lastSignInAt: at });
    },
  };
}

/** Ids contain no space, so no two keys collide. */
export function identityKey({
  providerId,
  subject,
}: Pick<FederatedIdentity, 'providerId' | 'subject'>): string {
  return `${providerId} ${subject}`;
}

function isVerifiedFor({ domains }: IdentityProvider, wanted: string): boolean {
  return domains.some(({ domain, isVerified }) => isVerified && domain === wanted);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
