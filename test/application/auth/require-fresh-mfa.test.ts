import { expect, test } from 'vitest';
import { makeRequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import { aCall, fixedClock, newId, SOME_INSTANT } from '#test/support/builders.ts';

const requireFreshMfa = makeRequireFreshMfa({ clock: fixedClock(), maxAgeSeconds: 60 });

function callWith(isMfaEnrolled: boolean, mfaVerifiedAt: number | null) {
  return aCall({
    credential: { kind: 'session', sessionId: 'a-session', authEpoch: 1, isMfaEnrolled, mfaVerifiedAt },
  });
}

test('a recent MFA is enough', () => {
  expect(requireFreshMfa(callWith(true, SOME_INSTANT - 60_000))).toBeNull();
});

test('an older MFA is refused, with the greatest age allowed', () => {
  expect(requireFreshMfa(callWith(true, SOME_INSTANT - 60_001))).toMatchObject({
    code: 'mfa_required',
    maxAgeSeconds: 60,
  });
});

test('a caller without a factor is sent to set one up', () => {
  expect(requireFreshMfa(callWith(false, null))).toMatchObject({ code: 'mfa_enrollment_required' });
});

test('an API key is told that MFA is not possible', () => {
  const call = aCall({ credential: { kind: 'api-key', apiKeyId: newId() } });
  expect(requireFreshMfa(call)).toMatchObject({ code: 'mfa_not_possible' });
});
