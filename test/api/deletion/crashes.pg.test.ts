/**
 * A service that is killed (`kill -9`) at every step of what it does about a deletion request: before the commit
 * nothing has happened, after it everything has, and whoever comes next finishes it with one mail of each kind
 * (Contract: §7, "Back office").
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import {
  type DeletionService,
  OWN,
  PASSWORD,
  REQUESTS,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { databaseOf } from '#test/api/service/service.ts';
import { until } from '#test/support/database/until.ts';
import type { Plan, Step } from './fixtures/stopping-service.ts';

let service: DeletionService;
let team: Team;

beforeAll(async () => {
  service = await startDeletionService();
  team = await service.newTeam();
});

afterAll(() => service.close());

/** Lets a process of its own do it up to the step, and kills it there. */
async function doAndBeKilled(plan: Omit<Plan, 'databaseUrl' | 'now'>): Promise<void> {
  const whole: Plan = { ...plan, databaseUrl: databaseOf(service).url, now: service.now() };
  const program = join(import.meta.dirname, 'fixtures/stopping-service.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(whole)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (told += text));
  const ended = once(child, 'close');
  await until(async () => told.includes('stopped\n') || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`the process ended by itself:\n${told}`);
  child.kill('SIGKILL');
  await ended;
  // The database hears of it from the socket, and undoes what was not committed.
  await until(async () => {
    const { rows } = await databaseOf(service).owner.query(
      `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    );
    return rows.length === 0;
  });
}

/** All that is stored about a person and what was done about them. */
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

const REVIEW_LINKS = 'deletion-review 4';

describe('killed while submitting', () => {
  const DONE = { statuses: ['pending'], entries: ['requested'], mails: [REVIEW_LINKS] };

  test.each<Step>(['holdAccount', 'add', 'mail', 'audit', 'commit'])('after %s', async (stopAfter) => {
    const member = await service.addMember(team);
    const before = await storedOf(member);
    await doAndBeKilled({ work: 'submit', stopAfter, userId: member.id, requestId: null });
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

  test.each<Step>(['findForUpdate', 'advance', 'audit', 'commit'])('after %s', async (stopAfter) => {
    const member = await service.addMember(team);
    const { id } = await service.submit(member);
    const before = await storedOf(member);
    await doAndBeKilled({ work: 'cancel', stopAfter, userId: member.id, requestId: id as never });
    const isDone = stopAfter === 'commit';
    if (isDone) expect(await summaryOf(member)).toStrictEqual(DONE);
    else expect(await storedOf(member)).toStrictEqual(before);
    const again = await service.by(member)('PATCH', `${OWN}/${id}`, { status: 'cancelled' });
    expect(again.status).toBe(isDone ? 409 : 200);
    expect(await summaryOf(member)).toStrictEqual(DONE);
  });
});

describe.each([
  ['approve', 'processing', 'approved', ['deletion-approved 1', REVIEW_LINKS]],
  ['reject', 'cancelled', 'rejected', ['deletion-rejected 1', REVIEW_LINKS]],
] as const)('killed while an administrator is to %s', (work, status, action, mails) => {
  const DONE = { statuses: [status], entries: [action, 'requested'].toSorted(), mails };

  test.each<Step>(['findForUpdate', 'advance', 'mail', 'audit', 'commit'])('after %s', async (stopAfter) => {
    const member = await service.addMember(team);
    const { id } = await service.submit(member);
    const before = await storedOf(member);
    await doAndBeKilled({ work, stopAfter, userId: team.people.partner.id, requestId: id as never });
    const isDone = stopAfter === 'commit';
    if (isDone) expect(await summaryOf(member)).toStrictEqual(DONE);
    else expect(await storedOf(member)).toStrictEqual(before);
    const again = await decide(id, { action: work, adminNote: 'once more' });
    expect(again.status).toBe(isDone ? 409 : 200);
    expect(await summaryOf(member)).toStrictEqual(DONE);
  });
});

describe('killed while erasing', () => {
  // What has been approved above is out of the way.
  beforeAll(async () => {
    service.pass(720 * 3600);
    await service.composition.completeDeletions();
  });

  const DONE = {
    statuses: ['completed'],
    entries: ['approved', 'completed', 'requested'],
    mails: ['deletion-approved 1', 'deletion-completed 1', REVIEW_LINKS],
  };

  test.each<Step>(['claimDue', 'eraseAccount', 'advance', 'mail', 'audit', 'commit'])(
    'after %s',
    async (stopAfter) => {
      const member = await service.addMember(team);
      const { id } = await service.submit(member);
      await decide(id, { action: 'approve' });
      service.pass(720 * 3600);
      const before = await storedOf(member);
      await doAndBeKilled({ work: 'complete', stopAfter, userId: member.id, requestId: null });
      const isDone = stopAfter === 'commit';
      if (isDone) expect(await summaryOf(member)).toStrictEqual(DONE);
      else expect(await storedOf(member)).toStrictEqual(before);
      expect(await service.composition.completeDeletions()).toStrictEqual({
        completed: isDone ? 0 : 1,
        failed: 0,
      });
      expect(await summaryOf(member)).toStrictEqual(DONE);
      expect(await storedOf(member)).toMatchObject({ user: { status: 'deleted', email: '', name: '' } });
    },
  );
});
