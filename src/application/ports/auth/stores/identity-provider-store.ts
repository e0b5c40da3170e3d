import type { AccessScope } from '#domain/access/access-scope.ts';
import type { FederatedIdentity, IdentityProvider } from '#domain/access/identity-provider.ts';
import type { IdentityProviderId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AccountRefusal } from './account-store.ts';
import type { NewPerson } from './link-store.ts';

/** What a sign-in needs. */
export interface SignInProvider {
  readonly provider: IdentityProvider;
  /** Null if it was lost with its key (`ResealSecrets`). */
  readonly clientSecret: string | null;
}

export interface IdentityProviderReader {
  /** Providers whose owner the scope may change things for (`mayChangeFor`), by name, ties by id. */
  list(scope: AccessScope): Promise<readonly IdentityProvider[]>;
  /** Null if unknown or not in `list`. */
  find(scope: AccessScope, id: IdentityProviderId): Promise<IdentityProvider | null>;
  /** Across tenants: no caller is known yet. A domain finds the provider that has verified it. */
  findForSignIn(
    by: { readonly id: IdentityProviderId } | { readonly domain: string },
  ): Promise<SignInProvider | null>;
  /**
   * The providers that sign in this active person or could be linked: those of the person's organization, its
   * partner, or the partner that employs them. By name, ties by id. Empty for anybody else, and for platform
   * administrators.
   */
  listForPerson(userId: UserId): Promise<readonly PersonsProvider[]>;
}

export interface PersonsProvider {
  readonly provider: Pick<IdentityProvider, 'id' | 'name'>;
  /** Null if the provider is not linked. */
  readonly identity: FederatedIdentity | null;
}

/** The owner does not exist, or a domain is verified for another provider. */
export type ProviderRefusal = 'unknown-owner' | 'domain-taken';

/** Within a transaction of system scope. Callers check the reach. */
export interface IdentityProviderWriter {
  /** Locked until the transaction ends; null if unknown. */
  hold(id: IdentityProviderId): Promise<IdentityProvider | null>;
  /** A refusal changes nothing. */
  add(provider: IdentityProvider, clientSecret: string): Promise<ProviderRefusal | null>;
  /**
   * Stores settings and domains of a held provider. Owner, issuer and creation stay; a null secret keeps the old one.
   * A refusal changes nothing.
   */
  replace(provider: IdentityProvider, clientSecret: string | null): Promise<ProviderRefusal | null>;
  /** Removes a held provider with its domains and identities. */
  remove(id: IdentityProviderId): Promise<void>;
  /** Active people without a password whom the provider signs in, by id. They cannot sign in without the provider. */
  listDependent(id: IdentityProviderId): Promise<readonly UserId[]>;

  /** Locked until the transaction ends; null if the subject has not signed in here. */
  holdIdentity(providerId: IdentityProviderId, subject: string): Promise<FederatedIdentity | null>;
  /**
   * Adds an active person without a password, made by the provider. A refusal changes nothing, as in
   * `LinkWriter.invite`.
   */
  makePerson(person: NewPerson, identity: FederatedIdentity): Promise<AccountRefusal | null>;
  /** False, without any change, if the subject is linked or the person has another subject at the provider. */
  link(identity: FederatedIdentity): Promise<boolean>;
  /** False, without any change, if the provider is not linked or made the person. */
  unlink(providerId: IdentityProviderId, userId: UserId): Promise<boolean>;
  recordSignIn(providerId: IdentityProviderId, subject: string, at: EpochMs): Promise<void>;
}
