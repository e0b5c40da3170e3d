/** A deletion request is decided by who reaches its person now (issue 8, §4; Contract: §7). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DeletionService,
  OWN,
  pageOf,
  REQUESTS,
  requestOf,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { problemOf } from '#test/api/service/service.ts';
import { loadFleet } from '#test/support/tenant.ts';

let service: DeletionService;
let team: Team;

beforeAll(async () => {
  service = await startDeletionService();
  team = await service.newTeam();
});
afterAll(() => service.close());

test('the request of a person who moves is decided in the new organization, and hidden from the former', async () => {
  const { people } = team;
  const person = await service.addMember(team);
  const { id } = await service.submit(person, 'I leave');
  const asOld = service.by(people.admin);
  expect(pageOf(await asOld('GET', REQUESTS)).data.map((request) => request.id)).toStrictEqual([id]);
  await loadFleet(service.composition.backend, [
    { ...person, membership: { scope: 'organization', orgId: team.b } },
  ]);

  expect(pageOf(await asOld('GET', REQUESTS))).toMatchObject({ data: [], total: 0 });
  expect((await asOld('GET', `${REQUESTS}/pending-count`)).body).toStrictEqual({ count: 0 });
  expect((await asOld('GET', `${REQUESTS}/${id}`)).status).toBe(404);
  for (const action of ['approve', 'reject']) {
    const refused = await asOld('POST', `${REQUESTS}/${id}/process`, { action, adminNote: 'mine' });
    expect([refused.status, problemOf(refused).code]).toStrictEqual([404, 'not_found']);
  }

  const asNew = service.by(people['admin of B']);
  expect(pageOf(await asNew('GET', REQUESTS)).data).toMatchObject([
    { id, orgId: team.b, status: 'pending', user: { email: person.email } },
  ]);
  expect((await asNew('GET', `${REQUESTS}/pending-count`)).body).toStrictEqual({ count: 1 });
  const approved = await asNew('POST', `${REQUESTS}/${id}/process`, { action: 'approve' });
  expect(requestOf(approved)).toMatchObject({ id, status: 'processing' });

  // An approved request still moves with its person.
  await loadFleet(service.composition.backend, [
    { ...person, membership: { scope: 'partner', partnerId: team.p, orgIds: null } },
  ]);
  expect((await asNew('GET', `${REQUESTS}/${id}`)).status).toBe(404);
  const asPartner = service.by(people.partner);
  expect((await asPartner('GET', `${REQUESTS}/${id}`)).body).toMatchObject({
    id,
    orgId: null,
    status: 'processing',
  });
});

test('a cancelled request stays in the former organization, without the name of the person who moved', async () => {
  const { people } = team;
  const person = await service.addMember(team);
  const { id } = await service.submit(person);
  const cancelled = await service.by(person)('PATCH', `${OWN}/${id}`, { status: 'cancelled' });
  expect(cancelled.status).toBe(200);
  await loadFleet(service.composition.backend, [
    { ...person, membership: { scope: 'organization', orgId: team.b }, name: 'A new name' },
  ]);
  expect((await service.by(people.admin)('GET', `${REQUESTS}/${id}`)).body).toMatchObject({
    id,
    orgId: team.a,
    status: 'cancelled',
    user: { id: person.id, email: null, name: null },
  });
  expect((await service.by(people['admin of B'])('GET', `${REQUESTS}/${id}`)).status).toBe(404);
});
