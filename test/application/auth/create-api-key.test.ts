/** An API key that is requested while its account is erased is not left behind. */
import { expect, test } from 'vitest';
import { err } from '#domain/result.ts';
import { aCall, aUser, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { makeMemoryAuth } from '#test/support/http/memory-auth.ts';
import { loadFleet } from '#test/support/tenant.ts';

test.each([
  ['an existing person gets an API key', false],
  ['a person who was erased after their call was let in gets no API key', true],
])('%s', async (_who, isErased) => {
  const { auth, backend, now, takeEntries } = makeMemoryAuth();
  const user = aUser({ totpSecret: 'JBSWY3DPEHPK3PXP' });
  await loadFleet(backend, [user]);
  const call = aCall({
    userId: user.id,
    credential: {
      kind: 'session',
      sessionId: newId(),
      authEpoch: 1,
      isMfaEnrolled: true,
      mfaVerifiedAt: now(),
    },
  });
  if (isErased) await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(user.id));
  const answer = await auth.createApiKey(call, {
    name: "Sam's key",
    permissions: undefined,
    expiresAt: undefined,
  });
  expect(await backend.apiKeys.list(user.id)).toHaveLength(isErased ? 0 : 1);
  expect(takeEntries().map(({ action, details }) => [action, details])).toStrictEqual(
    isErased ? [] : [['auth.api_key.created', { permissions: [] }]],
  );
  if (isErased) expect(answer).toMatchObject(err({ code: 'unauthenticated' }));
});
