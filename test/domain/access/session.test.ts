import { describe, expect, test } from 'vitest';
import {
  canForgetSession,
  decideRefresh,
  isLive,
  type SentRefreshToken,
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
    provenAt: null,
    createdAt: SOME_INSTANT - DAY_MS,
    lastUsedAt: SOME_INSTANT - HOUR_MS,
    ip: null,
    userAgent: null,
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
])('tells whether a session that %s is live and may be forgotten', (_what, given, live, canBeForgotten) => {
  const session = aSession(given);
  expect([isLive(session, SOME_INSTANT), canForgetSession(session, SOME_INSTANT)]).toStrictEqual([
    live,
    canBeForgotten,
  ]);
});

test('the instant of MFA is rounded down to a whole second', () => {
  expect(verifiedMfa(SOME_INSTANT + 1_999, 2)).toStrictEqual({ verifiedAt: SOME_INSTANT + 1_000, epoch: 2 });
});

describe('a refresh', () => {
  test('extends the session and keeps its MFA', () => {
    const session = aSession({ mfa: { verifiedAt: SOME_INSTANT - 5, epoch: 2 } });
    expect(decideRefresh(session, { carrier: 'client', usedAt: null }, 3, SOME_INSTANT)).toStrictEqual({
      outcome: 'accepted',
      session: { ...session, lastUsedAt: SOME_INSTANT, expiresAt: SOME_INSTANT + 7 * DAY_MS },
    });
  });

  const NEW = { carrier: 'client', usedAt: null } as const;
  const USED = { carrier: 'client', usedAt: SOME_INSTANT } as const;
  const REPLACED = { carrier: 'cookie', usedAt: SOME_INSTANT - 29_999 } as const;
  const OLD_COOKIE = { carrier: 'cookie', usedAt: SOME_INSTANT - 30_000 } as const;

  test.each<[string, Partial<Session>, SentRefreshToken, number | null, string]>([
    ['with a used token is a reuse', {}, USED, 3, 'reused'],
    ['with a used token is a reuse even if the epoch of the user has moved on', {}, USED, 4, 'reused'],
    ['of a session that has ended is refused', { endedAt: SOME_INSTANT - 1 }, NEW, 3, 'refused'],
    [
      'with a used token of a session that has ended is refused',
      { endedAt: SOME_INSTANT - 1 },
      USED,
      3,
      'refused',
    ],
    ['of a session that expires at this instant is refused', { expiresAt: SOME_INSTANT }, NEW, 3, 'refused'],
    ['of a user whose epoch has moved on is refused', {}, NEW, 4, 'refused'],
    ['of a user who is not active is refused', {}, NEW, null, 'refused'],
    ['with a cookie that was replaced a moment ago is a repetition', {}, REPLACED, 3, 'repeated'],
    [
      'with a just replaced cookie of a session that has ended is refused',
      { endedAt: SOME_INSTANT - 1 },
      REPLACED,
      3,
      'refused',
    ],
    ['with a just replaced cookie of a user whose epoch has moved on is refused', {}, REPLACED, 4, 'refused'],
    ['with a cookie that was replaced half a minute ago is a reuse', {}, OLD_COOKIE, 3, 'reused'],
  ])('%s', (_what, given, token, epoch, outcome) => {
    expect(decideRefresh(aSession(given), token, epoch, SOME_INSTANT)).toStrictEqual({ outcome });
  });
});
