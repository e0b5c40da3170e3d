/** What becomes of an approved request, and the whole way to the approval (Contract: §7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import {
  AUDIT_LOG,
  auditOf,
  type DeletionService,
  OWN,
  PASSWORD,
  REQUESTS,
  requestOf,
  startDeletionService,
} from '#test/api/service/deletion-service.ts';
import { type Answer, FILTERS, refusalOf } from '#test/api/service/service.ts';
import { anApiKey } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const GOOD = { password: PASSWORD };

let service: DeletionService;

beforeAll(async () => {
  service = await startDeletionService();
});

afterAll(() => service.close());

const iso = (ms: number) => new Date(ms).toISOString();
const refused = (answer: Answer) => refusalOf(answer).slice(0, 2);

describe('the back office', () => {
  test('erases on time: the request is completed, and tokens and keys stop working', async () => {
    const team = await service.newTeam();
    const { member, admin } = team.people;
    const key = anApiKey({ userId: member.id });
    await loadFleet(service.composition.backend, [key]);
    const { id, processBy } = await service.submit(member, 'I have left');
    await service.decide(admin, id, { action: 'approve', adminNote: 'as asked' });
    service.pass((Date.parse(processBy) - service.now() - 1) / 1000);
    await service.composition.completeDeletions();
    expect((await service.by(member)('GET', FILTERS)).status).toBe(200);
    service.pass(0.001);
    await service.composition.completeDeletions();
    const statuses = async () => [
      (await service.by(member)('GET', FILTERS)).status,
      (await service.composition.app.request(FILTERS, { headers: { 'X-API-Key': key.key } })).status,
    ];
    await expect.poll(statuses, { timeout: 2_000, interval: 20 }).toStrictEqual([401, 401]);
    const login = { email: member.email, password: PASSWORD };
    expect(refused(await service.ask('POST', '/api/v1/auth/login', login))).toStrictEqual([
      401,
      'invalid_credentials',
    ]);
    expect((await service.by(admin)('GET', `${REQUESTS}/${id}`)).body).toMatchObject({
      status: 'completed',
      reason: null,
      adminNote: null,
      processedBy: admin.id,
      updatedAt: iso(service.now()),
      user: { id: member.id, email: null, name: null },
      overdue: false,
    });
    const page = auditOf(await service.by(admin)('GET', `${AUDIT_LOG}?resourceId=${id}`));
    expect(page.data).toMatchObject([
      { action: 'user.account_deletion.completed', actor: { type: 'system', id: null }, orgId: team.a },
      { action: 'user.account_deletion.approved', details: { userId: member.id, note: null } },
      { action: 'user.account_deletion.requested' },
    ]);
    const mails = (await service.probe.mailsAbout(id)).filter(({ userId }) => userId === member.id);
    expect(mails.map(({ kind, status, email }) => ({ kind, status, email }))).toStrictEqual([
      { kind: 'deletion-approved', status: 'withdrawn', email: null },
      { kind: 'deletion-completed', status: 'queued', email: member.email },
    ]);
  });

  test('also erases people who were disabled after the approval, and tells them', async () => {
    const { people } = await service.newTeam();
    const { id } = await service.submit(people.member);
    await service.decide(people.admin, id, { action: 'approve' });
    await service.probe.changeUser(people.member.id, { status: 'disabled' });
    service.pass(720 * 3600);
    await service.composition.completeDeletions();
    expect((await service.by(people.admin)('GET', `${REQUESTS}/${id}`)).body).toMatchObject({
      status: 'completed',
      user: { email: null },
    });
    expect(await service.mailedTo(id, 'deletion-completed')).toStrictEqual([people.member.id]);
  });

  test("keeps the person's filters and who created them, and removes the name from their history", async () => {
    const team = await service.newTeam();
    const { member, admin } = team.people;
    const filter = await service.by(member)('POST', FILTERS, {
      name: 'Mine',
      conditions: { operator: 'AND', conditions: [{ field: 'hostname', operator: 'equals', value: 'x' }] },
    });
    const { id: filterId } = filter.body as { id: string };
    await service.by(admin)('PATCH', `${FILTERS}/${filterId}`, { name: 'Ours' });
    const authors = async () => {
      const { body } = await service.by(admin)('GET', `${FILTERS}/${filterId}/versions`);
      return (body as { readonly data: readonly { readonly by: unknown }[] }).data.map(({ by }) => by);
    };
    const renamer = { id: admin.id, name: admin.name };
    expect(await authors()).toStrictEqual([renamer, { id: member.id, name: member.name }]);
    const { id } = await service.submit(member);
    await service.decide(admin, id, { action: 'approve' });
    service.pass(720 * 3600);
    await service.composition.completeDeletions();
    expect((await service.by(admin)('GET', `${FILTERS}/${filterId}`)).body).toMatchObject({
      createdBy: member.id,
    });
    expect(await authors()).toStrictEqual([renamer, null]);
  });
});

test('a request can be submitted and approved after signing in with a code', async () => {
  const team = await service.newTeam();
  const { member, admin } = team.people;
  const signIn = async (user: UserRecord) =>
    (await service.signInWithMfa({ user, totpSecret: user.totpSecret ?? '' })).accessToken;
  const submitted = await service.ask('POST', OWN, GOOD, await signIn(member));
  expect(submitted.status).toBe(201);
  const path = `${REQUESTS}/${requestOf(submitted).id}/process`;
  const approved = await service.ask('POST', path, { action: 'approve' }, await signIn(admin));
  expect(requestOf(approved).status).toBe('processing');
});
