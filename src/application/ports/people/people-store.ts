import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Attribution } from '#domain/access/ownership.ts';
import type { ChangeablePerson, Person, PersonPlace, PersonStatus } from '#domain/access/person.ts';
import type { AdministratorRole } from '#domain/access/rights.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';

/** Null members do not restrict the list. */
export interface PeopleQuery {
  /** Part of name or email, folded (`foldCase`); empty matches all. */
  readonly foldedText: string;
  /** Only people of this organization, without its partner's staff. */
  readonly orgId: OrgId | null;
  /** Only the partner's own staff. */
  readonly partnerId: PartnerId | null;
  readonly status: PersonStatus | null;
  /** Null starts with the first person. */
  readonly after: PersonPlace | null;
  /** 1 or more. */
  readonly limit: number;
}

/** People in reach (`isWithinReach`), except erased ones. */
export interface PeopleReader {
  /** In the order of `comparePeople`. */
  list(scope: AccessScope, query: PeopleQuery): Promise<readonly Person[]>;
  /** Null if unknown, erased or out of reach. */
  find(scope: AccessScope, id: UserId): Promise<Person | null>;
}

/** Works within a transaction, limited to its scope. */
export interface PeopleWriter {
  /** Locks the person until the transaction ends. Null if unknown, erased or out of reach. */
  hold(id: UserId): Promise<ChangeablePerson | null>;
  /**
   * Stores the name, rights, membership and status of a person locked by `hold`. A change of membership or status voids all tokens.
   * Throws if the new membership is out of reach.
   */
  replace(person: ChangeablePerson): Promise<void>;
  /** Whether the partner exists and has all the organizations. */
  placeExists(membership: Membership): Promise<boolean>;
  /**
   * Whether an active or invited person has the email, ignoring case. Other transactions that ask about the same email
   * wait until this one ends.
   */
  isEmailTaken(person: Pick<ChangeablePerson, 'email'>): Promise<boolean>;
  /** The roles that no active person but this one has. Other calls wait until the transaction ends. */
  rolesOfNobodyElse(id: UserId): Promise<readonly AdministratorRole[]>;
  /**
   * Active people with the permission who reach the tenant, by id, without people of system scope. The transaction must
   * have system scope.
   */
  findHolders(permission: string, attribution: Attribution): Promise<readonly MailRecipient[]>;
}
