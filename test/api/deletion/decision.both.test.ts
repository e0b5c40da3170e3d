/** What an administrator decides about a request (Contract: §7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DeletionService,
  OWN,
  REQUESTS,
  requestOf,
  startDeletionService,
} from '#test/api/service/deletion-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import { anApiKey } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let service: DeletionService;

beforeAll(async () => {
  service = await startDeletionService();
});

afterAll(() => service.close());

const iso = (ms: number) => new Date(ms).toISOString();
const refused = (answer: Answer) => refusalOf(answer).slice(0, 2);

describe('POST /admin/account-deletion-requests/:id/process', () => {
  test('approves: 200, in processing, with the decider and the time, and the user gets a mail', async () => {
    const team = await service.newTeam();
    const { member, admin } = team.people;
    const request = await service.submit(member, 'I have left');
    service.pass(3600);
    const answer = await service.decide(admin, request.id, { action: 'approve', adminNote: ' as asked ' });
    const approved = {
      ...request,
      status: 'processing',
      processedAt: iso(service.now()),
      processedBy: admin.id,
      adminNote: 'as asked',
      updatedAt: iso(service.now()),
      user: { id: member.id, email: member.email, name: member.name },
      decider: { id: admin.id, name: admin.name },
      overdue: false,
    };
    expect([answer.status, answer.body]).toStrictEqual([200, approved]);
    expect((await service.by(admin)('GET', `${REQUESTS}/${request.id}`)).body).toStrictEqual(approved);
    expect(await service.mailedTo(request.id, 'deletion-approved')).toStrictEqual([member.id]);
    expect((await service.recordedOf(team, admin)).at(-1)).toMatchObject({
      actor: { type: 'user', id: admin.id },
      orgId: team.a,
      action: 'user.account_deletion.approved',
      result: 'success',
      resourceId: request.id,
      details: { userId: member.id, note: 'as asked' },
    });
  });

  test('approves without a note', async () => {
    const team = await service.newTeam();
    const { id } = await service.submit(team.people.member);
    const answer = await service.decide(team.people.admin, id, { action: 'approve' });
    expect(requestOf(answer)).toMatchObject({ status: 'processing', adminNote: null });
    expect((await service.recordedOf(team, team.people.admin)).at(-1)?.details).toStrictEqual({
      userId: team.people.member.id,
      note: null,
    });
  });

  test('rejects: 200, cancelled, the account stays, and the user gets a mail with the note', async () => {
    const team = await service.newTeam();
    const { member, admin } = team.people;
    const { id } = await service.submit(member);
    const answer = await service.decide(admin, id, { action: 'reject', adminNote: ' talk to us\nfirst ' });
    expect(requestOf(answer)).toMatchObject({
      status: 'cancelled',
      adminNote: 'talk to us\nfirst',
      processedBy: admin.id,
      processedAt: iso(service.now()),
    });
    expect(await service.by(member)('GET', OWN)).toMatchObject({
      body: { data: null, latest: { adminNote: 'talk to us\nfirst' } },
    });
    expect(
      (await service.probe.mailsAbout(id)).filter(({ kind }) => kind === 'deletion-rejected'),
    ).toMatchObject([{ userId: member.id, email: member.email, facts: { adminNote: 'talk to us\nfirst' } }]);
    expect((await service.recordedOf(team, admin)).at(-1)).toMatchObject({
      action: 'user.account_deletion.rejected',
      result: 'success',
      details: { note: 'talk to us\nfirst' },
    });
  });

  test('an API key can list and read requests, but not decide them', async () => {
    const { people } = await service.newTeam();
    const key = anApiKey({ userId: people.admin.id, permissions: ['users:write'] });
    await loadFleet(service.composition.backend, [key]);
    const { id } = await service.submit(people.member);
    const ask = (path: string, init: RequestInit = {}) =>
      service.composition.app.request(path, {
        ...init,
        headers: { 'X-API-Key': key.key, 'Content-Type': 'application/json' },
      });
    expect((await ask(REQUESTS)).status).toBe(200);
    expect((await ask(`${REQUESTS}/${id}`)).status).toBe(200);
    const answer = await ask(`${REQUESTS}/${id}/process`, { method: 'POST', body: '{"action":"approve"}' });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'mfa_not_possible' }]);
  });

  test.each(['admin', 'partner', 'system'] as const)(
    'an administrator may decide their own request: %s',
    async (name) => {
      const { people } = await service.newTeam();
      const { id } = await service.submit(people[name]);
      const answer = await service.decide(people[name], id, { action: 'approve' });
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { status: 'processing', processedBy: people[name].id },
      ]);
    },
  );

  test('a second decision is 409, and is audited', async () => {
    const team = await service.newTeam();
    const { admin, partner, member } = team.people;
    const { id } = await service.submit(member);
    await service.decide(admin, id, { action: 'approve' });
    for (const body of [{ action: 'approve' }, { action: 'reject', adminNote: 'no' }]) {
      expect(refused(await service.decide(partner, id, body))).toStrictEqual([409, 'conflict']);
    }
    expect(await service.recordedOf(team, partner)).toMatchObject([
      { action: 'user.account_deletion.approved', result: 'denied', details: { reason: 'conflict' } },
      { action: 'user.account_deletion.rejected', result: 'denied', details: { reason: 'conflict' } },
    ]);
    expect(await service.mailedTo(id, 'deletion-rejected')).toStrictEqual([]);
  });

  test('the second to decide is told when the first did, and who it was if in reach', async () => {
    const team = await service.newTeam();
    const { people } = team;
    const another = await service.addMember(team);
    const detailOf = (answer: Answer) => (answer.body as { readonly detail: string }).detail;
    const at = `on ${iso(service.now()).slice(0, 10)} at ${iso(service.now()).slice(11, 16)} UTC.`;
    const approved = await service.submit(people.member);
    await service.decide(people.admin, approved.id, { action: 'approve' });
    const late = await service.decide(people.partner, approved.id, { action: 'approve' });
    expect(detailOf(late)).toBe(`The request is no longer pending: ${people.admin.name} approved it ${at}`);
    const rejected = await service.submit(another);
    await service.decide(people.partner, rejected.id, { action: 'reject', adminNote: 'no' });
    const beneath = await service.decide(people.admin, rejected.id, { action: 'approve' });
    expect(detailOf(beneath)).toBe(
      `The request is no longer pending: another administrator rejected it ${at}`,
    );
  });

  test('two administrators at once: one wins, the other gets 409', async () => {
    const { people } = await service.newTeam();
    const { id } = await service.submit(people.member);
    const answers = await Promise.all([
      service.decide(people.admin, id, { action: 'approve' }),
      service.decide(people.partner, id, { action: 'reject', adminNote: 'no' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([200, 409]);
  });
});
