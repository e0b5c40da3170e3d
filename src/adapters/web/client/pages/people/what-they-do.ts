import type { Person } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';

const said = words.people;

type PersonsRights = Pick<
  Person,
  'scope' | 'organization' | 'partner' | 'orgIds' | 'permissions' | 'isPlatformAdmin'
>;

export type NameOf = (orgId: string) => string | undefined;

const MAX_NAMED = 3;

/** For example "Kestrel Lane", "Kestrel Lane and Varhaug" or "all organizations of Northgate IT". */
export function placeOf({ scope, organization, partner, orgIds }: PersonsRights, nameOf: NameOf): string {
  if (scope === 'system') return said.places.system;
  if (scope === 'organization') return organization?.name ?? '—';
  const partnerName = partner?.name ?? '—';
  if (orgIds === null) return said.places.partner(partnerName);
  const names = orgIds.map(nameOf).filter((name) => name !== undefined);
  if (names.length === 0 || names.length < orgIds.length || names.length > MAX_NAMED) {
    return said.places.some(orgIds.length, partnerName);
  }
  return names.length === 1 ? (names[0] as string) : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Like `placeOf`, with a capital letter. Names stay as they are. */
export function placeTitle(person: PersonsRights, nameOf: NameOf): string {
  const place = placeOf(person, nameOf);
  const isPhrase = person.scope === 'system' || (person.scope === 'partner' && person.orgIds === null);
  return isPhrase ? capitalized(place) : place;
}

/** Such as "Reads everything of Kestrel Lane, administers people of Kestrel Lane and reads the audit log." */
export function sentencesOf(person: PersonsRights, nameOf: NameOf): readonly string[] {
  const place = placeOf(person, nameOf);
  const { does } = said;
  const phrases = [
    does.reads(place),
    ...person.permissions.map((permission) =>
      permission === 'users:write' || permission === 'devices:write'
        ? does[permission](place)
        : does.other(permission, place),
    ),
    ...(person.isPlatformAdmin ? [does.platformAdmin] : []),
  ];
  return phrases.map((phrase) => `${capitalized(phrase)}.`);
}

function capitalized(phrase: string): string {
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/** The short text in the list of people, such as "Reads, administers people". */
export function mayDoShortly({ permissions, isPlatformAdmin }: PersonsRights): string {
  const { doesShortly } = said;
  return [
    doesShortly.reads,
    ...permissions.map((permission) =>
      permission === 'users:write' || permission === 'devices:write' ? doesShortly[permission] : permission,
    ),
    ...(isPlatformAdmin ? [doesShortly.platformAdmin] : []),
  ].join(', ');
}
