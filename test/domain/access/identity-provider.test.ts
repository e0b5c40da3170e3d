import { describe, expect, test } from 'vitest';
import { readIdToken } from '#domain/access/id-token.ts';
import {
  countsAsMfa,
  type GroupRights,
  type IdentityProvider,
  isFreshSignIn,
  maySignIn,
  rightsByToken,
  rightsOfProvider,
} from '#domain/access/identity-provider.ts';
import { DEVICES_WRITE, USERS_WRITE } from '#domain/access/permission.ts';
import {
  domainOf,
  parseDomain,
  refuseProvision,
  verificationRecord,
} from '#domain/access/provider-domain.ts';
import { mayGive } from '#domain/access/rights.ts';
import type { Membership, Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { anIdentityProvider, newId } from '#test/support/builders.ts';
import { ENTRA, ENTRA_OVERAGE, GOOGLE, KEYCLOAK, OKTA } from '#test/support/oidc/id-token-claims.ts';

const [p, q] = [newId<'partner'>(), newId<'partner'>()];
const [a, b, c] = [newId(), newId(), newId()].sort() as [OrgId, OrgId, OrgId];
const OF_P: Owner = { kind: 'partner', partnerId: p };
const OF_A: Owner = { kind: 'organization', orgId: a };

function facts(claims: Readonly<Record<string, unknown>>, groupsClaim: string | null = 'groups') {
  const read = readIdToken(claims, groupsClaim);
  if (read === null) throw new Error('the token has no sub');
  return read;
}

function group(
  name: string,
  permissions: readonly string[],
  orgIds: readonly OrgId[] | null = null,
): GroupRights {
  return { group: name, permissions, orgIds };
}

describe('rights by groups', () => {
  const provider = anIdentityProvider({
    owner: OF_P,
    permissions: [],
    groupsClaim: 'groups',
    groups: [
      group('Fleetsift Admins', [USERS_WRITE, DEVICES_WRITE]),
      group('North', [DEVICES_WRITE], [a]),
      group('South', [], [b]),
      group('Elsewhere', [], [c]),
    ],
  });
  const rightsOf = (groups: readonly string[], of: IdentityProvider = provider) =>
    rightsByToken(of, facts({ ...OKTA, groups }), [a, b]);
  const partnerOf = (orgIds: readonly OrgId[] | null): Membership => ({
    scope: 'partner',
    partnerId: p,
    orgIds,
  });

  test('are those of all groups together', () => {
    expect(rightsOf(['South', 'North'])).toStrictEqual({
      membership: partnerOf([a, b]),
      permissions: [DEVICES_WRITE],
      isPlatformAdmin: false,
    });
  });

  test('reach the whole partner if a group names no organizations', () => {
    expect(rightsByToken(provider, facts(OKTA), [a, b])).toStrictEqual({
      membership: partnerOf(null),
      permissions: [DEVICES_WRITE, USERS_WRITE],
      isPlatformAdmin: false,
    });
  });

  test('are those of the provider for a person without a known group', () => {
    const reading = { membership: partnerOf(null), permissions: [], isPlatformAdmin: false };
    expect(rightsOf([])).toStrictEqual(reading);
    expect(rightsOf(['fleetsift admins', 'Everyone'])).toStrictEqual(reading);
    expect(rightsByToken(provider, facts(GOOGLE), [a, b])).toStrictEqual(reading);
    expect(rightsByToken(provider, facts(ENTRA_OVERAGE), [a, b])).toStrictEqual(reading);
  });

  test('end when the person leaves the group', () => {
    const [admins] = ENTRA.groups as readonly string[];
    const entra = { ...provider, groups: [group(admins ?? '', [USERS_WRITE])] };
    expect(rightsByToken(entra, facts(ENTRA), [a, b]).permissions).toStrictEqual([USERS_WRITE]);
    expect(rightsByToken(entra, facts({ ...ENTRA, groups: [] }), [a, b]).permissions).toStrictEqual([]);
  });

  test('never reach an organization of another partner', () => {
    expect(rightsOf(['Elsewhere', 'North']).membership).toStrictEqual(partnerOf([a]));
    expect(rightsOf(['Elsewhere']).membership).toStrictEqual(partnerOf([]));
  });

  test('stay in the organization of its provider, whatever a group names', () => {
    const ofOrganization = { ...provider, owner: OF_A };
    for (const name of ['South', 'Elsewhere', 'Fleetsift Admins', 'none']) {
      const { membership, isPlatformAdmin } = rightsOf([name], ofOrganization);
      expect(membership).toStrictEqual({ scope: 'organization', orgId: a });
      expect(isPlatformAdmin).toBe(false);
    }
  });

  test('come from the claim that the provider names', () => {
    const keycloak = {
      ...provider,
      groupsClaim: 'realm_access.roles',
      groups: [group('fleet-operators', [DEVICES_WRITE], [b]), group('/staff/it', [USERS_WRITE])],
    };
    expect(rightsByToken(keycloak, facts(KEYCLOAK, keycloak.groupsClaim), [a, b])).toStrictEqual({
      membership: partnerOf([b]),
      permissions: [DEVICES_WRITE],
      isPlatformAdmin: false,
    });
  });
});

test('a person who lacks a right that the provider gives may not set up the provider', () => {
  const userId = newId<'user'>();
  const held = { userId, permissions: new Set([USERS_WRITE]), isPlatformAdmin: false };
  const whole = { kind: 'partner', partnerId: p, orgIds: [a, b], isWhole: true } as const;
  const some = { ...whole, orgIds: [a], isWhole: false };
  const plain = rightsOfProvider(anIdentityProvider({ owner: OF_P, permissions: [USERS_WRITE] }));
  const groups = [group('x', [DEVICES_WRITE])];
  expect(mayGive({ ...held, scope: whole }, plain)).toBe(true);
  expect(mayGive({ ...held, scope: some }, plain)).toBe(false);
  expect(
    mayGive({ ...held, scope: whole }, rightsOfProvider(anIdentityProvider({ owner: OF_P, groups }))),
  ).toBe(false);
  const ofA = rightsOfProvider(anIdentityProvider({ owner: OF_A }));
  expect(mayGive({ ...held, scope: some }, ofA)).toBe(true);
  expect(mayGive({ ...held, scope: { kind: 'organization', orgId: b } }, ofA)).toBe(false);
});

describe('a second factor at the provider', () => {
  const trusting = { trustsMfa: true, acrValues: ['gold'] };

  test.each([
    ['Entra', ENTRA, true],
    ['Okta', OKTA, true],
    ['Google', GOOGLE, false],
    ['Keycloak', KEYCLOAK, true],
    ['a hardware key', { sub: 'x', amr: ['hwk'] }, true],
    ['a code', { sub: 'x', amr: ['otp'] }, true],
    ['a password', { sub: 'x', amr: ['pwd'] }, false],
    ['a text message', { sub: 'x', amr: ['sms', 'pwd'] }, false],
    ['another level', { sub: 'x', acr: 'silver' }, false],
    ['a level in a list', { sub: 'x', acr: ['gold'] }, false],
    ['nothing', { sub: 'x' }, false],
  ])('is judged by the claims of %s: %j', (_, claims, counts) => {
    expect(countsAsMfa(trusting, facts(claims))).toBe(counts);
    expect(countsAsMfa({ ...trusting, trustsMfa: false }, facts(claims))).toBe(false);
  });

  test('does not count at a level that the provider does not name', () => {
    expect(countsAsMfa({ trustsMfa: true, acrValues: [] }, facts(KEYCLOAK))).toBe(false);
  });
});

test.each([
  ['now is fresh', 1_795_499_990_000, true],
  ['a little before, by another clock, is fresh', 1_795_499_995_000, true],
  ['long before is not fresh', 1_795_499_996_000, false],
])('a sign-in at the provider %s', (_, since, isFresh) => {
  expect(isFreshSignIn(facts(OKTA), since)).toBe(isFresh);
  expect(isFreshSignIn(facts(GOOGLE), since)).toBe(false);
});

describe('a new person', () => {
  const kestrel = {
    provisions: true,
    domains: [
      { domain: 'kestrel.example', isVerified: true },
      { domain: 'varhaug.example', isVerified: false },
    ],
  };

  test.each([
    ['of Entra is accepted', ENTRA, null],
    ['of Google is accepted', GOOGLE, null],
    ['with an email in capitals is accepted', { ...GOOGLE, email: 'Mei.Tanaka@KESTREL.example' }, null],
    ['of a domain that is not verified is refused', OKTA, 'domain-not-verified'],
    ['of a subdomain is refused', { ...GOOGLE, email: 'mei@it.kestrel.example' }, 'domain-not-verified'],
    [
      'of a longer domain with the same end is refused',
      { ...GOOGLE, email: 'mei@notkestrel.example' },
      'domain-not-verified',
    ],
    [
      'with two at signs in the email is refused',
      { ...GOOGLE, email: 'mei@kestrel.example@evil.example' },
      'domain-not-verified',
    ],
    ['whose email is not verified is refused', { ...GOOGLE, email_verified: false }, 'email-not-verified'],
    ['of Entra without xms_edov is refused', { ...ENTRA, xms_edov: undefined }, 'email-not-verified'],
    ['without an email is refused', { ...GOOGLE, email: undefined }, 'no-email'],
    ['with only a user name is refused', { ...ENTRA, email: undefined }, 'no-email'],
  ])('%s', (_, claims, refusal) => {
    expect(refuseProvision(kestrel, facts(claims))).toBe(refusal);
    expect(refuseProvision({ ...kestrel, provisions: false }, facts(claims))).toBe('not-provisioned');
  });
});

describe('whether a provider may sign in', () => {
  const OF_Q: Owner = { kind: 'partner', partnerId: q };
  const ORGANIZATION_A: Membership = { scope: 'organization', orgId: a };
  const STAFF: Membership = { scope: 'partner', partnerId: p, orgIds: null };
  const cases: readonly [string, Owner, Membership, PartnerId | null, boolean][] = [
    ['its own organization', OF_A, ORGANIZATION_A, p, true],
    ['another organization', { kind: 'organization', orgId: b }, ORGANIZATION_A, p, false],
    ['an organization of its partner', OF_P, ORGANIZATION_A, p, true],
    ['an organization of another partner', OF_Q, ORGANIZATION_A, p, false],
    ['its partner', OF_P, STAFF, null, true],
    ['another partner', OF_Q, STAFF, null, false],
    ['the partner of its organization', OF_A, STAFF, null, false],
    ['the platform', OF_P, { scope: 'system' }, null, false],
  ];

  test.each(cases)('people of %s', (_, owner, membership, partnerId, may) => {
    expect(maySignIn(owner, { membership, isPlatformAdmin: false }, partnerId)).toBe(may);
    expect(maySignIn(owner, { membership, isPlatformAdmin: true }, partnerId)).toBe(false);
  });

  test('anyone only if an administrator of its owner could give all of their rights', () => {
    const partnerOf = new Map([a, b].map((orgId) => [orgId, p])).set(c, q);
    const ofPartner = (partnerId: PartnerId) =>
      [...partnerOf.keys()].filter((id) => partnerOf.get(id) === partnerId);
    const owners: readonly Owner[] = [
      OF_P,
      OF_Q,
      ...[a, b, c].map((orgId) => ({ kind: 'organization', orgId }) as const),
    ];
    const memberships: readonly Membership[] = [
      { scope: 'system' },
      ...[a, b, c].map((orgId) => ({ scope: 'organization', orgId }) as const),
      ...[p, q].flatMap((partnerId) =>
        [null, [], [a], [a, b], [c]].map((orgIds) => ({ scope: 'partner', partnerId, orgIds }) as const),
      ),
    ];
    for (const owner of owners) {
      const scope =
        owner.kind === 'organization'
          ? owner
          : { ...owner, orgIds: ofPartner(owner.partnerId), isWhole: true };
      const administrator = {
        ...{ userId: newId<'user'>(), scope, isPlatformAdmin: false },
        permissions: new Set([USERS_WRITE, DEVICES_WRITE]),
      };
      for (const membership of memberships) {
        const partnerId =
          membership.scope === 'organization' ? (partnerOf.get(membership.orgId) ?? null) : null;
        for (const isPlatformAdmin of [false, true]) {
          const rights = { membership, permissions: [USERS_WRITE, DEVICES_WRITE], isPlatformAdmin };
          const may = maySignIn(owner, rights, partnerId);
          expect({ owner, rights, may }).toStrictEqual({
            owner,
            rights,
            may: mayGive(administrator, rights),
          });
        }
      }
    }
  });
});

describe('domains', () => {
  test.each([
    ['Kestrel.Example', 'kestrel.example'],
    ['kestrel.example.', 'kestrel.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['a-b.c1.example', 'a-b.c1.example'],
  ])('%s is read as %s', (text, domain) => expect(parseDomain(text)).toBe(domain));

  test.each([
    ...['', '.', 'localhost', 'example..com', '-a.example', 'a-.example', '10.0.0.1', '0x7f.1', '[::1]'],
    ...['a@b.example', 'a.example/x', 'a.example:80', 'a b.example', '*.example.com', '_x.example'],
    ...[`${'a'.repeat(64)}.example`, 'a%2eexample', 'https://a.example', 'a.example?x', 'a.example#x'],
  ])('do not include %j', (text) => expect(parseDomain(text)).toBeNull());

  test.each(['kestrel.example', '@kestrel.example', 'mei@', 'mei@localhost', ''])(
    'are not found in %j',
    (email) => expect(domainOf(email)).toBeNull(),
  );

  test('are verified by a record with the id of the provider', () => {
    const [one, other] = [newId<'identity-provider'>(), newId<'identity-provider'>()];
    const record = verificationRecord(one, 'kestrel.example');
    expect(record).toStrictEqual({
      name: '_fleetsift.kestrel.example',
      value: `fleetsift-verification=${one}`,
    });
    expect(verificationRecord(other, 'kestrel.example').value).not.toBe(record.value);
  });
});
