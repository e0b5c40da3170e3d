/**
 * When two act on one request at the same moment, through two instances of the service on one database, exactly one
 * wins, and the audit log and the mails tell the same story (Contract: §7).
 */
import type { Composition } from 'fleetsift';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import {
  type DeletionService,
  OWN,
  PASSWORD,
  REQUESTS,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { type Answer, databaseOf } from '#test/api/service/service.ts';
import { aUser } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const ROUNDS = 50;
/** Rounds that run at once, so that transactions meet in every order. */
const AT_ONCE = 5;

let service: DeletionService;
let other: Composition;
let team: Team;
/** Connections of the owner, one for each round that runs at once. */
let owner: Pool;

/** Callbacks for the check of a user's password, by user. */
const waiting = new Map<string, () => void>();

/** Resolves when the user's password is checked, right before the submission changes anything. */
const passwordCheckOf = ({ id }: UserRecord) => new Promise<void>((resolve) => waiting.set(id, resolve));

beforeAll(async () => {
  // Hashing would take so long that every submission came too late for a race.
  service = await startDeletionService({
    checkPassword: async (userId, password) => {
      waiting.get(userId)?.();
      return password === PASSWORD;
    },
  });
  other = await service.startInstance();
  team = await service.newTeam();
  owner = new Pool({ connectionString: databaseOf(service).url, max: AT_ONCE });
});

afterAll(async () => {
  await owner.end();
  await other.close();
  await service.close();
});

/** New members of A with a second factor, loaded at once. */
async function newMembers(count: number): Promise<readonly UserRecord[]> {
  const membership = { scope: 'organization', orgId: team.a } as const;
  const members = Array.from({ length: count }, () => aUser({ membership, totpSecret: 'JBSWY3DPEHPK3PXP' }));
  await loadFleet(service.composition.backend, members);
  return members;
}

/** Plays the round with every member, a few at once. */
async function play<T>(members: readonly UserRecord[], round: (member: UserRecord, i: number) => Promise<T>) {
  const results: T[] = [];
  for (let i = 0; i < members.length; i += AT_ONCE) {
    results.push(
      ...(await Promise.all(members.slice(i, i + AT_ONCE).map((member, j) => round(member, i + j)))),
    );
  }
  return results;
}

/** Both at the same moment, one through each instance; they take turns in being asked first. */
async function race(i: number, first: () => Promise<Answer>, second: () => Promise<Answer>) {
  if (i % 2 === 0) return Promise.all([first(), second()]);
  const [two, one] = await Promise.all([second(), first()]);
  return [one, two] as const;
}

/** What is stored about a person: the statuses of their requests, the audit entries, and the mails. */
async function storyOf({ id }: UserRecord) {
  const { rows } = await owner.query<{
    statuses: readonly string[];
    entries: readonly string[];
    mails: readonly string[];
  }>(
    `select array(select status::text from account_deletion_request where user_id = $1 order by requested_at, id) as statuses,
            array(select replace(action, 'user.account_deletion.', '') || ' ' || result from audit_log
                  where resource_id in (select id from account_deletion_request where user_id = $1)
                  order by 1) as entries,
            array(select kind || ' ' || count(*) from mail_outbox where about_user_id = $1 group by kind order by kind) as mails`,
    [id],
  );
  const [story] = rows;
  if (story === undefined) throw new Error('nothing is told');
  return story;
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

const submit = (member: UserRecord, through?: Composition) =>
  service.by(member, 60, through)('POST', OWN, { password: PASSWORD });
const cancel = (member: UserRecord, id: string, through?: Composition) =>
  service.by(member, 60, through)('PATCH', `${OWN}/${id}`, { status: 'cancelled' });
const decide = (by: UserRecord, id: string, body: object, through?: Composition) =>
  service.by(by, 60, through)('POST', `${REQUESTS}/${id}/process`, body);

/** One person of A holds users:write, so each request queues one review link. */
const REVIEW_LINKS = 'deletion-review 1';

test(`two submissions, ${ROUNDS} times`, async () => {
  const members = await newMembers(ROUNDS);
  await play(members, async (member, i) => {
    const answers = await race(
      i,
      () => submit(member),
      () => submit(member, other),
    );
    expect(statusesOf(answers).toSorted()).toStrictEqual([200, 201]);
    expect(answers[0].body).toStrictEqual(answers[1].body);
    expect(await storyOf(member)).toStrictEqual({
      statuses: ['pending'],
      entries: ['requested success'],
      mails: [REVIEW_LINKS],
    });
  });
});

test(`a submission against a cancellation, ${ROUNDS} times`, async () => {
  const members = await newMembers(ROUNDS);
  await play(members, async (member, i) => {
    const { id } = await service.submit(member);
    service.pass(0.001);
    const checked = passwordCheckOf(member);
    const [submitted, cancelled] = await race(
      i,
      () => submit(member),
      async () => {
        // Otherwise the cancellation, which has less to do, would mostly come first.
        if (i % 2 === 0) await checked;
        return cancel(member, id, other);
      },
    );
    expect(cancelled.status).toBe(200);
    const isFirst = submitted.status === 200;
    expect(submitted).toMatchObject({ status: isFirst ? 200 : 201, body: { status: 'pending' } });
    expect((submitted.body as { id: string }).id === id).toBe(isFirst);
    expect(await storyOf(member)).toStrictEqual({
      statuses: isFirst ? ['cancelled'] : ['cancelled', 'pending'],
      entries: ['cancelled success', ...(isFirst ? [] : ['requested success']), 'requested success'],
      mails: [isFirst ? REVIEW_LINKS : 'deletion-review 2'],
    });
  });
});

test(`a cancellation against an approval, ${ROUNDS} times`, async () => {
  const members = await newMembers(ROUNDS);
  await play(members, async (member, i) => {
    const { id } = await service.submit(member);
    const [cancelled, approved] = await race(
      i,
      () => cancel(member, id),
      () => decide(team.people.admin, id, { action: 'approve' }, other),
    );
    const isCancelled = cancelled.status === 200;
    expect(statusesOf([cancelled, approved])).toStrictEqual(isCancelled ? [200, 409] : [409, 200]);
    expect(await storyOf(member)).toStrictEqual({
      statuses: [isCancelled ? 'cancelled' : 'processing'],
      entries: isCancelled
        ? ['approved denied', 'cancelled success', 'requested success']
        : ['approved success', 'cancelled denied', 'requested success'],
      mails: isCancelled ? [REVIEW_LINKS] : ['deletion-approved 1', REVIEW_LINKS],
    });
  });
});

test(`two administrators, ${ROUNDS} times`, async () => {
  const members = await newMembers(ROUNDS);
  const { admin, partner } = team.people;
  await play(members, async (member, i) => {
    const { id } = await service.submit(member);
    const [approved, rejected] = await race(
      i,
      () => decide(admin, id, { action: 'approve', adminNote: 'as asked' }),
      () => decide(partner, id, { action: 'reject', adminNote: 'not yet' }, other),
    );
    const isApproved = approved.status === 200;
    expect(statusesOf([approved, rejected])).toStrictEqual(isApproved ? [200, 409] : [409, 200]);
    const winner = isApproved
      ? { processedBy: admin.id, adminNote: 'as asked' }
      : { processedBy: partner.id, adminNote: 'not yet' };
    expect((await service.by(admin)('GET', `${REQUESTS}/${id}`)).body).toMatchObject(winner);
    expect(await storyOf(member)).toStrictEqual({
      statuses: [isApproved ? 'processing' : 'cancelled'],
      entries: isApproved
        ? ['approved success', 'rejected denied', 'requested success']
        : ['approved denied', 'rejected success', 'requested success'],
      mails: [isApproved ? 'deletion-approved 1' : 'deletion-rejected 1', REVIEW_LINKS],
    });
  });
});

test(`two workers, ${ROUNDS} times`, async () => {
  const members = await newMembers(ROUNDS);
  // The approvals of the other races are completed first.
  service.pass(720 * 3600);
  await service.composition.completeDeletions();
  for (const member of members) {
    const { id } = await service.submit(member);
    await decide(team.people.admin, id, { action: 'approve' });
    service.pass(1);
  }
  service.pass(720 * 3600 - members.length - 1);
  for (const member of members) {
    service.pass(1);
    const tallies = await Promise.all(
      [service.composition, other].map((instance) => instance.completeDeletions()),
    );
    expect(tallies.map(({ completed }) => completed).toSorted()).toStrictEqual([0, 1]);
    expect(await storyOf(member)).toStrictEqual({
      statuses: ['completed'],
      entries: ['approved success', 'completed success', 'requested success'],
      mails: ['deletion-approved 1', 'deletion-completed 1', REVIEW_LINKS],
    });
  }
});

test('four workers share due requests, and complete each once', async () => {
  const members = await newMembers(ROUNDS);
  await play(members, async (member) => {
    const { id } = await service.submit(member);
    await decide(team.people.admin, id, { action: 'approve' });
  });
  service.pass(720 * 3600);
  const workers = [service.composition, other, service.composition, other];
  const tallies = await Promise.all(workers.map((instance) => instance.completeDeletions()));
  expect(tallies.reduce((sum, { completed }) => sum + completed, 0)).toBe(ROUNDS);
  expect(tallies.reduce((sum, { failed }) => sum + failed, 0)).toBe(0);
  for (const member of members) {
    expect(await storyOf(member)).toMatchObject({
      statuses: ['completed'],
      entries: ['approved success', 'completed success', 'requested success'],
      mails: ['deletion-approved 1', 'deletion-completed 1', REVIEW_LINKS],
    });
  }
});
