/** Identity providers, and whom they sign in. */
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
  /** The providers whose owner the scope may change things for (`mayChangeFor`), by name, ties by id. */
  list(scope: AccessScope): Promise<readonly IdentityProvider[]>;
  /** Null if unknown or not in `list`. */
  find(scope: AccessScope, id: IdentityProviderId): Promise<IdentityProvider | null>;
  /** Across tenants: no caller is known yet. A domain finds the provider for which it is verified. */
  findForSignIn(
    by: { readonly id: IdentityProviderId } | { readonly domain: string },
  ): Promise<SignInProvider | null>;
  /**
   * The providers that sign in this active person, or could be linked to them: those of their organization, its partner, or
   * the partner whose staff they are. By name, ties by id. Empty for anybody else,
   * and for platform administrators.
   */
  listForPerson(userId: UserId): Promise<readonly PersonsProvider[]>;
}

export interface PersonsProvider {
  readonly provider: Pick<IdentityProvider, 'id' | 'name'>;
  /** Null if it does not sign the person in. */
  readonly identity: FederatedIdentity | null;
}

/** The owner does not exist, or a domain is verified for another provider. */
export type ProviderRefusal = 'unknown-owner' | 'domain-taken';

/** Changes providers within a transaction of system scope. Callers check the reach. */
export interface IdentityProviderWriter {
  /** Locked until the transaction ends; null if unknown. */
  hold(id: IdentityProviderId): Promise<IdentityProvider | null>;
  /** Refused without any change. */
  add(provider: IdentityProvider, clientSecret: string): Promise<ProviderRefusal | null>;
  /**
   * Stores the settings and domains of a held provider. Refused without any change. Owner, issuer and creation stay, and so
   * does a secret that is null.
   */
  replace(provider: IdentityProvider, clientSecret: string | null): Promise<ProviderRefusal | null>;
  /** Removes a held provider with its domains and identities. */
  remove(id: IdentityProviderId): Promise<void>;
  /** The active people without a password whom the provider signs in, by id. Without it they cannot sign in. */
  listDependent(id: IdentityProviderId): Promise<readonly UserId[]>;

  /** Locked until the transaction ends; null if the provider has not signed in the subject here. */
  holdIdentity(providerId: IdentityProviderId, subject: string): Promise<FederatedIdentity | null>;
  /**
   * Adds an active person without a password, whom the provider made. Refused, without any change, as `LinkWriter.invite`
   * refuses.
   */
  makePerson(person: NewPerson, identity: FederatedIdentity): Promise<AccountRefusal | null>;
  /** False, without any change, if the subject is known or the person has another subject at the provider. */
  link(identity: FederatedIdentity): Promise<boolean>;
  /** The provider no longer signs in the person. False, without any change, if it does not, or if it made the person. */
  unlink(providerId: IdentityProviderId, userId: UserId): Promise<boolean>;
  /** Records a sign-in. */
  recordSignIn(providerId: IdentityProviderId, subject: string, at: EpochMs): Promise<void>;
}
