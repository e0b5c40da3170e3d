/** What every store of sessions promises. */
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { Session } from '#domain/access/session.ts';
import type { UserId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aSession, aUser, newId, orgScope, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet, setStatus } from '#test/support/tenant.ts';

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

  describe('SessionReader', () => {
    test('tells when the user of a session last proved who they are, for that user only', async () => {
      const { session } = await addSession();
      const provenAt = () => backend().sessions.findProvenAt(session.userId, session.id);
      const verify = (at?: number) =>
        transact((tx) => tx.sessions.setMfa(session.userId, session.id, { verifiedAt: 0, epoch: 1 }, at));
      expect(await provenAt()).toBeNull();
      await verify(SOME_INSTANT + 5);
      await verify();
      expect(await provenAt()).toBe(SOME_INSTANT + 5);
      expect(await backend().sessions.findProvenAt(newId(), session.id)).toBeNull();
    });
  });

  describe('SessionWriter', () => {
    test('finds a session by its refresh token, as it was added', async () => {
      const { session, token } = await addSession({ mfa: { verifiedAt: SOME_INSTANT - 1, epoch: 1 } });
      expect(await find(token)).toStrictEqual({ session, usedAt: null, salt: null, userAuthEpoch: 1 });
    });

    test('finds nothing by another token', async () => {
      await addSession();
      expect(await find(newToken())).toBeNull();
    });

    async function addDisabledUser(): Promise<UserId> {
      const userId = await addUser();
      await transact((tx) => setStatus(tx, userId, 'disabled'));
      return userId;
    }

    test.each([
      ['of an unknown user', async () => aSession({ userId: newId() })],
      ['of another auth epoch', async () => aSession({ userId: await addUser(), authEpoch: 2 })],
      // Disabling a user raises the epoch, so 2 is the current one.
      ['of a disabled user', async () => aSession({ userId: await addDisabledUser(), authEpoch: 2 })],
    ])('adds no session %s', async (_what, make) => {
      const session = await make();
      const token = newToken();
      expect(await transact((tx) => tx.sessions.add(session, token))).toBe(false);
      expect(await find(token)).toBeNull();
    });

    test('tells the current auth epoch of the user', async () => {
      const user = aUser();
      await loadFleet(backend(), [user]);
      const { token } = await addSession({ userId: user.id });
      await loadFleet(backend(), [user]);
      expect(await find(token)).toMatchObject({ userAuthEpoch: 2, session: { authEpoch: 1 } });
    });

    test('rotates: marks the old token as used, makes the next one valid, extends the session', async () => {
      const { session, token } = await addSession();
      const next = newToken();
      const extended = { ...session, expiresAt: session.expiresAt + 1 };
      await transact((tx) => tx.sessions.rotate(extended, { used: token, next }, SOME_INSTANT + 1));
      expect(await find(token)).toStrictEqual({
        session: extended,
        usedAt: SOME_INSTANT + 1,
        salt: null,
        userAuthEpoch: 1,
      });
      expect(await find(next)).toStrictEqual({
        session: extended,
        usedAt: null,
        salt: null,
        userAuthEpoch: 1,
      });
    });

    test('rotates: updates when and from where the session was used, and nothing else', async () => {
      const { session, token } = await addSession({ ip: '192.0.2.1', userAgent: 'A browser' });
      const next = newToken();
      const used = { lastUsedAt: SOME_INSTANT + 5, ip: '2001:db8::1', userAgent: 'Another browser' };
      const changed = { ...session, ...used, createdAt: 1, endedAt: 2, mfa: { verifiedAt: 3, epoch: 4 } };
      await transact((tx) => tx.sessions.rotate(changed, { used: token, next }, SOME_INSTANT + 5));
      expect(await find(next)).toMatchObject({ session: { ...session, ...used } });
      const unknown = { ...session, ip: null, userAgent: null };
      await transact((tx) => tx.sessions.rotate(unknown, { used: next, next: newToken() }, SOME_INSTANT + 6));
      expect(await find(next)).toMatchObject({ session: unknown });
    });

    test('keeps the salt of a used token for half a minute', async () => {
      const { session, token } = await addSession();
      const [second, third, fourth] = [newToken(), newToken(), newToken()];
      const rotate = (used: string, next: string, salt: string, at: number) =>
        transact((tx) => tx.sessions.rotate(session, { used, next, salt }, SOME_INSTANT + at));
      const salts = async () =>
        (await Promise.all([token, second, third, fourth].map(find))).map((found) =>
          found === null || found === 'in-use' ? found : found.salt,
        );
      await rotate(token, second, 'first', 0);
      await rotate(second, third, 'second', 29_999);
      expect(await salts()).toStrictEqual(['first', 'second', null, null]);
      await rotate(third, fourth, 'third', 30_000);
      expect(await salts()).toStrictEqual([null, 'second', 'third', null]);
    });

    test('gives a token to concurrent callers that wait for it, one after the other', async () => {
      const hold = (session: Session, token: string, at: number) =>
        transact(async (tx) => {
          const found = await tx.sessions.holdRefreshToken(token);
          if (found?.usedAt === null) {
            await tx.sessions.rotate(session, { used: token, next: newToken() }, SOME_INSTANT + at);
          }
          return found?.usedAt === null ? 'new' : 'used';
        });
      const { session, token } = await addSession();
      const outcomes = await Promise.all([1, 2, 3, 4].map((at) => hold(session, token, at)));
      expect(outcomes.toSorted()).toStrictEqual(['new', 'used', 'used', 'used']);
      expect(await transact((tx) => tx.sessions.holdRefreshToken(newToken()))).toBeNull();
    });

    test('ends a session once, tells whose it was, and lists it as ended for its user', async () => {
      const { session, token } = await addSession();
      const { token: other } = await addSession({ userId: session.userId });
      const end = (at: number) => transact((tx) => tx.sessions.end(session.id, at));
      expect([await end(SOME_INSTANT + 1), await end(SOME_INSTANT + 2)]).toStrictEqual([
        session.userId,
        null,
      ]);
      expect(await transact((tx) => tx.sessions.end(newId(), SOME_INSTANT))).toBeNull();
      expect(await find(token)).toMatchObject({ session: { endedAt: SOME_INSTANT + 1 } });
      expect(await find(other)).toMatchObject({ session: { endedAt: null } });
      const user = await backend().principals.findUser(session.userId);
      expect(user?.endedSessionIds).toStrictEqual(new Set([session.id]));
    });

    test('ends a session by any of its tokens', async () => {
      const { session, token } = await addSession();
      const next = newToken();
      await transact((tx) => tx.sessions.rotate(session, { used: token, next }, SOME_INSTANT));
      const end = (by: string) => transact((tx) => tx.sessions.endByRefreshToken(by, SOME_INSTANT + 1));
      expect([await end(token), await end(next), await end(newToken())]).toStrictEqual([
        session.userId,
        null,
        null,
      ]);
      expect(await find(next)).toMatchObject({ session: { endedAt: SOME_INSTANT + 1 } });
    });

    test.each(['all but one', 'all'])('ends %s of the user’s sessions, and nobody else’s', async (which) => {
      const { session, token } = await addSession();
      const { userId } = session;
      const ended = await addSession({ userId });
      const live = await addSession({ userId });
      const stranger = await addSession();
      await transact((tx) => tx.sessions.end(ended.session.id, SOME_INSTANT + 1));
      const kept = which === 'all' ? null : session.id;
      const end = () => transact((tx) => tx.sessions.endOthers(userId, kept, SOME_INSTANT + 2));
      expect([await end(), await end()]).toStrictEqual([which === 'all' ? 2 : 1, 0]);
      const endOf = async (of: string) => {
        const found = await find(of);
        return found === null || found === 'in-use' ? found : found.session.endedAt;
      };
      expect(await Promise.all([token, ended.token, live.token, stranger.token].map(endOf))).toStrictEqual([
        which === 'all' ? SOME_INSTANT + 2 : null,
        SOME_INSTANT + 1,
        SOME_INSTANT + 2,
        null,
      ]);
    });

    test('tells whether a session of the user is live', async () => {
      const expiresAt = SOME_INSTANT + 100;
      const { session } = await addSession({ expiresAt });
      const { userId, id } = session;
      const ended = await addSession({ userId, expiresAt });
      await transact((tx) => tx.sessions.end(ended.session.id, SOME_INSTANT));
      const isLive = (whose: UserId, which: typeof id, at: number) =>
        transact((tx) => tx.sessions.holdLive(whose, which, at));
      expect([
        await isLive(userId, id, expiresAt - 1),
        await isLive(userId, id, expiresAt),
        await isLive(userId, ended.session.id, expiresAt - 1),
        await isLive(newId(), id, expiresAt - 1),
        await isLive(userId, newId(), expiresAt - 1),
      ]).toStrictEqual([true, false, false, false, false]);
    });

    test('records MFA only for a session of the user', async () => {
      const { session, token } = await addSession();
      const mfa = { verifiedAt: SOME_INSTANT + 5, epoch: 1 };
      await transact((tx) => tx.sessions.setMfa(newId(), session.id, mfa));
      expect(await find(token)).toMatchObject({ session: { mfa: null } });
      await transact((tx) => tx.sessions.setMfa(session.userId, session.id, mfa));
      expect(await find(token)).toMatchObject({ session: { mfa } });
    });

    test('forgets sessions an hour after they ended or, if nobody ended them, expired', async () => {
      const userId = await addUser();
      const now = SOME_INSTANT + 10 * HOUR_MS;
      const over = now - HOUR_MS;
      const sessions = {
        'expired an hour ago': await addSession({ userId, expiresAt: over }),
        'expired later': await addSession({ userId, expiresAt: over + 1 }),
        'ended an hour ago': await addSession({ userId, expiresAt: now + 1 }),
        'ended later': await addSession({ userId, expiresAt: now + 1 }),
        // Its access tokens may have been issued right before its end.
        'ended later, and expired before': await addSession({ userId, expiresAt: over }),
        live: await addSession({ userId, expiresAt: now + 1 }),
        'live, of somebody else': await addSession({ expiresAt: now + 1 }),
      };
      await transact(async (tx) => {
        await tx.sessions.end(sessions['ended an hour ago'].session.id, over);
        await tx.sessions.end(sessions['ended later'].session.id, over + 1);
        await tx.sessions.end(sessions['ended later, and expired before'].session.id, over + 1);
      });
      await addSession({ userId, createdAt: now, expiresAt: now + 1 });
      const kept: string[] = [];
      for (const [name, { token }] of Object.entries(sessions)) {
        if ((await find(token)) !== null) kept.push(name);
      }
      expect(kept).toStrictEqual([
        'expired later',
        'ended later',
        'ended later, and expired before',
        'live',
        'live, of somebody else',
      ]);
    });

    test('forgets old sessions of other people when somebody signs in', async () => {
      const { token } = await addSession({ expiresAt: SOME_INSTANT - 1_000 * HOUR_MS });
      await addSession({ createdAt: SOME_INSTANT });
      expect(await find(token)).toBeNull();
    });

    test('forgets a used token a week after its use, and no other token', async () => {
      const { session, token: first } = await addSession();
      const week = 7 * 24 * HOUR_MS;
      const [second, third, fourth] = [newToken(), newToken(), newToken()];
      const other = await addSession({ userId: session.userId });
      const otherNext = newToken();
      const rotate = (of: Session, used: string, next: string, at: number) =>
        transact((tx) => tx.sessions.rotate(of, { used, next }, at));
      await rotate(other.session, other.token, otherNext, SOME_INSTANT);
      await rotate(session, first, second, SOME_INSTANT);
      await rotate(session, second, third, SOME_INSTANT + 1);
      await rotate(session, third, fourth, SOME_INSTANT + week);
      const isKnown = async (token: string) => (await find(token)) !== null;
      expect(await Promise.all([first, second, third, fourth, other.token].map(isKnown))).toStrictEqual([
        false,
        true,
        true,
        true,
        true,
      ]);
    });

    test('does nothing if the transaction fails', async () => {
      const { session, token } = await addSession();
      const next = newToken();
      await expect(
        transact(async (tx) => {
          await tx.sessions.rotate(session, { used: token, next }, SOME_INSTANT);
          await tx.sessions.end(session.id, SOME_INSTANT);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await find(token)).toMatchObject({ usedAt: null, salt: null, session: { endedAt: null } });
      expect(await find(next)).toBeNull();
    });

    test('lets only one of two concurrent callers use a token', async () => {
      const use = (session: Session, token: string) =>
        transact(async (tx) => {
          const found = await tx.sessions.findRefreshToken(token);
          if (found === null || found === 'in-use' || found.usedAt !== null) return false;
          await tx.sessions.rotate(session, { used: token, next: newToken() }, SOME_INSTANT);
          return true;
        });
      for (let round = 0; round < 20; round++) {
        const { session, token } = await addSession();
        const outcomes = await Promise.all([use(session, token), use(session, token)]);
        expect(outcomes.toSorted()).toStrictEqual([false, true]);
      }
    });

    test('adds no session within a scope narrower than the system', async () => {
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

  describe('SessionReader', () => {
    const list = (userId: UserId, at = SOME_INSTANT, limit = 10) =>
      backend().sessions.listLive(userId, at, limit);

    test('lists live sessions with all their fields, last used first', async () => {
      const userId = await addUser();
      const used = { ip: '2001:db8::1', userAgent: 'A browser', mfa: { verifiedAt: SOME_INSTANT, epoch: 1 } };
      const { session: first } = await addSession({ userId, lastUsedAt: SOME_INSTANT + 2, ...used });
      const { session: second } = await addSession({ userId, lastUsedAt: SOME_INSTANT + 3 });
      const { session: third } = await addSession({ userId, lastUsedAt: SOME_INSTANT + 1 });
      expect(await list(userId)).toStrictEqual([second, first, third]);
      expect(await list(userId, SOME_INSTANT, 2)).toStrictEqual([second, first]);
    });

    test('lists no session that ended, expired, was voided or is of somebody else', async () => {
      const user = aUser();
      await loadFleet(backend(), [user]);
      const voided = await addSession({ userId: user.id });
      expect(await list(user.id)).toStrictEqual([voided.session]);
      await loadFleet(backend(), [user]);
      const given = { userId: user.id, authEpoch: 2, expiresAt: SOME_INSTANT + 100 };
      const { session } = await addSession(given);
      const ended = await addSession(given);
      await transact((tx) => tx.sessions.end(ended.session.id, SOME_INSTANT));
      await addSession();
      expect(await list(user.id, SOME_INSTANT + 99)).toStrictEqual([session]);
      expect(await list(user.id, SOME_INSTANT + 100)).toStrictEqual([]);
      await transact((tx) => tx.eraseAccount(user.id));
      expect(await list(user.id)).toStrictEqual([]);
      expect(await list(newId())).toStrictEqual([]);
    });
  });

  describe('SignInStore', () => {
    test('finds a user by email in any case, by id, and by a refresh token, used or not', async () => {
      const user = aUser({ name: 'Zoë', permissions: ['users:write'], totpSecret: 'JBSWY3DPEHPK3PXP' });
      await loadFleet(backend(), [user]);
      const { session, token } = await addSession({ userId: user.id });
      const next = newToken();
      await transact((tx) => tx.sessions.rotate(session, { used: token, next }, SOME_INSTANT));
      const found = await backend().signIns.findById(user.id);
      // The backend chooses the hash.
      const passwordHash = found?.passwordHash ?? '';
      expect(['', user.password]).not.toContain(passwordHash);
      expect(found).toStrictEqual({
        principal: await backend().principals.findUser(user.id),
        email: user.email,
        name: 'Zoë',
        passwordHash,
        passwordEpoch: 1,
      });
      expect(await backend().signIns.findByEmail(user.email.toUpperCase())).toStrictEqual(found);
      const owner = { account: found, sessionId: session.id };
      expect(await backend().signIns.findByRefreshToken(token)).toStrictEqual({
        ...owner,
        usedAt: SOME_INSTANT,
      });
      expect(await backend().signIns.findByRefreshToken(next)).toStrictEqual({ ...owner, usedAt: null });
    });

    test('finds nobody by an unknown email, id or token', async () => {
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
