/** What API keys and sessions may do (Contract: §2). */
import { expect, test } from 'vitest';
import { type AccessScope, NO_SCOPE } from '#domain/access/access-scope.ts';
import { API_KEY_FORMAT, type ApiKeyGrant, callerOfApiKey } from '#domain/access/api-key.ts';
import { callerOfSession, type Principal } from '#domain/access/principal.ts';
import { actorOf } from '#domain/audit/audit-entry.ts';
import type { OrgId } from '#domain/ids.ts';
import { anApiKey, newId, orgScope, partnerScope, SOME_INSTANT } from '#test/support/builders.ts';

const [ONE, TWO] = [newId(), newId()] as [OrgId, OrgId];

const USER: Principal = {
  userId: newId(),
  scope: partnerScope(newId(), [ONE]),
  permissions: new Set(['users:write', 'filters:read']),
  isPlatformAdmin: true,
  authEpoch: 1,
  isMfaEnrolled: true,
  mfaEpoch: 2,
  endedSessionIds: new Set(['another']),
};

const SESSION = { sessionId: 'a-session', mfaVerifiedAt: SOME_INSTANT, mfaEpoch: 2 };

const GRANT: ApiKeyGrant = {
  id: newId(),
  orgId: null,
  permissions: new Set(['filters:read', 'devices:read']),
  expiresAt: null,
  isRevoked: false,
};

test('a key acts as its user, platform administrator or not, with the permissions that both have', () => {
  expect(callerOfApiKey(GRANT, USER, SOME_INSTANT)).toStrictEqual({
    userId: USER.userId,
    credential: { kind: 'api-key', apiKeyId: GRANT.id },
    scope: USER.scope,
    permissions: new Set(['filters:read']),
    isPlatformAdmin: true,
  });
  expect(callerOfApiKey(GRANT, { ...USER, isPlatformAdmin: false }, SOME_INSTANT)?.isPlatformAdmin).toBe(
    false,
  );
});

test('a narrowed key reaches its organization only, and is no platform administrator', () => {
  const caller = callerOfApiKey({ ...GRANT, orgId: ONE }, USER, SOME_INSTANT);
  expect(caller?.scope).toStrictEqual(orgScope(ONE));
  expect(caller?.isPlatformAdmin).toBe(false);
});

test.each<[string, AccessScope]>([
  ['a partner', USER.scope],
  ['an organization', orgScope(ONE)],
])(
  'a key narrowed to an organization that its user (of %s) does not reach reaches nothing',
  (_name, scope) => {
    const caller = callerOfApiKey({ ...GRANT, orgId: TWO }, { ...USER, scope }, SOME_INSTANT);
    expect(caller?.scope).toStrictEqual(NO_SCOPE);
  },
);

test.each([
  ['is revoked', { isRevoked: true }],
  ['has expired', { expiresAt: SOME_INSTANT - 1 }],
  ['expires at this instant', { expiresAt: SOME_INSTANT }],
])('a key that %s acts as nobody', (_what, given) => {
  expect(callerOfApiKey({ ...GRANT, ...given }, USER, SOME_INSTANT)).toBeNull();
});

test('a key that expires later is good', () => {
  expect(callerOfApiKey({ ...GRANT, expiresAt: SOME_INSTANT + 1 }, USER, SOME_INSTANT)).not.toBeNull();
});

test('a session acts as its user with all their rights', () => {
  expect(callerOfSession(USER, SESSION)).toStrictEqual({
    userId: USER.userId,
    credential: {
      kind: 'session',
      sessionId: 'a-session',
      authEpoch: 1,
      isMfaEnrolled: true,
      mfaVerifiedAt: SOME_INSTANT,
    },
    scope: USER.scope,
    permissions: USER.permissions,
    isPlatformAdmin: true,
  });
});

test.each([1, 3, null])('MFA of epoch %s counts for nothing in epoch 2', (mfaEpoch) => {
  expect(callerOfSession(USER, { ...SESSION, mfaEpoch })?.credential).toMatchObject({ mfaVerifiedAt: null });
});

test('a session that has ended acts as nobody', () => {
  const user = { ...USER, endedSessionIds: new Set(['another', SESSION.sessionId]) };
  expect(callerOfSession(user, SESSION)).toBeNull();
});

test('the audited actor is the key or the signed-in user', () => {
  const ofKey = callerOfApiKey(GRANT, USER, SOME_INSTANT);
  expect(ofKey && actorOf(ofKey)).toStrictEqual({ type: 'api_key', id: GRANT.id });
  const signedIn = callerOfSession(USER, SESSION);
  expect(signedIn && actorOf(signedIn)).toStrictEqual({ type: 'user', id: USER.userId });
});

test.each([
  '',
  'fsk_',
  `fsk_${'a'.repeat(42)}`,
  `fsk_${'a'.repeat(44)}`,
  `FSK_${'a'.repeat(43)}`,
  `fsk_${'='.repeat(43)}`,
  ` fsk_${'a'.repeat(43)}`,
])('%j does not have the form of a key', (text) => {
  expect(API_KEY_FORMAT.test(text)).toBe(false);
});

test('a key has the form of a key', () => {
  expect(API_KEY_FORMAT.test(anApiKey({ userId: newId() }).key)).toBe(true);
});
