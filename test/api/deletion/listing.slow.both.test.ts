/** The requests that an administrator sees (Contract: §7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import {
  type DeletionService,
  type MemberName,
  pageOf,
  REQUESTS,
  startDeletionService,
} from '#test/api/service/deletion-service.ts';
import { type Answer, problemOf, refusalOf } from '#test/api/service/service.ts';
import { newId } from '#test/support/builders.ts';

let service: DeletionService;

beforeAll(async () => {
  service = await startDeletionService();
});

afterAll(() => service.close());

const refused = (answer: Answer) => refusalOf(answer).slice(0, 2);

describe('GET /admin/account-deletion-requests', () => {
  test('answers the newest first, each with its user, and whether it is overdue', async () => {
    const team = await service.newTeam();
    const { people } = team;
    const first = await service.submit(people.member, 'I have left');
    service.pass(60);
    const second = await service.submit(people['partner in A']);
    const answer = await service.by(people.partner)('GET', REQUESTS);
    const withUser = (request: object, { id, email, name }: UserRecord) => ({
      ...request,
      user: { id, email, name },
      overdue: false,
      decider: null,
    });
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      {
        data: [withUser(second, people['partner in A']), withUser(first, people.member)],
        total: 2,
        limit: 50,
        offset: 0,
      },
    ]);
  });

  test('selects by status, and pages within the status and the scope', async () => {
    const team = await service.newTeam();
    const { people } = team;
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      const member = await service.addMember(team);
      ids.unshift((await service.submit(member)).id);
      // It belongs to another organization and sorts between two of ours.
      await service.submit(
        await service.addMember(team, { membership: { scope: 'organization', orgId: team.b } }),
      );
      service.pass(1);
    }
    const [cancelled, approved] = [ids[4] ?? '', ids[2] ?? ''];
    await service.decide(people.admin, cancelled, { action: 'reject', adminNote: 'no' });
    await service.decide(people.admin, approved, { action: 'approve' });
    const list = async (query: string) =>
      pageOf(await service.by(people.admin)('GET', `${REQUESTS}${query}`));
    const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);
    expect(await idsOf('')).toStrictEqual(ids);
    expect(await idsOf('?status=pending')).toStrictEqual([ids[0], ids[1], ids[3]]);
    expect(await idsOf('?status=processing')).toStrictEqual([approved]);
    expect(await idsOf('?status=cancelled')).toStrictEqual([cancelled]);
    expect(await idsOf('?status=completed')).toStrictEqual([]);
    expect(await idsOf('?limit=2')).toStrictEqual(ids.slice(0, 2));
    expect(await idsOf('?limit=2&offset=2')).toStrictEqual(ids.slice(2, 4));
    expect(await idsOf('?limit=2&offset=4')).toStrictEqual(ids.slice(4));
    expect(await idsOf('?status=pending&limit=1&offset=1')).toStrictEqual([ids[1]]);
    expect(await list('?limit=200&offset=5')).toStrictEqual({ data: [], total: 5, limit: 200, offset: 5 });
    expect(await list('?status=pending&limit=1')).toMatchObject({ total: 3, limit: 1, offset: 0 });
  });

  test.each<[string, readonly string[]]>([
    ['status=', ['status', 'invalid_value']],
    ['status=approved', ['status', 'invalid_value']],
    ['status=Pending', ['status', 'invalid_value']],
    ['status=pending&status=completed', ['status', 'repeated_parameter']],
    ['limit=0', ['limit', 'out_of_range']],
    ['limit=201', ['limit', 'out_of_range']],
    ['limit=1.5', ['limit', 'out_of_range']],
    ['limit=abc', ['limit', 'out_of_range']],
    ['limit=', ['limit', 'out_of_range']],
    ['orgId=', ['orgId', 'invalid_value']],
    ['limit=-1', ['limit', 'out_of_range']],
    ['offset=-1', ['offset', 'out_of_range']],
    ['offset=', ['offset', 'out_of_range']],
    ['offset=1e3', ['offset', 'out_of_range']],
    ['offset=1000000001', ['offset', 'out_of_range']],
  ])('%s is 400', async (query, fault) => {
    const { people } = await service.newTeam();
    const answer = await service.by(people.admin)('GET', `${REQUESTS}?${query}`);
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', fault]);
  });

  test('names every fault at once', async () => {
    const { people } = await service.newTeam();
    const answer = await service.by(people.admin)('GET', `${REQUESTS}?status=x&limit=0&offset=x`);
    expect(problemOf(answer).errors?.map(({ path }) => path)).toStrictEqual(['status', 'limit', 'offset']);
  });

  test('marks open requests past their time as overdue', async () => {
    const team = await service.newTeam();
    const { people } = team;
    const [pending, approved, cancelled] = [
      await service.submit(people.member),
      await service.submit(await service.addMember(team)),
      await service.submit(await service.addMember(team)),
    ];
    await service.decide(people.admin, approved.id, { action: 'approve' });
    await service.decide(people.admin, cancelled.id, { action: 'reject', adminNote: 'no' });
    const overdue = async () => {
      const { data } = pageOf(await service.by(people.admin)('GET', REQUESTS));
      return data.filter((request) => request.overdue).map(({ id }) => id);
    };
    service.pass(720 * 3600);
    expect(await overdue()).toStrictEqual([]);
    service.pass(0.001);
    expect(await overdue()).toStrictEqual([approved.id, pending.id]);
    const one = await service.by(people.admin)('GET', `${REQUESTS}/${pending.id}`);
    expect(one.body).toMatchObject({ overdue: true });
  });
});

/** Whose requests each administrator sees, of a member of A, somebody of B, and partner staff. */
const SEEN: readonly (readonly [MemberName, readonly MemberName[]])[] = [
  ['admin', ['member']],
  ['admin of B', ['admin of B']],
  ['partner', ['member', 'admin of B', 'partner', 'partner in A']],
  ['partner in A', ['member']],
  ['partner in none', []],
  ['other partner', []],
  ['system', ['member', 'admin of B', 'partner', 'partner in A']],
];

describe.each(SEEN)('for %s', (viewer, seen) => {
  test(`the requests of ${seen.join(', ') || 'nobody'} are there, in the list, the count and one by one`, async () => {
    const { people } = await service.newTeam();
    const ask = service.by(people[viewer]);
    const requests = new Map<string, MemberName>();
    for (const name of ['member', 'admin of B', 'partner', 'partner in A'] as const) {
      requests.set((await service.submit(people[name])).id, name);
    }
    const listed = pageOf(await ask('GET', `${REQUESTS}?limit=200`)).data.flatMap(
      ({ id }) => requests.get(id) ?? [],
    );
    expect(listed.toReversed()).toStrictEqual(seen);
    if (viewer !== 'system') {
      const count = await ask('GET', `${REQUESTS}/pending-count`);
      expect([count.status, count.body]).toStrictEqual([200, { count: seen.length }]);
    }
    for (const [id, name] of requests) {
      const isSeen = seen.includes(name);
      const found = await ask('GET', `${REQUESTS}/${id}`);
      expect(found.status).toBe(isSeen ? 200 : 404);
      if (!isSeen) {
        expect(refused(await service.decide(people[viewer], id, { action: 'approve' }))).toStrictEqual([
          404,
          'not_found',
        ]);
      }
    }
  });
});

test('an orgId narrows list and count to one organization, and tells nothing of others', async () => {
  const team = await service.newTeam();
  const { people } = team;
  const inA = await service.submit(people.member);
  await service.submit(people['admin of B']);
  await service.submit(people['partner in A']);
  const ask = (path: string) => service.by(people.partner)('GET', `${REQUESTS}${path}orgId=${team.a}`);
  const narrowed = pageOf(await ask('?'));
  expect([narrowed.data.map(({ id }) => id), narrowed.total]).toStrictEqual([[inA.id], 1]);
  expect((await ask('/pending-count?')).body).toStrictEqual({ count: 1 });
  for (const path of ['', '/pending-count']) {
    for (const orgId of [team.a, newId()]) {
      const answer = await service.by(people['admin of B'])('GET', `${REQUESTS}${path}?orgId=${orgId}`);
      expect(refused(answer)).toStrictEqual([404, 'not_found']);
    }
    const malformed = await service.by(people.partner)('GET', `${REQUESTS}${path}?orgId=A`);
    expect(refusalOf(malformed)).toStrictEqual([400, 'validation_failed', ['orgId', 'invalid_value']]);
    const member = await service.by(people.member)('GET', `${REQUESTS}${path}?orgId=${newId()}`);
    expect(refused(member)).toStrictEqual([403, 'forbidden']);
  }
});

test('the pending count includes only pending requests', async () => {
  const team = await service.newTeam();
  const count = async () => (await service.by(team.people.admin)('GET', `${REQUESTS}/pending-count`)).body;
  expect(await count()).toStrictEqual({ count: 0 });
  const { id } = await service.submit(team.people.member);
  await service.submit(await service.addMember(team));
  expect(await count()).toStrictEqual({ count: 2 });
  await service.decide(team.people.admin, id, { action: 'approve' });
  expect(await count()).toStrictEqual({ count: 1 });
});

test('an unknown request and a malformed id are 404', async () => {
  const { people } = await service.newTeam();
  for (const id of [newId(), 'nonsense', '../filters']) {
    expect((await service.by(people.system)('GET', `${REQUESTS}/${id}`)).status).toBe(404);
    expect((await service.decide(people.system, id, { action: 'approve' })).status).toBe(404);
  }
});
