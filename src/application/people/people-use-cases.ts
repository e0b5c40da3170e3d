import { makeNarrowReach } from '#application/access/narrow-reach.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import type { PeopleReader } from '#application/ports/people/people-store.ts';
import { type ListPeople, makeListPeople, makeReadPerson, type ReadPerson } from './read-people.ts';

/** What administrators do about people (Contract: §16). Each checks the caller and the input, and records changes. */
export interface PeopleUseCases {
  readonly listPeople: ListPeople;
  readonly readPerson: ReadPerson;
}

export interface PeoplePorts {
  readonly peopleReader: PeopleReader;
  readonly organizationExists: OrganizationDirectory;
}

export function makePeopleUseCases(ports: PeoplePorts): PeopleUseCases {
  const deps = { ...ports, narrowReach: makeNarrowReach(ports) };
  return { listPeople: makeListPeople(deps), readPerson: makeReadPerson(deps) };
}
