/** Simultaneous sign-ins of one person by an identity provider (Contract: §16). */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { anIdentityProvider, aUser, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});
afterAll(() => world.close());

test('simultaneous sign-ins lock the person before the identity, so neither has to begin again', async () => {
  const { backend } = world;
  const { orgId } = await createTenant(backend);
  const provider = anIdentityProvider({ owner: { kind: 'organization', orgId } });
  const user = aUser({ membership: { scope: 'organization', orgId } });
  await loadFleet(backend, [user]);
  const subject = newId();
  await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    await tx.identityProviders.add(provider, 'secret');
    const linked = { providerId: provider.id, subject, userId: user.id, isMade: false };
    await tx.identityProviders.link({ ...linked, createdAt: SOME_INSTANT, lastSignInAt: null });
  });

  const isPersonHeld = Promise.withResolvers<void>();
  const isIdentityFound = Promise.withResolvers<void>();
  let attempts = 0;
  // A session starts, while the next sign-in looks for its person.
  const starting = backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    attempts++;
    await tx.passwords.holdEpoch(user.id);
    isPersonHeld.resolve();
    await isIdentityFound.promise;
    await tx.identityProviders.recordSignIn(provider.id, subject, SOME_INSTANT);
  });
  const admitting = backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    attempts++;
    await isPersonHeld.promise;
    const identity = await tx.identityProviders.findIdentity(provider.id, subject);
    isIdentityFound.resolve();
    return identity === null ? null : tx.people.hold(identity.userId);
  });
  await starting;
  expect((await admitting)?.id).toBe(user.id);
  expect(attempts).toBe(2);
});
