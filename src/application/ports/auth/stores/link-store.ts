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
  /** Makes an invited person active and removes the person's links. */
  accept(userId: UserId, accepted: { readonly name: string; readonly passwordHash: string }): Promise<void>;
  /** Adds the first administrator as an active person with a password. */
  addAdministrator(person: NewPerson, passwordHash: string, at: EpochMs): Promise<void>;
  /** True if anyone exists who is not erased. */
  hasPeople(): Promise<boolean>;
  /**
   * Adds a link that expires after `lifetimeMs` (default: `LINK_LIFETIME_MS`), and removes expired ones. A person
   * keeps the newest `GOOD_AT_ONCE` links of each purpose. No effect if the person cannot have such a link
   * (`isLinkGood`).
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
   * Finds the person of a good link (`isLinkGood`) and locks both until the transaction ends; `nobody` for the first
   * run. Null if the link is unknown, used, void, expired or for another purpose.
   */
  hold(tokenSha256: string, purpose: LinkPurpose, now: EpochMs): Promise<LinkedAccount | 'nobody' | null>;
  /** Null removes the links of the first run. */
  removeLinks(userId: UserId | null): Promise<void>;
  /**
   * Stores a request for a link. The same statement runs whether or not the account exists, so its time does not
   * reveal accounts.
   */
  requestReset(email: string, at: EpochMs): Promise<void>;
  /**
   * Removes the oldest request and returns the active person who has its email and a password, or `nobody`. Null if
   * there is no request. Until this transaction ends, others skip the request.
   */
  takeResetRequest(): Promise<LinkedAccount | 'nobody' | null>;
}
