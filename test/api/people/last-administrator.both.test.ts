/** The service never loses its last administrator (Contract: §7, §16). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ChangeablePerson } from '#domain/access/person.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { type DeletionService, startDeletionService, type Team } from '#test/api/service/deletion-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import { SYSTEM_SCOPE } from '#test/support/builders.ts';

const USERS = '/api/v1/users';

let service: DeletionService;
let team: Team;

beforeAll(async () => {
  service = await startDeletionService();
});
beforeEach(async () => {
  team = await service.newTeam();
});
afterAll(() => service.close());

const inTransaction = <T>(work: Parameters<typeof service.composition.backend.unitOfWork<T>>[1]) =>
  service.composition.backend.unitOfWork(SYSTEM_SCOPE, work);

const everybody = () =>
  service.composition.backend.peopleReader.list(SYSTEM_SCOPE, {
    ...{ foldedText: '', orgId: null, partnerId: null, status: null, after: null, limit: 10_000 },
  });

/** Takes the rights of an administrator of the whole service from everybody but these. */
async function leaveOnly(...kept: readonly UserRecord[]): Promise<void> {
  const ids = new Set(kept.map(({ id }) => id));
  for (const person of await everybody()) {
    const isAdministrator = person.membership.scope === 'system' || person.isPlatformAdmin;
    if (ids.has(person.id) || !isAdministrator) continue;
    const demoted: ChangeablePerson = { ...person, permissions: [], isPlatformAdmin: false };
    await inTransaction(async (tx) => {
      await tx.people.hold(person.id);
      await tx.people.replace(demoted);
    });
  }
}

const addPair = async (rights: Pick<UserRecord, 'permissions' | 'isPlatformAdmin'>) => {
  const one = { membership: { scope: 'system' }, ...rights } as const;
  const pair = [await service.addMember(team, one), await service.addMember(team, one)] as const;
  await leaveOnly(...pair);
  return pair;
};

const MANAGERS = { permissions: ['users:write'], isPlatformAdmin: false };
const PLATFORM_ADMINS = { permissions: ['users:write'], isPlatformAdmin: true };

test.each<[string, typeof MANAGERS, () => object]>([
  ['managers disable', MANAGERS, () => ({ status: 'disabled' })],
  ['managers demote', MANAGERS, () => ({ permissions: [] })],
  ['managers move', MANAGERS, () => ({ orgId: team.a })],
  ['platform administrators disable', PLATFORM_ADMINS, () => ({ status: 'disabled' })],
  ['platform administrators demote', PLATFORM_ADMINS, () => ({ isPlatformAdmin: false })],
  ['platform administrators move', PLATFORM_ADMINS, () => ({ partnerId: team.p })],
])('when two %s each other at the same moment, one is left', async (_, rights, changeOf) => {
  const [one, two] = await addPair(rights);
  const ask = (by: UserRecord, user: UserRecord): Promise<Answer> =>
    service.by(by)('PATCH', `${USERS}/${user.id}`, changeOf());
  const answers = await Promise.all([ask(one, two), ask(two, one)]);
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted).toHaveLength(1);
  // The other is refused by the rule or, if the first was quick, no longer has access.
  const [code] = answers.filter(({ status }) => status !== 200).map((answer) => refusalOf(answer)[1]);
  expect(['last_administrator', 'unauthenticated', 'forbidden', 'not_found', 'exceeds_own_rights']).toContain(
    code,
  );
  const left = (await everybody()).filter(
    ({ id, status, membership, permissions, isPlatformAdmin }) =>
      [one.id, two.id].includes(id) &&
      status === 'active' &&
      (rights.isPlatformAdmin ? isPlatformAdmin : permissions.includes('users:write')) &&
      membership.scope === 'system',
  );
  expect(left).toHaveLength(1);
});

test('the deletion of the last administrator is neither approved nor carried out', async () => {
  const [one, two] = await addPair(MANAGERS);
  const { id } = await service.submit(one);
  const other = await service.submit(two);
  expect((await service.decide(two, id, { action: 'approve' })).status).toBe(200);
  expect((await service.by(one)('PATCH', `${USERS}/${two.id}`, { permissions: [] })).status).toBe(200);
  // The person whose deletion is approved is now the last administrator, and stays until there is another.
  service.pass(31 * 86_400);
  expect(await service.composition.completeDeletions()).toStrictEqual({ completed: 0, failed: 1 });
  const isLeft = async (user: UserRecord) => (await everybody()).some((person) => person.id === user.id);
  expect(await isLeft(one)).toBe(true);
  const heir = await service.addMember(team, { membership: { scope: 'system' }, ...MANAGERS });
  expect(refusalOf(await service.decide(heir, id, { action: 'approve' }))).toStrictEqual([409, 'conflict']);
  service.pass(86_400);
  expect(await service.composition.completeDeletions()).toMatchObject({ completed: 1 });
  expect(await isLeft(one)).toBe(false);
  // The former administrator may leave; the heir may not.
  expect((await service.decide(heir, other.id, { action: 'approve' })).status).toBe(200);
  const last = await service.submit(heir);
  expect(refusalOf(await service.decide(heir, last.id, { action: 'approve' }))).toStrictEqual([
    409,
    'last_administrator',
  ]);
});
