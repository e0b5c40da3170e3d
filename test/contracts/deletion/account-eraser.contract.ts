/** What every eraser of accounts promises. */
import { createHash } from 'node:crypto';
import type { Session } from '#domain/access/session.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { ok } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  anApiKey,
  anAuditEntry,
  aSubscription,
  aUser,
  newId,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { aCancelledRequest } from '#test/support/deletions.ts';
import { aMailOfKind } from '#test/support/mail/mails.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { putRequest } from './deletion-request-store/staff.ts';

export function testAccountEraser(backend: () => ContractBackend): void {
  const erase = ({ id }: Pick<UserRecord, 'id'>) =>
    backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(id));

  /** Somebody with everything that an account can have. */
  async function createPerson(tenant: Tenant) {
    const person = aUser({
      membership: { scope: 'partner', partnerId: tenant.partnerId, orgIds: [tenant.orgId] },
      permissions: ['users:write'],
      isPlatformAdmin: true,
      totpSecret: 'JBSWY3DPEHPK3PXP',
    });
    const key = anApiKey({ userId: person.id });
    await loadFleet(backend(), [person, key]);
    const authEpoch = (await backend().principals.findUser(person.id))?.authEpoch ?? 0;
    const session: Session = {
      id: newId(),
      userId: person.id,
      authEpoch,
      mfa: null,
      provenAt: null,
      createdAt: SOME_INSTANT,
      lastUsedAt: SOME_INSTANT,
      ip: '192.0.2.1',
      userAgent: 'A browser',
      expiresAt: SOME_INSTANT + 1e12,
      endedAt: null,
    };
    const refreshToken = sha256(session.id);
    const recoveryCode = sha256(`recovery code of ${person.id}`);
    const enrollment = { secret: 'GEZDGNBVGY3TQOJQ', startedAt: SOME_INSTANT };
    await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await tx.sessions.add(session, refreshToken);
      await tx.mfa.completeEnrollment(person.id, {
        secret: 'JBSWY3DPEHPK3PXP',
        step: 1,
        recoveryCodeSha256s: [recoveryCode],
      });
      await tx.mfa.startEnrollment(person.id, enrollment);
    });
    const request = aCancelledRequest({
      userId: person.id,
      partnerId: tenant.partnerId,
      reason: `${person.name} is leaving`,
      verdict: { at: SOME_INSTANT, by: tenant.userId, note: `${person.name} is staying` },
    });
    await putRequest(backend(), request);
    return { person, key, refreshToken, recoveryCode, request };
  }

  const look = async ({
    person,
    key,
    refreshToken,
    recoveryCode,
    request,
  }: Awaited<ReturnType<typeof createPerson>>) => ({
    principal: await backend().principals.findUser(person.id),
    key: await backend().principals.findApiKey(sha256(key.key)),
    keys: await backend().apiKeys.list(person.id),
    byEmail: await backend().accounts.findUserByEmail(person.email),
    signIn: await backend().signIns.findById(person.id),
    signInByEmail: await backend().signIns.findByEmail(person.email),
    signInByToken: await backend().signIns.findByRefreshToken(refreshToken),
    ...(await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => ({
      refreshToken: await tx.sessions.findRefreshToken(refreshToken),
      factor: await tx.mfa.findFactor(person.id),
      enrollment: await tx.mfa.findEnrollment(person.id),
      takesRecoveryCode: await tx.mfa.takeRecoveryCode(person.id, recoveryCode),
      held: await tx.deletions.holdAccount(person.id),
      person: await tx.deletions.findPerson(person.id),
      isCandidate: (
        await tx.deletions.findReviewerCandidates(request)
      ).some((candidate) => candidate.person.userId === person.id),
    }))),
    request: await backend().deletionRequests.find(SYSTEM_SCOPE, request.id),
  });

  const NOTHING = {
    principal: null,
    key: null,
    keys: [],
    byEmail: null,
    signIn: null,
    signInByEmail: null,
    signInByToken: null,
    refreshToken: null,
    factor: null,
    enrollment: null,
    takesRecoveryCode: false,
    held: null,
    person: null,
    isCandidate: false,
  };

  describe('AccountEraser', () => {
    test('keeps only the ids, and what was decided when', async () => {
      const all = await createPerson(await createTenant(backend()));
      const { person, request } = all;
      const { key, refreshToken, enrollment } = await look(all);
      expect([key, refreshToken, enrollment]).not.toContain(null);
      await erase(person);
      expect(await look(all)).toStrictEqual({
        ...NOTHING,
        request: {
          request: {
            ...request,
            reason: null,
            verdict: { at: SOME_INSTANT, by: request.verdict?.by, note: null },
          },
          user: { id: person.id, email: null, name: null },
          deciderName: 'Sam Example',
        },
      });
    });

    test('does not change anybody else', async () => {
      const tenant = await createTenant(backend());
      const [gone, stays] = [await createPerson(tenant), await createPerson(tenant)];
      // Looking uses up the recovery code, so the first look is before the comparison.
      await look(stays);
      const before = await look(stays);
      await erase(gone.person);
      expect(await look(stays)).toStrictEqual(before);
      expect(before.request?.request.reason).toBe(stays.request.reason);
    });

    test('withdraws mails to and about the person, except the confirmation', async () => {
      const { userId: adminId } = await createTenant(backend());
      const person = aUser();
      await loadFleet(backend(), [person]);
      const requestId = newId<'deletion-request'>();
      const to = { userId: person.id, email: person.email, name: person.name };
      const admin = { userId: adminId, email: 'admin@example.com', name: null };
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.mail(aMailOfKind('deletion-review', { requestId, to: admin, facts: { requester: to } }));
        await tx.mail(aMailOfKind('deletion-approved', { requestId, to }));
      });
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.eraseAccount(person.id);
        await tx.mail(aMailOfKind('deletion-completed', { requestId, to }));
      });
      const mails = (await backend().mailOutbox.list(null, 1000)).filter(
        (mail) => mail.requestId === requestId,
      );
      expect(mails.map(({ kind, status, email }) => [kind, status, email]).toSorted()).toStrictEqual([
        ['deletion-approved', 'withdrawn', null],
        ['deletion-completed', 'queued', person.email],
        ['deletion-review', 'withdrawn', null],
      ]);
    });

    test('removes the person from the recipients of subscriptions', async () => {
      const tenant = await createTenant(backend());
      const { person } = await createPerson(tenant);
      const { orgId, userId } = tenant;
      const settings = { kind: 'mail', notify: 'changes', batchSeconds: 60, state: 'paused' } as const;
      const [shared, own] = [[userId, person.id], [person.id]].map((recipients) =>
        aSubscription({ orgId, filterId: newId<'filter'>(), recipients, ...settings }),
      );
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        for (const each of [shared, own]) if (each !== undefined) await tx.subscriptions.add(each);
      });
      await erase(person);
      const left = await backend().subscriptions.list(orgScope(orgId), null);
      expect(left.map(({ id, recipients }) => [id, recipients]).sort()).toStrictEqual(
        [
          [shared?.id, [userId]],
          [own?.id, []],
        ].sort(),
      );
    });

    test('frees the email for a new account', async () => {
      const { person } = await createPerson(await createTenant(backend()));
      await erase(person);
      const next = aUser({ email: person.email });
      expect(await backend().accounts.createUser(next)).toStrictEqual(ok(undefined));
      expect(await backend().accounts.findUserByEmail(person.email)).toBe(next.id);
    });

    test('is undone with the rest when the work throws', async () => {
      const all = await createPerson(await createTenant(backend()));
      await look(all);
      const before = await look(all);
      const work = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.eraseAccount(all.person.id);
        await tx.audit(anAuditEntry());
        throw new Error('the work failed');
      });
      await expect(work).rejects.toThrow('the work failed');
      expect(await look(all)).toStrictEqual(before);
    });

    test('accepts an account that is already erased or never existed', async () => {
      const all = await createPerson(await createTenant(backend()));
      await erase(all.person);
      const before = await look(all);
      await erase(all.person);
      await erase({ id: newId() });
      expect(await look(all)).toStrictEqual(before);
    });

    test('is not undone by loading a fleet that still has the person', async () => {
      const all = await createPerson(await createTenant(backend()));
      await erase(all.person);
      const before = await look(all);
      await loadFleet(backend(), [{ ...all.person, name: 'Back again' }, all.key]);
      expect(await look(all)).toStrictEqual(before);
    });
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
