/** GET /users (Contract: §16). */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import { refuseWithoutUsersWrite } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  PARTNER_NOT_FOUND,
  PERSON_NOT_FOUND,
} from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { type Page, toPage } from '#application/page.ts';
import type { PeopleQuery, PeopleReader } from '#application/ports/people/people-store.ts';
import { mayChangeFor } from '#domain/access/ownership.ts';
import type { Person, PersonPlace } from '#domain/access/person.ts';
import type { UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { foldCase, sortedName } from '#domain/text/fold-case.ts';
import { trimText } from '#domain/text/storable-text.ts';

export interface PeopleListQuery extends Omit<PeopleQuery, 'foldedText'> {
  /** Part of name or email, ignoring case and surrounding spaces; blank matches all. */
  readonly search: string;
}

/** Needs users:write. `not_found` if the organization or partner is unknown or out of reach. */
export type ListPeople = (
  call: Call,
  query: PeopleListQuery,
) => Promise<Result<Page<Person, PersonPlace>, ApplicationError>>;

/** Needs users:write. */
export type ReadPerson = (call: Call, id: UserId) => Promise<Result<Person, ApplicationError>>;

export interface ReadPeopleDeps {
  readonly peopleReader: PeopleReader;
  readonly narrowReach: NarrowReach;
}

export function makeListPeople({ peopleReader, narrowReach }: ReadPeopleDeps): ListPeople {
  return async (call, { search, ...query }) => {
    const refusal = refuseWithoutUsersWrite(call);
    if (refusal !== null) return err(refusal);
    const { scope } = call.caller;
    const narrowed = await narrowReach(call, query.orgId);
    if (!narrowed.ok) return narrowed;
    const { partnerId } = query;
    if (partnerId !== null && !mayChangeFor(scope, { kind: 'partner', partnerId })) {
      return err(PARTNER_NOT_FOUND);
    }
    const foldedText = foldCase(trimText(search));
    const found = await peopleReader.list(scope, { ...query, foldedText, limit: query.limit + 1 });
    return ok(toPage(found, query.limit, ({ name, id }) => ({ name: sortedName(name), id })));
  };
}

export function makeReadPerson({ peopleReader }: Pick<ReadPeopleDeps, 'peopleReader'>): ReadPerson {
  return async (call, id) => {
    const refusal = refuseWithoutUsersWrite(call);
    if (refusal !== null) return err(refusal);
    const person = await peopleReader.find(call.caller.scope, id);
    return person === null ? err(PERSON_NOT_FOUND) : ok(person);
  };
}
