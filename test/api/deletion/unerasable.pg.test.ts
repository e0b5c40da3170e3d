/** Accounts that the database refuses to erase, and rows that are deleted by hand (Contract: §7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DeletionService,
  pageOf,
  REQUESTS,
  startDeletionService,
} from '#test/api/service/deletion-service.ts';
import { databaseOf, FILTERS } from '#test/api/service/service.ts';

let service: DeletionService;

beforeAll(async () => {
  service = await startDeletionService();
});

afterAll(() => service.close());

describe('the back office', () => {
  test('sets aside an account that cannot be erased, erases the others, retries it later, and mails the erased', async () => {
    // Earlier approvals are completed first.
    service.pass(720 * 3600);
    await service.composition.completeDeletions();
    const team = await service.newTeam();
    const { member, admin } = team.people;
    const good = await service.addMember(team);
    const requests = [await service.submit(member), await service.submit(good)];
    for (const { id } of requests) await service.decide(admin, id, { action: 'approve' });
    service.pass(720 * 3600);
    await databaseOf(service).owner.query(`
      create function refuse_erasure() returns trigger language plpgsql as
        $$ begin raise exception 'the row of %', old.email; end $$;
      create trigger refuse_erasure before update on app_user for each row
        when (old.id = '${member.id}') execute function refuse_erasure()`);
    const statuses = async () => {
      const { data } = pageOf(await service.by(admin)('GET', REQUESTS));
      return data.map(({ user, status }) => [user.id, status]);
    };
    const mailed = () => Promise.all(requests.map(({ id }) => service.mailedTo(id, 'deletion-completed')));
    try {
      expect(await service.composition.completeDeletions()).toStrictEqual({ completed: 1, failed: 1 });
      expect(await statuses()).toStrictEqual([
        [good.id, 'completed'],
        [member.id, 'processing'],
      ]);
      expect(await mailed()).toStrictEqual([[], [good.id]]);
      const { rows } = await databaseOf(service).owner.query(
        `select erasure_failures, erasure_problem, next_erasure_at from account_deletion_request where user_id = $1`,
        [member.id],
      );
      expect(rows).toStrictEqual([
        {
          erasure_failures: 1,
          erasure_problem: expect.stringMatching(/^\w+ \(P0001\)$/),
          next_erasure_at: new Date(service.now() + 60_000),
        },
      ]);
      expect((await service.by(member)('GET', FILTERS)).status).toBe(200);
    } finally {
      await databaseOf(service).owner.query('drop function refuse_erasure cascade');
    }
    service.pass(59.999);
    expect(await service.composition.completeDeletions()).toStrictEqual({ completed: 0, failed: 0 });
    service.pass(0.001);
    expect(await service.composition.completeDeletions()).toStrictEqual({ completed: 1, failed: 0 });
    expect(await statuses()).toStrictEqual([
      [good.id, 'completed'],
      [member.id, 'completed'],
    ]);
    expect(await mailed()).toStrictEqual([[member.id], [good.id]]);
  });

  test('a user row that is deleted by hand takes its requests with it', async () => {
    const { people } = await service.newTeam();
    const { id } = await service.submit(people.member);
    await databaseOf(service).owner.query('delete from app_user where id = $1', [people.member.id]);
    expect((await service.by(people.admin)('GET', `${REQUESTS}/${id}`)).status).toBe(404);
  });
});
