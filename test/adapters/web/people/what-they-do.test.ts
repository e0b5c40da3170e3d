/** What a person can do, in words (Contract: §16). */
import { describe, expect, test } from 'vitest';
import { mayDoShortly, placeOf, sentencesOf } from '#console/pages/people/what-they-do.ts';

const READER = {
  scope: 'organization' as const,
  organization: { id: 'k', name: 'Kestrel Lane' },
  partner: null,
  orgIds: null,
  permissions: [],
  isPlatformAdmin: false,
};

const STAFF = {
  ...READER,
  scope: 'partner' as const,
  organization: null,
  partner: { id: 'n', name: 'Northgate IT' },
};

const NAMES = new Map([
  ['k', 'Kestrel Lane'],
  ['v', 'Varhaug'],
  ['b', 'Borealis'],
  ['a', 'Arden'],
]);
const nameOf = (id: string) => NAMES.get(id);

test.each([
  ['an organization', READER, 'Kestrel Lane'],
  ['a whole partner', STAFF, 'all organizations of Northgate IT'],
  ['one of a partner', { ...STAFF, orgIds: ['v'] }, 'Varhaug'],
  ['three of a partner', { ...STAFF, orgIds: ['k', 'v', 'b'] }, 'Kestrel Lane, Varhaug and Borealis'],
  ['many of a partner', { ...STAFF, orgIds: [...NAMES.keys()] }, '4 organizations of Northgate IT'],
  ['some whose names are unknown', { ...STAFF, orgIds: ['k', 'x'] }, '2 organizations of Northgate IT'],
  ['none of a partner', { ...STAFF, orgIds: [] }, '0 organizations of Northgate IT'],
  ['everything', { ...READER, scope: 'system' as const, organization: null }, 'every organization'],
])('the place is put into words: %s', (_, person, expected) => {
  expect(placeOf(person, nameOf)).toBe(expected);
});

describe('the sentences', () => {
  test('say what a reader can do', () => {
    expect(sentencesOf(READER, nameOf)).toStrictEqual(['Reads everything of Kestrel Lane.']);
    expect(mayDoShortly(READER)).toBe('Reads');
  });

  test('say what an administrator of two organizations can do', () => {
    const person = { ...STAFF, orgIds: ['k', 'v'], permissions: ['users:write', 'devices:write'] };
    expect(sentencesOf(person, nameOf)).toStrictEqual([
      'Reads everything of Kestrel Lane and Varhaug.',
      'Administers people of Kestrel Lane and Varhaug and reads the audit log.',
      'Edits devices of Kestrel Lane and Varhaug and defines custom fields.',
    ]);
    expect(mayDoShortly(person)).toBe('Reads, administers people, edits devices');
  });

  test('name a permission that has no words, and the rights of a platform administrator', () => {
    const person = { ...READER, permissions: ['scripts:run'], isPlatformAdmin: true };
    expect(sentencesOf(person, nameOf)).toStrictEqual([
      'Reads everything of Kestrel Lane.',
      'Holds scripts:run for Kestrel Lane.',
      'Administers the platform and decides deletion requests.',
    ]);
  });
});
