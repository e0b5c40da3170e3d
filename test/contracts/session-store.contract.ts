/** What every store of sessions promises. */
import { describe, expect, test } from 'vitest';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { Session } from '#domain/access/session.ts';
import type { UserId } from '#domain/ids.ts';
import { aSession, aUser, newId, orgScope, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import type { ContractBackend } from './contract-backend.ts';

const HOUR_MS = 3_600_000;

export function testSessionStore(backend: () => ContractBackend): void {
  const transact = <T>(work: (tx: Transaction) => Promise<T>) => backend().unitOfWork(SYSTEM_SCOPE, work);
  const newToken = () => `token-${newId()}`;
  const find = (token: string) => transact((tx) => tx.sessions.findRefreshToken(token));

  async function addUser(): Promise<UserId> {
    const user = aUser();
    await loadFleet(backend(), [user]);
    return user.id;
  }

  async function addSession(given: Partial<Session> = {}): Promise<{ session: Session; token: string }> {
    const session = aSession({ userId: given.userId ?? (await addUser()), ...given });
    const token = newToken();
    expect(await transact((tx) => tx.sessions.add(session, token))).toBe(true);
    return { session, token };
  }

  describe('SessionWriter', () => {
    test('finds a session by its refresh token, as it was added', async () => {
      const { session, token } = await addSession({ mfa: { verifiedAt: SOME_INSTANT - 1, epoch: 1 } });
      expect(await find(token)).toStrictEqual({ session, isUsed: false, userAuthEpoch: 1 });
    });

    test('finds nothing by another token', async () => {
      await addSession();
      expect(await find(newToken())).toBeNull();
    });

    test.each([
      ['of nobody', async () => aSession({ userId: newId() })],
      ['of another auth epoch', async () => aSession({ userId: await addUser(), authEpoch: 2 })],
    ])('adds no session %s', async (_what, make) => {
      const session = await make();
      const token = newToken();
      expect(await transact((tx) => tx.sessions.add(session, token))).toBe(false);
      expect(await find(token)).toBeNull();
    });

    test('tells the auth epoch that the user has now', async () => {
      const user = aUser();
      await loadFleet(backend(), [user]);
      const { token } = await addSession({ userId: user.id });
      await loadFleet(backend(), [user]);
      expect(await find(token)).toMatchObject({ userAuthEpoch: 2, session: { authEpoch: 1 } });
    });

    test('rotates: the old token is used, the next one good, and the session lasts longer', async () => {
      const { session, token } = await addSession();
      const next = newToken();
      const extended = { ...session, expiresAt: session.expiresAt + 1 };
      await transact((tx) => tx.sessions.rotate(extended, token, next, SOME_INSTANT + 1));
      expect(await find(token)).toStrictEqual({ session: extended, isUsed: true, userAuthEpoch: 1 });
      expect(await find(next)).toStrictEqual({ session: extended, isUsed: false, userAuthEpoch: 1 });
    });

    test('ends a session once, and its user is told of it', async () => {
      const { session, token } = await addSession();
      const { token: other } = await addSession({ userId: session.userId });
      await transact((tx) => tx.sessions.end(session.id, SOME_INSTANT + 1));
      await transact((tx) => tx.sessions.end(session.id, SOME_INSTANT + 2));
      expect(await find(token)).toMatchObject({ session: { endedAt: SOME_INSTANT + 1 } });
      expect(await find(other)).toMatchObject({ session: { endedAt: null } });
      const user = await backend().principals.findUser(session.userId);
      expect(user?.endedSessionIds).toStrictEqual(new Set([session.id]));
    });

    test('ends a session by any token of it', async () => {
      const { session, token } = await addSession();
      const next = newToken();
      await transact((tx) => tx.sessions.rotate(session, token, next, SOME_INSTANT));
      await transact((tx) => tx.sessions.endByRefreshToken(token, SOME_INSTANT + 1));
      expect(await find(next)).toMatchObject({ session: { endedAt: SOME_INSTANT + 1 } });
      await transact((tx) => tx.sessions.endByRefreshToken(newToken(), SOME_INSTANT));
    });

    test('records MFA of the user’s own session only', async () => {
      const { session, token } = await addSession();
      const mfa = { verifiedAt: SOME_INSTANT + 5, epoch: 1 };
      await transact((tx) => tx.sessions.setMfa(newId(), session.id, mfa));
      expect(await find(token)).toMatchObject({ session: { mfa: null } });
      await transact((tx) => tx.sessions.setMfa(session.userId, session.id, mfa));
      expect(await find(token)).toMatchObject({ session: { mfa } });
    });

    test('clears away the user’s sessions that are over when another is added', async () => {
      const userId = await addUser();
      const now = SOME_INSTANT + 10 * HOUR_MS;
      const expired = await addSession({ userId, expiresAt: now });
      const ended = await addSession({ userId, expiresAt: now + 1 });
      const endedLately = await addSession({ userId, expiresAt: now + 1 });
      const live = await addSession({ userId, expiresAt: now + 1 });
      const others = await addSession({ expiresAt: now });
      await transact(async (tx) => {
        await tx.sessions.end(ended.session.id, now - HOUR_MS);
        await tx.sessions.end(endedLately.session.id, now - HOUR_MS + 1);
      });
      await addSession({ userId, createdAt: now, expiresAt: now + 1 });
      const isThere = async ({ token }: { token: string }) => (await find(token)) !== null;
      expect(await Promise.all([expired, ended, endedLately, live, others].map(isThere))).toStrictEqual([
        false,
        false,
        true,
        true,
        true,
      ]);
    });

    test('does nothing where the transaction fails', async () => {
      const { session, token } = await addSession();
      const next = newToken();
      await expect(
        transact(async (tx) => {
          await tx.sessions.rotate(session, token, next, SOME_INSTANT);
          await tx.sessions.end(session.id, SOME_INSTANT);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await find(token)).toMatchObject({ isUsed: false, session: { endedAt: null } });
      expect(await find(next)).toBeNull();
    });

    test('lets one of two who use a token at once have it', async () => {
      const use = (session: Session, token: string) =>
        transact(async (tx) => {
          const found = await tx.sessions.findRefreshToken(token);
          if (found === null || found === 'in-use' || found.isUsed) return false;
          await tx.sessions.rotate(session, token, newToken(), SOME_INSTANT);
          return true;
        });
      for (let round = 0; round < 20; round++) {
        const { session, token } = await addSession();
        const outcomes = await Promise.all([use(session, token), use(session, token)]);
        expect(outcomes.toSorted()).toStrictEqual([false, true]);
      }
    });

    test('is of no narrower scope', async () => {
      const { orgId, userId } = await createTenant(backend());
      const session = aSession({ userId });
      const token = newToken();
      const outcome = await backend()
        .unitOfWork(orgScope(orgId), (tx) => tx.sessions.add(session, token))
        .catch(() => 'refused');
      expect([false, 'refused']).toContain(outcome);
      expect(await find(token)).toBeNull();
    });
  });

  describe('SignInStore', () => {
    test('finds a user by email in any case, by id, and by a refresh token, used or not', async () => {
      const user = aUser({ name: 'Zoë', permissions: ['users:write'], totpSecret: 'JBSWY3DPEHPK3PXP' });
      await loadFleet(backend(), [user]);
      const { session, token } = await addSession({ userId: user.id });
      const next = newToken();
      await transact((tx) => tx.sessions.rotate(session, token, next, SOME_INSTANT));
      const found = await backend().signIns.findById(user.id);
      expect(found).toStrictEqual({
        principal: await backend().principals.findUser(user.id),
        email: user.email,
        name: 'Zoë',
        passwordHash: `hash of ${user.password}`,
      });
      expect(await backend().signIns.findByEmail(user.email.toUpperCase())).toStrictEqual(found);
      expect(await backend().signIns.findByRefreshToken(token)).toStrictEqual(found);
      expect(await backend().signIns.findByRefreshToken(next)).toStrictEqual(found);
    });

    test('finds nobody where there is nobody', async () => {
      expect(await backend().signIns.findByEmail(`nobody-${newId()}@example.com`)).toBeNull();
      expect(await backend().signIns.findById(newId())).toBeNull();
      expect(await backend().signIns.findByRefreshToken(newToken())).toBeNull();
    });

    test('replaces a hash unless it has changed since, and signs nobody out', async () => {
      const user = aUser();
      await loadFleet(backend(), [user]);
      const read = async () => backend().signIns.findById(user.id);
      const before = await read();
      const { passwordHash } = before ?? {};
      await backend().signIns.replacePasswordHash(user.id, 'another', 'wrong');
      expect(await read()).toStrictEqual(before);
      await backend().signIns.replacePasswordHash(user.id, passwordHash ?? '', 'renewed');
      expect(await read()).toStrictEqual({ ...before, passwordHash: 'renewed' });
    });
  });
}
