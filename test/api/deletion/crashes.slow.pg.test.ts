/**
 * A service is killed (`kill -9`) at every step of its work on a deletion request: before the commit nothing has
 * happened, after it everything has, and the next worker finishes the work with one mail of each kind (Contract: §7,
 * "Back office").
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeReminderJob } from '#application/deletion/mail-reviewers.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import type { DeletionRequestId } from '#domain/ids.ts';
import {
  type DeletionService,
  OWN,
  PASSWORD,
  REQUESTS,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { databaseOf } from '#test/api/service/service.ts';
import { COMPILED_MODULES } from '#test/support/compiled-modules.ts';
import { until } from '#test/support/database/until.ts';
import type { Plan, Step } from './fixtures/stopping-service.ts';

let service: DeletionService;
let team: Team;

beforeAll(async () => {
  service = await startDeletionService();
  team = await service.newTeam();
});

afterAll(() => service.close());

const PROGRAM = join(import.meta.dirname, 'fixtures/stopping-service.ts');

/** A separate process that stops in one step after the other, and is then killed in all of them at once. */
function startStoppingService() {
  const child = spawn(process.execPath, [PROGRAM, databaseOf(service).url], {
    env: { ...process.env, ...COMPILED_MODULES },
    stdio: 'pipe',
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (told += text));
  const ended = once(child, 'close');
  let stops = 0;
  return {
    doUntilItStops: async (plan: Omit<Plan, 'now'>) => {
      stops += 1;
      child.stdin.write(`${JSON.stringify({ ...plan, now: service.now() })}\n`);
      await until(async () => told.split('stopped\n').length > stops || child.exitCode !== null);
      if (child.exitCode !== null) throw new Error(`the process ended by itself:\n${told}`);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
      // The database hears of it from the socket, and undoes what was not committed.
      await until(async () => {
        const { rows } = await databaseOf(service).owner.query(
          `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
        );
        return rows.length === 0;
      });
    },
  };
}

/** A person whose request was in the works when the process was killed, and what was stored about them before. */
interface Victim {
  readonly member: UserRecord;
  readonly requestId: string | null;
  readonly before: Awaited<ReturnType<typeof storedOf>>;
}

/** Before the tests of the suite: starts the work for one person per step, and stops it at that step. */
function killedAfter(
  steps: readonly Step[],
  work: Plan['work'],
  prepare: (member: UserRecord) => Promise<Pick<Plan, 'userId' | 'requestId'>>,
): (step: Step) => Victim {
  const victims = new Map<Step, Victim>();
  beforeAll(async () => {
    const stopping = startStoppingService();
    for (const stopAfter of steps) {
      const member = await service.addMember(team);
      const prepared = await prepare(member);
      victims.set(stopAfter, { member, requestId: prepared.requestId, before: await storedOf(member) });
      await stopping.doUntilItStops({ work, stopAfter, ...prepared });
    }
    await stopping.kill();
  });
  return (step) => {
    const victim = victims.get(step);
    if (victim === undefined) throw new Error(`nothing was stopped after ${step}`);
    return victim;
  };
}

/** All that is stored about a person, including the audit entries and mails about them. */
async function storedOf({ id }: UserRecord) {
  const { rows } = await databaseOf(service).owner.query<{
    user: object;
    requests: readonly { readonly status: string }[];
    entries: readonly string[];
    mails: readonly string[];
  }>(
    `select (select to_jsonb(u) from app_user u where id = $1) as user,
            array(select to_jsonb(r) from account_deletion_request r where user_id = $1 order by requested_at, id) as requests,
            array(select replace(action, 'user.account_deletion.', '') from audit_log
                  where result = 'success' and details->>'userId' = $1::text order by 1) as entries,
            array(select kind || ' ' || count(*) from mail_outbox where about_user_id = $1 group by kind order by kind) as mails`,
    [id],
  );
  const [stored] = rows;
  if (stored === undefined) throw new Error('nothing is stored');
  return stored;
}

const summaryOf = async (member: UserRecord) => {
  const { requests, entries, mails } = await storedOf(member);
  return { statuses: requests.map(({ status }) => status), entries, mails };
};

const decide = (id: string, body: object) =>
  service.by(team.people.admin)('POST', `${REQUESTS}/${id}/process`, body);

const REVIEW_LINKS = 'deletion-review 1';

describe('killed while submitting', () => {
  const DONE = { statuses: ['pending'], entries: ['requested'], mails: [REVIEW_LINKS] };
  const STEPS: readonly Step[] = ['holdAccount', 'add', 'mail', 'audit', 'commit'];
  const victimOf = killedAfter(STEPS, 'submit', async ({ id }) => ({ userId: id, requestId: null }));

  test.each(STEPS)('after %s', async (stopAfter) => {
    const { member, before } = victimOf(stopAfter);
    const isDone = stopAfter === 'commit';
    if (isDone) expect(await summaryOf(member)).toStrictEqual(DONE);
    else expect(await storedOf(member)).toStrictEqual(before);
    const again = await service.by(member)('POST', OWN, { password: PASSWORD });
    expect(again.status).toBe(isDone ? 200 : 201);
    expect(await summaryOf(member)).toStrictEqual(DONE);
  });
});

describe('killed while cancelling', () => {
  const DONE = { statuses: ['cancelled'], entries: ['cancelled', 'requested'], mails: [REVIEW_LINKS] };
  const STEPS: readonly Step[] = ['findForUpdate', 'advance', 'audit', 'commit'];
  const victimOf = killedAfter(STEPS, 'cancel', async (member) => {
    const { id } = await service.submit(member);
    return { userId: member.id, requestId: id as DeletionRequestId };
  });

  test.each(STEPS)('after %s', async (stopAfter) => {
    const { member, requestId, before } = victimOf(stopAfter);
    const isDone = stopAfter === 'commit';
    if (isDone) expect(await summaryOf(member)).toStrictEqual(DONE);
    else expect(await storedOf(member)).toStrictEqual(before);
    const again = await service.by(member)('PATCH', `${OWN}/${requestId}`, { status: 'cancelled' });
    expect(again.status).toBe(isDone ? 409 : 200);
    expect(await summaryOf(member)).toStrictEqual(DONE);
  });
});

describe.each([
  ['approve', 'processing', 'approved', ['deletion-approved 1', REVIEW_LINKS]],
  ['reject', 'cancelled', 'rejected', ['deletion-rejected 1', REVIEW_LINKS]],
] as const)('killed while an administrator decides to %s', (work, status, action, mails) => {
  const DONE = { statuses: [status], entries: [action, 'requested'].toSorted(), mails };
  const STEPS: readonly Step[] = ['findForUpdate', 'advance', 'mail', 'audit', 'commit'];
  const victimOf = killedAfter(STEPS, work, async (member) => {
    const { id } = await service.submit(member);
    return { userId: team.people.partner.id, requestId: id as DeletionRequestId };
  });

  test.each(STEPS)('after %s', async (stopAfter) => {
    const { member, requestId, before } = victimOf(stopAfter);
    const isDone = stopAfter === 'commit';
    if (isDone) expect(await summaryOf(member)).toStrictEqual(DONE);
    else expect(await storedOf(member)).toStrictEqual(before);
    const again = await decide(requestId ?? '', { action: work, adminNote: 'once more' });
    expect(again.status).toBe(isDone ? 409 : 200);
    expect(await summaryOf(member)).toStrictEqual(DONE);
  });
});

describe('killed while erasing', () => {
  // The approvals above are completed first.
  beforeAll(async () => {
    service.pass(720 * 3600);
    await service.composition.completeDeletions();
  });

  const DONE = {
    statuses: ['completed'],
    entries: ['approved', 'completed', 'requested'],
    mails: ['deletion-approved 1', 'deletion-completed 1', REVIEW_LINKS],
  };
  const STEPS: readonly Step[] = ['claimDue', 'eraseAccount', 'advance', 'mail', 'audit', 'commit'];
  // Only one is due at a time: the earlier ones are claimed by then.
  const victimOf = killedAfter(STEPS, 'complete', async (member) => {
    const { id } = await service.submit(member);
    await decide(id, { action: 'approve' });
    service.pass(720 * 3600);
    return { userId: member.id, requestId: null };
  });

  test.each(STEPS)('after %s', async (stopAfter) => {
    const { member, before } = victimOf(stopAfter);
    if (stopAfter === 'commit') expect(await summaryOf(member)).toStrictEqual(DONE);
    else expect(await storedOf(member)).toStrictEqual(before);
  });

  test('the next worker erases all that are left, each once', async () => {
    expect(await service.composition.completeDeletions()).toStrictEqual({
      completed: STEPS.length - 1,
      failed: 0,
    });
    for (const { member } of STEPS.map(victimOf)) {
      expect(await summaryOf(member)).toStrictEqual(DONE);
      expect(await storedOf(member)).toMatchObject({ user: { status: 'deleted', email: '', name: '' } });
    }
  });
});

describe('killed while reminding', () => {
  const remind = () => {
    const { signal } = new AbortController();
    const { unitOfWork } = service.composition.backend;
    return makeReminderJob({ unitOfWork, clock: service.now }).run({ stopping: signal, aborting: signal });
  };

  // Requests of the suites above are overdue.
  beforeAll(remind);

  const STEPS: readonly Step[] = ['takeReminder', 'mail', 'commit'];
  const victimOf = killedAfter(STEPS, 'remind', async (member) => {
    await service.submit(member);
    service.pass(23 * 24 * 3600);
    return { userId: member.id, requestId: null };
  });
  const REMINDED = ['deletion-reminder 1', REVIEW_LINKS];

  test.each(STEPS)('after %s', async (stopAfter) => {
    const { member, before } = victimOf(stopAfter);
    if (stopAfter === 'commit') expect((await summaryOf(member)).mails).toStrictEqual(REMINDED);
    else expect(await storedOf(member)).toStrictEqual(before);
  });

  test('the next worker reminds of all that are left, each once', async () => {
    await remind();
    await remind();
    for (const { member } of STEPS.map(victimOf)) {
      const DONE = { statuses: ['pending'], entries: ['requested'], mails: REMINDED };
      expect(await summaryOf(member)).toStrictEqual(DONE);
    }
  });
});
