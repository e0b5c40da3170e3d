/** Requests to delete one's account: the order of the checks, their answers and audit entries. */
import { describe, expect, test } from 'vitest';
import type { ApplicationError } from '#application/application-error.ts';
import type { SubmitDeletionInput } from '#application/deletion/own-deletion.ts';
import { GRACE_PERIOD_MS } from '#domain/deletion/deletion-request.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';
import { PASSWORD } from '#test/support/http/memory-deletions.ts';
import { type CallOptions, type DeletionWorld, makeDeletionWorld } from './deletion-world.ts';

const GOOD: SubmitDeletionInput = { password: PASSWORD, reason: undefined };

/** Submits as somebody of organization A, and reports whether the body was read. */
async function submit(
  world: DeletionWorld,
  input: Result<SubmitDeletionInput, ApplicationError> = ok(GOOD),
  options: CallOptions = {},
) {
  let isBodyRead = false;
  const call = await world.callBy('of A', options);
  const answer = await world.deletions.submitDeletion(call, async () => {
    isBodyRead = true;
    return input;
  });
  return { answer, isBodyRead };
}

const codeOf = (answer: Result<unknown, ApplicationError>) => (answer.ok ? 'ok' : answer.error.code);

describe('an accepted submission', () => {
  test('becomes a pending request with 720 hours of grace', async () => {
    const world = await makeDeletionWorld();
    const { id: userId, membership } = world.staff.people['of A'];
    const { answer } = await submit(world, ok({ password: PASSWORD, reason: '  I have left  ' }));
    const id = answer.ok ? answer.value.request.id : null;
    expect(answer).toStrictEqual(
      ok({
        request: {
          id,
          userId,
          orgId: membership.scope === 'organization' ? membership.orgId : null,
          partnerId: null,
          reason: 'I have left',
          status: 'pending',
          requestedAt: SOME_INSTANT,
          processBy: SOME_INSTANT + GRACE_PERIOD_MS,
          createdAt: SOME_INSTANT,
          updatedAt: SOME_INSTANT,
        },
        isNew: true,
      }),
    );
    expect(world.takeEntries()).toStrictEqual([
      {
        at: SOME_INSTANT,
        actor: { type: 'user', id: userId },
        orgId: world.staff.a,
        partnerId: null,
        action: 'user.account_deletion.requested',
        result: 'success',
        resourceType: 'account_deletion_request',
        resourceId: id,
        details: { userId },
        requestId: 'request-1',
        ip: '192.0.2.7',
      },
    ]);
  });

  test('sends a review link to administrators of the partner where the organization has no other', async () => {
    const world = await makeDeletionWorld();
    const { people } = world.staff;
    const request = await world.submit('of A', 'I have left');
    const mails = await world.takeMails();
    expect(new Set(mails.map(({ to }) => to.userId))).toStrictEqual(
      new Set([people['staff of P'].id, people['staff of P in A'].id]),
    );
    const { id: userId, email, name } = people['of A'];
    for (const mail of mails) {
      expect(mail).toStrictEqual({
        kind: 'deletion-review',
        requestId: request.id,
        to: mail.to,
        facts: {
          requester: { userId, email, name },
          reason: 'I have left',
          requestedAt: request.requestedAt,
          processBy: request.processBy,
        },
      });
    }
  });

  test('by partner staff is audited under the partner', async () => {
    const world = await makeDeletionWorld();
    await world.submit('staff of P in A');
    expect(world.takeEntries()).toMatchObject([{ orgId: null, partnerId: world.staff.p, result: 'success' }]);
  });

  test('can follow a cancelled request', async () => {
    const world = await makeDeletionWorld();
    const first = await world.submit('of A');
    await world.deletions.cancelDeletion(await world.callBy('of A'), first.id, 'cancelled');
    const second = await world.submit('of A');
    expect(second.id).not.toBe(first.id);
  });
});

describe('a submission beside an open request', () => {
  test('returns the pending request again and leaves no trace', async () => {
    const world = await makeDeletionWorld();
    const request = await world.submit('of A', 'the first reason');
    world.takeEntries();
    await world.takeMails();
    const { answer } = await submit(world, ok({ password: PASSWORD, reason: 'another' }));
    expect(answer).toStrictEqual(ok({ request, isNew: false }));
    expect([world.takeEntries(), await world.takeMails()]).toStrictEqual([[], []]);
  });

  test('is refused and audited once the request is approved', async () => {
    const world = await makeDeletionWorld();
    const { id } = await world.submit('of A');
    await world.deletions.processDeletion(await world.callBy('staff of P'), id, async () =>
      ok({ action: 'approve', adminNote: undefined }),
    );
    world.takeEntries();
    expect(codeOf((await submit(world)).answer)).toBe('deletion_already_approved');
    expect(world.takeEntries()).toMatchObject([
      {
        action: 'user.account_deletion.requested',
        result: 'denied',
        details: { reason: 'deletion_already_approved' },
      },
    ]);
  });

  test('creates only one request when five are sent at once', async () => {
    const world = await makeDeletionWorld();
    const call = await world.callBy('of A');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.deletions.submitDeletion(call, async () => ok(GOOD))),
    );
    const created = answers.filter((answer) => answer.ok && answer.value.isNew);
    const ids = new Set(answers.map((answer) => (answer.ok ? answer.value.request.id : null)));
    expect([created.length, ids.size]).toStrictEqual([1, 1]);
  });
});

describe('the order of the checks', () => {
  const BAD_BODY = err<ApplicationError>({ code: 'cancelled', detail: 'the body did not arrive' });
  const BAD_INPUT = ok<SubmitDeletionInput>({ password: 5, reason: 5 });
  const BAD_PASSWORD = ok<SubmitDeletionInput>({ password: 'wrong', reason: null });

  test.each<[string, CallOptions, string]>([
    ['MFA that is too old', { mfa: 'stale' }, 'mfa_required'],
    ['MFA that was not passed', { mfa: 'none' }, 'mfa_required'],
    ['MFA that is not set up', { mfa: 'not enrolled' }, 'mfa_enrollment_required'],
    ['an API key', { withApiKey: true }, 'mfa_not_possible'],
  ])('%s is refused before the body is read', async (_what, options, code) => {
    const world = await makeDeletionWorld();
    const { answer, isBodyRead } = await submit(world, BAD_BODY, options);
    expect([codeOf(answer), isBodyRead, world.passwordChecks()]).toStrictEqual([code, false, 0]);
    expect(world.takeEntries()).toMatchObject([
      {
        action: 'user.account_deletion.requested',
        result: 'denied',
        resourceId: null,
        orgId: world.staff.a,
        details: { reason: code },
      },
    ]);
  });

  test('a refused body counts against no limit and leaves no trace', async () => {
    const world = await makeDeletionWorld();
    for (let i = 0; i < 10; i++) {
      expect(codeOf((await submit(world, BAD_BODY)).answer)).toBe('cancelled');
      const { answer } = await submit(world, BAD_INPUT);
      expect(answer).toMatchObject(
        err({ code: 'validation_failed', errors: [{ path: 'password' }, { path: 'reason' }] }),
      );
    }
    expect([world.takeEntries(), world.passwordChecks()]).toStrictEqual([[], 0]);
    expect(codeOf((await submit(world)).answer)).toBe('ok');
  });

  test('a wrong password is refused before a pending request is mentioned', async () => {
    const world = await makeDeletionWorld();
    await world.submit('of A');
    world.takeEntries();
    expect(codeOf((await submit(world, BAD_PASSWORD)).answer)).toBe('invalid_password');
    expect(world.takeEntries()).toMatchObject([
      { result: 'denied', details: { reason: 'invalid_password' } },
    ]);
  });
});

describe('the limit on passwords', () => {
  const bad = ok<SubmitDeletionInput>({ password: 'wrong', reason: null });

  test('refuses the sixth attempt in five minutes, right or wrong, without checking it', async () => {
    const world = await makeDeletionWorld();
    const codes = [];
    for (const input of [bad, ok(GOOD), bad, ok(GOOD), bad, ok(GOOD), bad]) {
      codes.push(codeOf((await submit(world, input)).answer));
      world.moveClockTo(world.now() + 1_000);
    }
    expect(codes).toStrictEqual([
      'invalid_password',
      'ok',
      'invalid_password',
      'ok',
      'invalid_password',
      'rate_limited',
      'rate_limited',
    ]);
    expect(world.passwordChecks()).toBe(5);
    expect(world.takeEntries().map(({ details }) => details.reason ?? 'success')).toStrictEqual([
      'invalid_password',
      'success',
      'invalid_password',
      'invalid_password',
      // Only the first refusal is audited until an attempt is let through.
      'rate_limited',
    ]);
  });

  test('says to the second when it ends, and refusals do not extend it', async () => {
    const world = await makeDeletionWorld();
    for (let i = 0; i < 5; i++) await submit(world, bad);
    const start = world.now();
    for (const [after, retryAfterSeconds] of [
      [0, 300],
      [1, 300],
      [299_000, 1],
      [299_999, 1],
    ] as const) {
      world.moveClockTo(start + after);
      expect((await submit(world)).answer).toMatchObject(err({ code: 'rate_limited', retryAfterSeconds }));
    }
    world.moveClockTo(start + 300_000);
    expect(codeOf((await submit(world)).answer)).toBe('ok');
  });

  test('applies to each user separately', async () => {
    const world = await makeDeletionWorld();
    for (let i = 0; i < 6; i++) await submit(world, bad);
    expect((await world.submit('of B')).status).toBe('pending');
  });
});

test('a person who is erased while they submit is told that they are not signed in', async () => {
  const world = await makeDeletionWorld();
  const call = await world.callBy('of A');
  await world.backend.unitOfWork({ kind: 'system' }, (tx) => tx.eraseAccount(call.caller.userId));
  const answer = await world.deletions.submitDeletion<never>(call, async () => ok(GOOD));
  expect(codeOf(answer)).toBe('unauthenticated');
  expect(await world.backend.deletionRequests.findLatestOf(call.caller.userId)).toBeNull();
});
