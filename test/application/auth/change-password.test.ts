import { expect, test } from 'vitest';
import { err } from '#domain/result.ts';
import { aCall, aUser } from '#test/support/builders.ts';
import { makeMemoryAuth } from '#test/support/http/memory-auth.ts';
import { loadFleet } from '#test/support/tenant.ts';

test('the second of two changes sent at once with the same current password is refused', async () => {
  const world = makeMemoryAuth();
  const user = aUser();
  await loadFleet(world.backend, [user]);
  const { email, password } = user;
  const visit = { requestId: 'a-request', ip: null };
  const signedIn = await world.auth.signIn(visit, { email, password, code: undefined }, 'client');
  if (!signedIn.ok) throw new Error(signedIn.error.detail);
  const caller = await world.credentials.verifyAccessToken(signedIn.value.accessToken);
  if (caller === null) throw new Error('the token is not accepted');

  const change = (newPassword: string) =>
    world.auth.changePassword(aCall(caller), { currentPassword: password, newPassword });
  const outcomes = await Promise.all([change('of the first'), change('of the second')]);
  const refused = err(expect.objectContaining({ code: 'invalid_password' }));
  expect(outcomes).toStrictEqual([expect.objectContaining({ ok: true }), refused]);
  expect((await world.backend.signIns.findById(user.id))?.passwordHash).toBe('hash of of the first');
});
