import { expect, test } from 'vitest';
import type { Credential } from '#domain/access/caller.ts';
import { refuseStaleMfa } from '#domain/access/mfa.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';

const MAX_AGE_MS = 900_000;

function verified(mfaVerifiedAt: number | null): Credential {
  return { kind: 'session', sessionId: 'a-session', authEpoch: 1, isMfaEnrolled: true, mfaVerifiedAt };
}

test.each<[string, Credential, ReturnType<typeof refuseStaleMfa>]>([
  ['verified just now is good', verified(SOME_INSTANT), null],
  ['verified by an instance whose clock is ahead is good', verified(SOME_INSTANT + 1_000), null],
  ['verified as long ago as allowed is good', verified(SOME_INSTANT - MAX_AGE_MS), null],
  ['verified longer ago is required again', verified(SOME_INSTANT - MAX_AGE_MS - 1), 'required'],
  ['never verified is required', verified(null), 'required'],
  [
    'by a provider is good for a user without a factor at Fleetsift',
    {
      kind: 'session',
      sessionId: 'a-session',
      authEpoch: 1,
      isMfaEnrolled: false,
      mfaVerifiedAt: SOME_INSTANT,
    },
    null,
  ],
  [
    'has to be set up first by a user without a factor',
    { kind: 'session', sessionId: 'a-session', authEpoch: 1, isMfaEnrolled: false, mfaVerifiedAt: null },
    'enrollment-required',
  ],
  ['is not possible with an API key', { kind: 'api-key', apiKeyId: newId() }, 'not-possible'],
])('MFA %s', (_what, credential, refusal) => {
  expect(refuseStaleMfa(credential, SOME_INSTANT, MAX_AGE_MS)).toBe(refusal);
});
