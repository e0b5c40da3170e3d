import { describe, expect, test } from 'vitest';
import {
  canForgetSession,
  decideRefresh,
  isLive,
  type Session,
  sessionExpiry,
  verifiedMfa,
} from '#domain/access/session.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function aSession(given: Partial<Session> = {}): Session {
  return {
    id: newId(),
    userId: newId(),
    authEpoch: 3,
    mfa: null,
    createdAt: SOME_INSTANT - DAY_MS,
    expiresAt: SOME_INSTANT + 1,
    endedAt: null,
    ...given,
  };
}

describe('a session can be refreshed', () => {
  test('for a week after it was last used', () => {
    expect(sessionExpiry(SOME_INSTANT, SOME_INSTANT + DAY_MS)).toBe(SOME_INSTANT + 8 * DAY_MS);
  });

  test('for thirty days at most', () => {
    expect(sessionExpiry(SOME_INSTANT, SOME_INSTANT + 29 * DAY_MS)).toBe(SOME_INSTANT + 30 * DAY_MS);
  });
});

test.each<[string, Partial<Session>, boolean, boolean]>([
  ['has neither ended nor expired', {}, true, false],
  ['expires at this instant', { expiresAt: SOME_INSTANT }, false, false],
  ['has ended', { endedAt: SOME_INSTANT }, false, false],
  ['expired almost an hour ago', { expiresAt: SOME_INSTANT - HOUR_MS + 1 }, false, false],
  ['expired an hour ago', { expiresAt: SOME_INSTANT - HOUR_MS }, false, true],
  [
    'ended almost an hour ago, whenever it expired',
    { expiresAt: SOME_INSTANT - DAY_MS, endedAt: SOME_INSTANT - HOUR_MS + 1 },
    false,
    false,
  ],
  ['ended an hour ago', { endedAt: SOME_INSTANT - HOUR_MS }, false, true],
])('a session that %s', (_what, given, live, canBeForgotten) => {
  const session = aSession(given);
  expect([isLive(session, SOME_INSTANT), canForgetSession(session, SOME_INSTANT)]).toStrictEqual([
    live,
    canBeForgotten,
  ]);
});

test('MFA is verified at a whole second', () => {
  expect(verifiedMfa(SOME_INSTANT + 1_999, 2)).toStrictEqual({ verifiedAt: SOME_INSTANT + 1_000, epoch: 2 });
});

describe('a refresh', () => {
  test('carries the session on, and what it says of MFA', () => {
    const session = aSession({ mfa: { verifiedAt: SOME_INSTANT - 5, epoch: 2 } });
    expect(decideRefresh(session, false, 3, SOME_INSTANT)).toStrictEqual({
      outcome: 'accepted',
      session: { ...session, expiresAt: SOME_INSTANT + 7 * DAY_MS },
    });
  });

  test.each<[string, Partial<Session>, boolean, number | null, string]>([
    ['with a token that was used', {}, true, 3, 'reused'],
    ['with one of a user whose epoch has moved on, too', {}, true, 4, 'reused'],
    ['of a session that has ended', { endedAt: SOME_INSTANT - 1 }, false, 3, 'refused'],
    ['with a used token of a session that has ended', { endedAt: SOME_INSTANT - 1 }, true, 3, 'refused'],
    ['of a session that expires at this instant', { expiresAt: SOME_INSTANT }, false, 3, 'refused'],
    ['of a user whose epoch has moved on', {}, false, 4, 'refused'],
    ['of a user who is not active', {}, false, null, 'refused'],
  ])('%s', (_what, given, isUsed, epoch, outcome) => {
    expect(decideRefresh(aSession(given), isUsed, epoch, SOME_INSTANT)).toStrictEqual({ outcome });
  });
});
