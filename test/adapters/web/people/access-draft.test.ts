/** A form offers the access that the rule allows (Contract: §16, "Rights"). */
import { describe, expect, test } from 'vitest';
import type { Organization, Person } from '#adapters/http/api-types.ts';
import {
  draftOf,
  faultsOf,
  partnerIn,
  permissionsToGive,
  placesToGive,
  toAccess,
} from '#console/pages/people/access-draft.ts';
import { giverOf, holdOn } from '#console/pages/people/rights.ts';
import type { OrgId } from '#domain/ids.ts';

const [kestrel, varhaug] = ['k' as OrgId, 'v' as OrgId];
const ORGANIZATIONS = [
  { id: kestrel, name: 'Kestrel Lane', partnerId: 'n', partnerName: 'Northgate IT' },
  { id: varhaug, name: 'Varhaug', partnerId: 'n', partnerName: 'Northgate IT' },
] as unknown as readonly Organization[];
const PARTNERS = [{ id: 'n', name: 'Northgate IT' }];

const OWNER = { scope: 'organization', orgId: kestrel, partnerId: null, orgIds: null } as const;
const USER = { id: 'u', permissions: ['users:write'], isPlatformAdmin: false } as const;
const ofOne = giverOf({ ...USER, ...OWNER }, [], false);
const partner = { ...USER, scope: 'partner', orgId: null, partnerId: 'n' } as const;
const ofPartner = giverOf(partner, [kestrel, varhaug], true);
const ofSome = giverOf(partner, [varhaug], false);
const ofAll = giverOf({ ...USER, scope: 'system', orgId: null, partnerId: null }, [], false);

const placesOf = (giver: typeof ofOne) => Object.keys(placesToGive(giver, ORGANIZATIONS, PARTNERS));

describe('the places that can be given', () => {
  test.each([
    ['an organization', ofOne, ['organization:k']],
    ['some organizations of a partner', ofSome, ['organization:v']],
    ['a partner', ofPartner, ['organization:k', 'organization:v', 'partner:n']],
    ['everything', ofAll, ['organization:k', 'organization:v', 'partner:n', 'system']],
  ])('by an administrator of %s are those in reach', (_, giver, expected) => {
    expect(placesOf(giver)).toStrictEqual(expected);
  });

  test('name the partner if there are several', () => {
    const places = placesToGive(ofAll, ORGANIZATIONS, [...PARTNERS, { id: 'o', name: 'Other' }]);
    expect(places['organization:k']).toBe('Kestrel Lane (Northgate IT)');
  });
});

test('nobody can give a permission that they lack', () => {
  expect(permissionsToGive(ofOne)).toStrictEqual(['users:write']);
});

describe('a draft', () => {
  const permissions = ['users:write'];

  test.each([
    [OWNER, { scope: 'organization', orgId: 'k', permissions }],
    [
      { scope: 'partner', orgId: null, partnerId: 'n', orgIds: null },
      { scope: 'partner', partnerId: 'n', orgIds: null, permissions },
    ],
    [
      { scope: 'partner', orgId: null, partnerId: 'n', orgIds: ['v'] },
      { scope: 'partner', partnerId: 'n', orgIds: ['v'], permissions },
    ],
    [
      { scope: 'system', orgId: null, partnerId: null, orgIds: null },
      { scope: 'system', permissions },
    ],
  ] as const)('of %j is sent unchanged', (owner, access) => {
    expect(toAccess(draftOf({ ...owner, permissions }))).toStrictEqual(access);
  });

  test('needs a place, and an organization if access is limited to some', () => {
    expect(faultsOf({ place: '', orgIds: null, permissions }).place).not.toBeNull();
    expect(faultsOf({ place: 'partner:n', orgIds: [], permissions }).orgIds).not.toBeNull();
    expect(faultsOf({ place: 'partner:n', orgIds: null, permissions })).toStrictEqual({
      place: null,
      orgIds: null,
    });
    expect(partnerIn({ place: 'partner:n', orgIds: null, permissions })).toBe('n');
  });
});

describe('a user', () => {
  const person = { ...OWNER, id: 'p', permissions: ['users:write'], isPlatformAdmin: false };

  test.each([
    ['may change somebody with the same rights', ofOne, {}, 'may-change'],
    ['may not change themselves', ofOne, { id: 'u' }, 'own-account'],
    ['may not change somebody with another permission', ofOne, { permissions: ['devices:write'] }, 'beyond'],
    ['may not change a platform administrator', ofAll, { isPlatformAdmin: true }, 'beyond'],
    ['may not change somebody elsewhere', ofSome, {}, 'beyond'],
  ])('%s', (_, giver, given, expected) => {
    expect(holdOn(giver, { ...person, ...given } as unknown as Person)).toBe(expected);
  });
});
