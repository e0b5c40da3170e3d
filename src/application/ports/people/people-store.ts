import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Attribution } from '#domain/access/ownership.ts';
import type { ChangeablePerson, Person, PersonPlace, PersonStatus } from '#domain/access/person.ts';
import type { AdministratorRole } from '#domain/access/rights.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';

/** Null members do not restrict. */
export interface PeopleQuery {
  /** Part of name or email, folded (`foldCase`); empty matches all. */
  readonly foldedText: string;
  /** Only people of this organization, without its partner's staff. */
  readonly orgId: OrgId | null;
  /** Only the partner's own staff. */
  readonly partnerId: PartnerId | null;
  readonly status: PersonStatus | null;
  /** Null: from the first person. */
  readonly after: PersonPlace | null;
  /** 1 or more. */
  readonly limit: number;
}

/** People in reach (`isWithinReach`), without erased ones. */
export interface PeopleReader {
  /** In the order of `comparePeople`. */
  list(scope: AccessScope, query: PeopleQuery): Promise<readonly Person[]>;
  /** Null if unknown, erased or out of reach. */
  find(scope: AccessScope, id: UserId): Promise<Person | null>;
}

/** Within a transaction, limited to its scope. */
export interface PeopleWriter {
  /** Locked until the transaction ends; null if unknown, erased or out of reach. */
  hold(id: UserId): Promise<ChangeablePerson | null>;
  /**
   * Stores name, rights, place and status of a held person. Another place or status voids all tokens. Throws if the
   * new place is out of reach.
   */
  replace(person: ChangeablePerson): Promise<void>;
  /** True if the partner exists and the organizations are the partner's. */
  placeExists(membership: Membership): Promise<boolean>;
  /**
   * True if an active or invited person has the email, in any case. Other transactions that ask about the email wait
   * until this one ends.
   */
  isEmailTaken(person: Pick<ChangeablePerson, 'email'>): Promise<boolean>;
  /** The roles that no other active person of the service has. Other calls wait until this transaction ends. */
  rolesOfNobodyElse(id: UserId): Promise<readonly AdministratorRole[]>;
  /** Active holders of the permission who reach the tenant, by id, without those of system scope. System scope only. */
  findHolders(permission: string, attribution: Attribution): Promise<readonly MailRecipient[]>;
}
