import type { PrintCursor } from '#adapters/http/answer/respond-list.ts';
import type { Page } from '#application/page.ts';
import { attributionOf } from '#domain/access/ownership.ts';
import type { Person as FoundPerson, PersonPlace } from '#domain/access/person.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type { PeoplePage, Person } from './people-shapes.ts';

export function presentPerson(person: FoundPerson): string {
  return JSON.stringify(toPerson(person));
}

export function presentPeople(
  { items, next }: Page<FoundPerson, PersonPlace>,
  print: PrintCursor<PersonPlace>,
): string {
  const nextCursor = next === null ? null : print(next);
  return JSON.stringify({ data: items.map(toPerson), nextCursor } satisfies PeoplePage);
}

function toPerson(person: FoundPerson): Person {
  const { membership, organization, partner, mfa, identityProvider, lastSignInAt } = person;
  return {
    id: person.id,
    email: person.email,
    name: person.name,
    scope: membership.scope,
    ...attributionOf(membership),
    orgIds: membership.scope === 'partner' ? membership.orgIds : null,
    organization: organization && { id: organization.id, name: organization.name },
    partner: partner && { id: partner.id, name: partner.name },
    permissions: person.permissions,
    isPlatformAdmin: person.isPlatformAdmin,
    status: person.status,
    mfa: { totp: mfa.totp, passkeys: mfa.passkeys },
    identityProvider: identityProvider && { id: identityProvider.id, name: identityProvider.name },
    lastSignInAt: lastSignInAt === null ? null : printInstant(lastSignInAt),
    createdAt: printInstant(person.createdAt),
  };
}
