import type { AccessScope } from '#domain/access/access-scope.ts';
import type { FederatedIdentity, IdentityProvider } from '#domain/access/identity-provider.ts';
import type { IdentityProviderId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AccountRefusal } from './account-store.ts';
import type { NewPerson } from './link-store.ts';

/** What a sign-in at a provider needs. */
export interface SignInProvider {
  readonly provider: IdentityProvider;
  /** Null if `ResealSecrets` discarded it because its key was lost. */
  readonly clientSecret: string | null;
}

export interface IdentityProviderReader {
  /** Providers of owners that the scope may change (`mayChangeFor`), by name, then id. */
  list(scope: AccessScope): Promise<readonly IdentityProvider[]>;
  /** Null unless the provider is one of `list`. */
  find(scope: AccessScope, id: IdentityProviderId): Promise<IdentityProvider | null>;
  /**
   * Searches all tenants, because no caller is known yet. `domain` finds the provider for which this domain
   * is verified.
   */
  findForSignIn(
    by: { readonly id: IdentityProviderId } | { readonly domain: string },
  ): Promise<SignInProvider | null>;
  /**
   * Providers that this person has linked or could link, by name, then id.
   * - For a person of an organization: the providers of the organization and of its partner.
   * - For a partner's staff: the providers of the partner.
   * - For inactive people and platform administrators: none.
   */
  listForPerson(userId: UserId): Promise<readonly PersonsProvider[]>;
}

export interface PersonsProvider {
  readonly provider: Pick<IdentityProvider, 'id' | 'name'>;
  /** Null if not linked. */
  readonly identity: FederatedIdentity | null;
}

/** `domain-taken`: a domain is verified for another provider. */
export type ProviderRefusal = 'unknown-owner' | 'domain-taken';

/** Works within a transaction of system scope. The caller checks the reach. */
export interface IdentityProviderWriter {
  /** Locks the provider until the transaction ends; null if unknown. */
  hold(id: IdentityProviderId): Promise<IdentityProvider | null>;
  /** A refusal changes nothing. */
  add(provider: IdentityProvider, clientSecret: string): Promise<ProviderRefusal | null>;
  /**
   * Stores the settings and domains of a locked provider. Owner, issuer and creation time do not change. A null
   * secret keeps the old one. A refusal changes nothing.
   */
  replace(provider: IdentityProvider, clientSecret: string | null): Promise<ProviderRefusal | null>;
  /** Removes a locked provider with its domains and identities. */
  remove(id: IdentityProviderId): Promise<void>;
  /** Active people without a password who sign in through this provider, in the order of ids. */
  listDependent(id: IdentityProviderId): Promise<readonly UserId[]>;

  /**
   * Null if the subject is linked to no one. Takes no lock: a sign-in locks the person before the identity, and the
   * opposite order could deadlock.
   */
  findIdentity(providerId: IdentityProviderId, subject: string): Promise<FederatedIdentity | null>;
  /** Adds an active person without a password, linked to the identity. Refuses as `LinkWriter.invite` does. */
  makePerson(person: NewPerson, identity: FederatedIdentity): Promise<AccountRefusal | null>;
  /** False, without any change, if the subject is already linked, or the person has another subject at the provider. */
  link(identity: FederatedIdentity): Promise<boolean>;
  /** False, without any change, if the provider is not linked to the person, or if it created the person (`isMade`). */
  unlink(providerId: IdentityProviderId, userId: UserId): Promise<boolean>;
  recordSignIn(providerId: IdentityProviderId, subject: string, at: EpochMs): Promise<void>;
}
