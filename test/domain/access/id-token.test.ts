import { describe, expect, test } from 'vitest';
import { readIdToken } from '#domain/access/id-token.ts';
import { ENTRA, ENTRA_OVERAGE, GOOGLE, KEYCLOAK, OKTA } from '#test/support/oidc/id-token-claims.ts';

const SIGNED_IN_AT = 1_795_499_990_000;

describe('reading the ID token of', () => {
  test('Entra', () => {
    expect(readIdToken(ENTRA, 'groups')).toStrictEqual({
      subject: ENTRA.sub,
      email: 'ines.moreau@kestrel.example',
      isEmailVerified: true,
      name: 'Inès Moreau',
      amr: ['pwd', 'mfa'],
      acr: null,
      signedInAt: SIGNED_IN_AT,
      groups: ENTRA.groups,
    });
    expect(readIdToken(ENTRA_OVERAGE, 'groups')?.groups).toStrictEqual([]);
  });

  test('Okta', () => {
    expect(readIdToken(OKTA, 'groups')).toStrictEqual({
      subject: '00uid4BxXw6I6TV4m0g3',
      email: 'tomasz.lind@varhaug.example',
      isEmailVerified: true,
      name: 'Tomasz Lind',
      amr: ['pwd', 'otp', 'mfa'],
      acr: null,
      signedInAt: SIGNED_IN_AT,
      groups: ['Everyone', 'Fleetsift Admins'],
    });
  });

  test('Google', () => {
    expect(readIdToken(GOOGLE, null)).toStrictEqual({
      subject: '10769150350006150715113082367',
      email: 'mei.tanaka@kestrel.example',
      isEmailVerified: true,
      name: 'Mei Tanaka',
      amr: [],
      acr: null,
      signedInAt: null,
      groups: [],
    });
  });

  test('Keycloak', () => {
    expect(readIdToken(KEYCLOAK, 'realm_access.roles')).toStrictEqual({
      subject: '9a9c2b0e-31ac-4f7c-9cfa-9d9a4f6e7a55',
      email: 'sagal@varhaug.example',
      isEmailVerified: false,
      name: 'Sagal Warsame',
      amr: [],
      acr: 'gold',
      signedInAt: SIGNED_IN_AT,
      groups: ['default-roles-staff', 'fleet-operators'],
    });
  });
});

test.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
  [null, false],
  [undefined, false],
  [[true], false],
  [{}, false],
  ['yes', false],
])('an email with email_verified %j is verified: %j', (claim, isEmailVerified) => {
  expect(readIdToken({ sub: 'x', email: 'a@b.example', email_verified: claim }, null)).toMatchObject({
    isEmailVerified,
  });
});

test.each([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
])('an email with xms_edov %j is verified: %j', (claim, isEmailVerified) => {
  expect(readIdToken({ sub: 'x', xms_edov: claim }, null)).toMatchObject({ isEmailVerified });
});

test('an email_verified of false takes precedence over xms_edov', () => {
  const claims = { sub: 'x', email_verified: false, xms_edov: true };
  expect(readIdToken(claims, null)).toMatchObject({ isEmailVerified: false });
});

test.each([undefined, null, '', 7, 'ä', 'a\n', 'x'.repeat(256), ['x']])('sub %j is refused', (sub) =>
  expect(readIdToken({ sub }, null)).toBeNull(),
);

test('groups are found by the whole claim name first, which may be a URL', () => {
  const claims = { sub: 'x', 'https://example.com/groups': ['a'], 'a.b': ['whole'], a: { b: ['path'] } };
  expect(readIdToken(claims, 'https://example.com/groups')?.groups).toStrictEqual(['a']);
  expect(readIdToken(claims, 'a.b')?.groups).toStrictEqual(['whole']);
});

test.each([
  ['a single text is a group', { groups: 'ops' }, ['ops']],
  ['an element that is not a text is dropped', { groups: ['ops', 7, null, ['x']] }, ['ops']],
  ['an object has no groups', { groups: { ops: true } }, []],
  ['an absent claim has no groups', {}, []],
])('%s', (_, claims, groups) => {
  expect(readIdToken({ sub: 'x', ...claims }, 'groups')?.groups).toStrictEqual(groups);
});

test('inherited members do not count as claims', () => {
  expect(readIdToken({ sub: 'x' }, 'constructor.name')?.groups).toStrictEqual([]);
});
