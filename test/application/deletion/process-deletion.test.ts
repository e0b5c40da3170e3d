/** Decisions on a request: rights, outcome, audit entries and mails. */
import { describe, expect, test } from 'vitest';
import type { ApplicationError } from '#application/application-error.ts';
import type { ProcessDeletionInput } from '#application/deletion/process-deletion.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { PersonName } from '#test/contracts/deletion/deletion-request-store/staff.ts';
import { aUser, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { type CallOptions, type DeletionWorld, makeDeletionWorld } from './deletion-world.ts';

const APPROVE: ProcessDeletionInput = { action: 'approve', adminNote: undefined };
const REJECT: ProcessDeletionInput = { action: 'reject', adminNote: '  talk to us first  ' };

/** Decides as staff of P. */
async function process(
  world: DeletionWorld,
  id: string,
  input: Result<ProcessDeletionInput, ApplicationError>,
  by: PersonName = 'staff of P',
  options: CallOptions = {},
) {
  const call = await world.callBy(by, options);
  return world.deletions.processDeletion(call, id as never, async () => input);
}

/** A pending request. Its own audit entries and mails are already taken. */
async function pendingRequest(by: PersonName = 'of A') {
  const world = await makeDeletionWorld();
  const request = await world.submit(by, 'I have left');
  world.takeEntries();
  await world.takeMails();
  world.moveClockTo(world.now() + 60_000);
  return { world, request };
}

test.each([
  [undefined, null],
  ['  as asked ', 'as asked'],
])('an approval with the note %j is answered, audited and mailed', async (adminNote, note) => {
  const { world, request } = await pendingRequest();
  const { people } = world.staff;
  const { id: userId, email, name } = people['of A'];
  const by = people['staff of P'].id;
  const approved = {
    ...request,
    status: 'processing',
    verdict: { at: world.now(), by, note },
    updatedAt: world.now(),
  };
  expect(await process(world, request.id, ok({ action: 'approve', adminNote }))).toStrictEqual(
    ok({ request: approved, user: { id: userId, email, name }, deciderName: 'Sam Example' }),
  );
  expect(world.takeEntries()).toMatchObject([
    {
      actor: { type: 'user', id: by },
      orgId: world.staff.a,
      action: 'user.account_deletion.approved',
      result: 'success',
      resourceId: request.id,
      details: { userId },
    },
  ]);
  expect(await world.takeMails()).toStrictEqual([
    {
      kind: 'deletion-approved',
      requestId: request.id,
      to: { userId, email, name },
      facts: { requestedAt: request.requestedAt, deletionAt: request.processBy },
    },
  ]);
});

test('the mail of a late approval says that the account is deleted now', async () => {
  const { world, request } = await pendingRequest();
  world.moveClockTo(request.processBy + 86_400_000);
  await process(world, request.id, ok(APPROVE));
  expect(await world.takeMails()).toMatchObject([{ facts: { deletionAt: request.processBy + 86_400_000 } }]);
});

test('a rejection is answered, audited and mailed, and the account stays', async () => {
  const { world, request } = await pendingRequest();
  const { people } = world.staff;
  const { id: userId, email, name } = people['of A'];
  const verdict = { at: world.now(), by: people['staff of P'].id, note: 'talk to us first' };
  expect(await process(world, request.id, ok(REJECT))).toStrictEqual(
    ok({
      request: { ...request, status: 'cancelled', verdict, updatedAt: world.now() },
      user: { id: userId, email, name },
      deciderName: 'Sam Example',
    }),
  );
  expect(world.takeEntries()).toMatchObject([
    {
      action: 'user.account_deletion.rejected',
      result: 'success',
      resourceId: request.id,
      details: { userId },
    },
  ]);
  expect(await world.takeMails()).toStrictEqual([
    {
      kind: 'deletion-rejected',
      requestId: request.id,
      to: { userId, email, name },
      facts: { requestedAt: request.requestedAt, adminNote: 'talk to us first' },
    },
  ]);
  expect(await world.backend.principals.findUser(userId)).not.toBeNull();
});

test('the audit log shows the note, although the stored entry does not contain it', async () => {
  const { world, request } = await pendingRequest();
  await process(world, request.id, ok(REJECT));
  expect(JSON.stringify(world.backend.auditEntries())).not.toContain('talk to us first');
  const page = await world.readAuditLog(await world.callBy('of A'), {
    action: 'user.account_deletion.rejected',
    actorId: null,
    actor: null,
    result: null,
    resourceId: null,
    orgId: null,
    from: null,
    to: null,
    after: null,
    limit: 10,
  });
  expect(page).toMatchObject(
    ok({ entries: [{ details: { userId: request.userId, note: 'talk to us first' } }] }),
  );
});

describe('who may decide', () => {
  test.each<[PersonName, PersonName, string]>([
    ['of A', 'staff of P', 'ok'],
    ['of A', 'staff of P in A', 'ok'],
    ['of A', 'system', 'ok'],
    ['of A', 'of B', 'not_found'],
    ['of A', 'staff of Q', 'not_found'],
    ['of B', 'staff of P in A', 'not_found'],
    ['staff of P in A', 'staff of P', 'ok'],
    ['staff of P', 'staff of P in A', 'not_found'],
    ['staff of P', 'of A', 'not_found'],
    ['staff of P', 'system', 'ok'],
    ['system', 'staff of P', 'not_found'],
    ['of A', 'of A', 'ok'],
    ['staff of P', 'staff of P', 'ok'],
    ['system', 'system', 'ok'],
  ])('requester %s, reviewer %s: %s', async (owner, by, outcome) => {
    const { world, request } = await pendingRequest(owner);
    await loadFleet(world.backend, [aUser({ permissions: ['users:write'] })]);
    for (const input of outcome === 'ok' ? [APPROVE] : [APPROVE, REJECT]) {
      const answer = await process(world, request.id, ok(input), by);
      expect(answer.ok ? 'ok' : answer.error.code).toBe(outcome);
      expect(world.takeEntries()).toMatchObject([
        {
          resourceId: request.id,
          ...(outcome === 'ok' ? { result: 'success' } : { result: 'denied', details: { reason: outcome } }),
        },
      ]);
      expect(await world.takeMails()).toHaveLength(outcome === 'ok' ? 1 : 0);
    }
  });

  test.each<[string, CallOptions, string]>([
    ['without users:write', { permissions: ['users:read'] }, 'forbidden'],
    ['with neither users:write nor MFA', { permissions: [], mfa: 'none' }, 'forbidden'],
    ['with MFA that is too old', { mfa: 'stale' }, 'mfa_required'],
    ['without MFA', { mfa: 'not enrolled' }, 'mfa_enrollment_required'],
    ['with an API key', { withApiKey: true }, 'mfa_not_possible'],
  ])('a reviewer %s is refused and audited', async (_what, options, code) => {
    const { world, request } = await pendingRequest();
    for (const [input, action] of [
      [ok(APPROVE), 'user.account_deletion.approved'],
      [ok(REJECT), 'user.account_deletion.rejected'],
      [err<ApplicationError>({ code: 'cancelled', detail: '' }), 'user.account_deletion.approved'],
    ] as const) {
      expect(await process(world, request.id, input, 'staff of P', options)).toMatchObject(err({ code }));
      expect(world.takeEntries()).toMatchObject([
        { action, result: 'denied', resourceId: request.id, details: { reason: code } },
      ]);
    }
    expect(
      (await world.backend.deletionRequests.find({ kind: 'system' }, request.id))?.request,
    ).toStrictEqual(request);
  });
});

describe('a refused decision', () => {
  test.each<[ProcessDeletionInput, object]>([
    [{ action: 'reject', adminNote: undefined }, { code: 'admin_note_required' }],
    [{ action: 'reject', adminNote: null }, { code: 'admin_note_required' }],
    [{ action: 'reject', adminNote: ' \n' }, { code: 'admin_note_required' }],
    [
      { action: 'reject', adminNote: 5 },
      { code: 'validation_failed', errors: [{ path: 'adminNote' }] },
    ],
    [
      { action: 'reject', adminNote: 'x'.repeat(2001) },
      { code: 'validation_failed', errors: [{ path: 'adminNote' }] },
    ],
    [
      { action: 'approve', adminNote: 'x'.repeat(2001) },
      { code: 'validation_failed', errors: [{ path: 'adminNote' }] },
    ],
    [
      { action: 'Approve', adminNote: null },
      { code: 'validation_failed', errors: [{ path: 'action' }] },
    ],
    [
      { action: undefined, adminNote: 5 },
      { code: 'validation_failed', errors: [{ path: 'action' }, { path: 'adminNote' }] },
    ],
  ])('such as %j leaves no trace', async (input, error) => {
    const { world, request } = await pendingRequest();
    expect(await process(world, request.id, ok(input))).toMatchObject(err(error));
    expect([world.takeEntries(), await world.takeMails()]).toStrictEqual([[], []]);
  });

  test('passes on the error of a body that could not be read', async () => {
    const { world, request } = await pendingRequest();
    const refusal = err<ApplicationError>({ code: 'invalid_json', detail: 'no JSON' });
    expect(await process(world, request.id, refusal)).toStrictEqual(refusal);
    expect([world.takeEntries(), await world.takeMails()]).toStrictEqual([[], []]);
  });

  test('on an unknown request is audited', async () => {
    const { world } = await pendingRequest();
    const id = newId();
    expect(await process(world, id, ok(APPROVE))).toMatchObject(err({ code: 'not_found' }));
    expect(world.takeEntries()).toMatchObject([
      { result: 'denied', resourceId: id, details: { reason: 'not_found' } },
    ]);
  });

  test.each([APPROVE, REJECT])('on a request that was already decided with %j is audited', async (first) => {
    const { world, request } = await pendingRequest();
    await process(world, request.id, ok(first));
    world.takeEntries();
    await world.takeMails();
    for (const second of [APPROVE, REJECT]) {
      expect(await process(world, request.id, ok(second), 'system')).toMatchObject(err({ code: 'conflict' }));
    }
    expect(world.takeEntries().map(({ result, details }) => [result, details.reason])).toStrictEqual([
      ['denied', 'conflict'],
      ['denied', 'conflict'],
    ]);
    expect(await world.takeMails()).toStrictEqual([]);
  });
});
