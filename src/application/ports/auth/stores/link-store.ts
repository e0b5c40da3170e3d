/**
 * Invited people, and the links of invitations, password resets and the first run. Works within a transaction of
 * system scope.
 */
import type { LinkPurpose } from '#domain/access/account-link.ts';
import type { LoadedUserRecord, Membership } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AccountRefusal } from './account-store.ts';

export type NewPerson = Pick<
  LoadedUserRecord,
  'id' | 'email' | 'name' | 'membership' | 'permissions' | 'isPlatformAdmin'
>;

export interface LinkedAccount {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string;
  readonly membership: Membership;
}

export interface LinkWriter {
  /**
   * Adds a person with status `invited`. Refuses, without any change, if a person who is not erased has the email,
   * ignoring case, or if the organization or partner does not exist.
   */
  invite(person: NewPerson, at: EpochMs): Promise<AccountRefusal | null>;
  /** Makes an invited person active and removes their links. */
  accept(userId: UserId, accepted: { readonly name: string; readonly passwordHash: string }): Promise<void>;
  addAdministrator(person: NewPerson, passwordHash: string, at: EpochMs): Promise<void>;
  /** Whether anyone exists who is not erased. */
  hasPeople(): Promise<boolean>;
  /**
   * Adds a link that expires after `lifetimeMs` (default: `LINK_LIFETIME_MS`), and removes expired ones. A
   * person keeps the newest `GOOD_AT_ONCE` links of each purpose. No effect if the person cannot have a link
   * for this purpose (`isLinkGood`).
   */
  addLink(link: {
    readonly purpose: LinkPurpose;
    /** Null for the link of the first run. */
    readonly userId: UserId | null;
    readonly tokenSha256: string;
    readonly at: EpochMs;
    readonly lifetimeMs?: number;
  }): Promise<void>;
  /**
   * Finds the person of a good link (`isLinkGood`), and locks both until the transaction ends. `nobody` if the link is
   * for the first run. Null if the link is unknown, used, void, expired or for another purpose.
   */
  hold(tokenSha256: string, purpose: LinkPurpose, now: EpochMs): Promise<LinkedAccount | 'nobody' | null>;
  /** Removes the person's links. Null removes those of the first run. */
  removeLinks(userId: UserId | null): Promise<void>;
  /** Stores a request for a link. The same statement runs with or without an account, so timing reveals no account. */
  requestReset(email: string, at: EpochMs): Promise<void>;
  /**
   * Takes the oldest request. Returns the active person who has its email and a password, or `nobody` if
   * there is none. Null if no request is stored. Until this transaction ends, other calls skip the request.
   */
  takeResetRequest(): Promise<LinkedAccount | 'nobody' | null>;
}
