import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Person, PersonPlace, PersonStatus } from '#domain/access/person.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';

/** Selects people and a page of them. Null members do not restrict. */
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

/** People in reach (`isWithinReach`). Erased people are left out. */
export interface PeopleReader {
  /** In the order of `comparePeople`. */
  list(scope: AccessScope, query: PeopleQuery): Promise<readonly Person[]>;
  /** Null if unknown, erased or out of reach. */
  find(scope: AccessScope, id: UserId): Promise<Person | null>;
}
