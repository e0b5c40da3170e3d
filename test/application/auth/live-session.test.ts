/** A session can end after its call was let in, for example through another instance. The call then gains nothing. */
import { expect, test } from 'vitest';
import { currentTotpCode, otpauthTotp } from '#adapters/auth/otpauth-totp.ts';
import type { SignedIn } from '#application/auth/sessions/signed-in.ts';
import type { Call } from '#application/call.ts';
import { err, ok } from '#domain/result.ts';
import { aCall, aUser } from '#test/support/builders.ts';
import { type MemoryAuth, makeMemoryAuth } from '#test/support/http/memory-auth.ts';
import { loadFleet } from '#test/support/tenant.ts';

const OVER = err(expect.objectContaining({ code: 'unauthenticated' }));

const VISIT = { requestId: 'a-request', ip: null };

/** Signs a person in, with a factor unless `totpSecret` is null, and returns the call that was let in. */
async function letIn(world: MemoryAuth, totpSecret: string | null) {
  const user = aUser({ totpSecret });
  await loadFleet(world.backend, [user]);
  const { email, password } = user;
  const code = totpSecret === null ? undefined : currentTotpCode(totpSecret, world.now());
  const signedIn = await world.auth.signIn(VISIT, { email, password, code }, 'client');
  if (!signedIn.ok) throw new Error(signedIn.error.detail);
  const caller = await world.credentials.verifyAccessToken(signedIn.value.accessToken);
  if (caller === null) throw new Error('the token is not accepted');
  return { user, call: aCall(caller), tokens: signedIn.value };
}

function confirm({ auth, now }: MemoryAuth, call: Call, secret: string) {
  return auth.confirmEnrollment(call, currentTotpCode(secret, now()));
}

async function end({ auth }: MemoryAuth, { refreshToken }: SignedIn): Promise<void> {
  expect(await auth.signOut(refreshToken, 'client')).toStrictEqual(ok(undefined));
}

test('a call whose session has ended gets no fresh MFA, and its code stays good', async () => {
  const world = makeMemoryAuth();
  const secret = otpauthTotp.newSecret();
  const { call, tokens, user } = await letIn(world, secret);
  await end(world, tokens);
  world.moveClockTo(world.now() + 30_000);
  const code = currentTotpCode(secret, world.now());
  expect(await world.auth.challengeMfa(call, { code })).toStrictEqual(OVER);
  const { email, password } = user;
  expect((await world.auth.signIn(VISIT, { email, password, code }, 'client')).ok).toBe(true);
});

test('a call whose session has ended sets up no second factor, whether begun before or not', async () => {
  const world = makeMemoryAuth();
  const { call, tokens, user } = await letIn(world, null);
  const start = () => world.auth.startEnrollment(call, async () => ok(user.password));
  const offer = await start();
  if (!offer.ok) throw new Error('nothing was offered');
  await end(world, tokens);
  expect(await start()).toStrictEqual(OVER);
  expect(await confirm(world, call, offer.value.secret)).toStrictEqual(OVER);
  expect((await world.backend.principals.findUser(user.id))?.isMfaEnrolled).toBe(false);
});

test('a call whose session has ended gets no new recovery codes and no new password', async () => {
  const world = makeMemoryAuth();
  const { call, tokens, user } = await letIn(world, otpauthTotp.newSecret());
  await end(world, tokens);
  expect(await world.auth.renewRecoveryCodes(call)).toStrictEqual(OVER);
  const passwords = { currentPassword: user.password, newPassword: 'another battery staple' };
  expect(await world.auth.changePassword(call, passwords)).toStrictEqual(OVER);
  expect((await world.backend.signIns.findById(user.id))?.passwordHash).toBe(`hash of ${user.password}`);
});
