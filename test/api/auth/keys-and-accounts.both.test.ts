/** What an API key may do about its user's account: read little, change nothing (Contract: §2). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '#adapters/http/openapi/all-operations.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import {
  type DeletionService,
  OWN,
  requestOf,
  startDeletionService,
} from '#test/api/service/deletion-service.ts';
import { refusalOf } from '#test/api/service/service.ts';
import { anApiKey, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const AUTH = '/api/v1/auth';

let service: DeletionService;
let person: UserRecord;
let ask: (method: string, path: string, body?: unknown) => ReturnType<DeletionService['ask']>;

beforeAll(async () => {
  service = await startDeletionService();
  const permissions = ['users:write', 'devices:write'];
  person = await service.addMember(await service.newTeam(), { permissions });
  const key = anApiKey({ userId: person.id, permissions });
  await loadFleet(service.composition.backend, [key]);
  ask = (method, path, body) => service.as('none')(method, path, body, { 'X-API-Key': key.key });
});
afterAll(() => service.close());

test('a key reads the deletion request without its reason, and cannot cancel it', async () => {
  const request = await service.submit(person, 'They know why');
  const answer = await ask('GET', OWN);
  const { reason, ...rest } = request;
  expect(reason).toBe('They know why');
  expect([answer.status, answer.body]).toStrictEqual([200, { data: rest, latest: rest }]);
  const own = await service.by(person)('GET', OWN);
  expect(own.body).toStrictEqual({ data: request, latest: request });

  for (const body of [{ status: 'cancelled' }, { status: 'nonsense' }]) {
    for (const id of [request.id, newId()]) {
      const refused = await ask('PATCH', `${OWN}/${id}`, body);
      expect(refusalOf(refused)).toStrictEqual([403, 'forbidden']);
    }
  }
  expect((await service.by(person)('GET', OWN)).body).toMatchObject({ data: { id: request.id } });
  const cancelled = await service.by(person)('PATCH', `${OWN}/${request.id}`, { status: 'cancelled' });
  expect(requestOf(cancelled).status).toBe('cancelled');
});

test.each([
  ['GET', `${AUTH}/api-keys`, 'forbidden'],
  ['DELETE', `${AUTH}/api-keys/${newId()}`, 'forbidden'],
  ['GET', `${AUTH}/sessions`, 'forbidden'],
  ['DELETE', `${AUTH}/sessions`, 'forbidden'],
  ['DELETE', `${AUTH}/sessions/${newId()}`, 'forbidden'],
  ['POST', `${AUTH}/password`, 'forbidden'],
  ['POST', `${AUTH}/api-keys`, 'mfa_not_possible'],
  ['POST', `${AUTH}/mfa/enroll`, 'mfa_not_possible'],
  ['POST', `${AUTH}/mfa/enroll/confirm`, 'mfa_not_possible'],
  ['POST', `${AUTH}/mfa/challenge`, 'mfa_not_possible'],
  ['POST', `${AUTH}/mfa/recovery-codes`, 'mfa_not_possible'],
  ['GET', `${AUTH}/passkeys`, 'forbidden'],
  ['POST', `${AUTH}/passkeys/options`, 'forbidden'],
  ['POST', `${AUTH}/passkeys`, 'forbidden'],
  ['GET', `${AUTH}/identity-providers`, 'forbidden'],
  ['POST', OWN, 'mfa_not_possible'],
] as const)('%s %s is 403 %s', async (method, path, code) => {
  const answer = await ask(method, path, method === 'POST' ? {} : undefined);
  expect(refusalOf(answer)).toStrictEqual([403, code]);
});

/** Without the change of the password, which needs MFA of those who have a second factor. */
const WITH_MFA = Object.entries(OPERATIONS)
  .filter(([route, { needsFreshMfa }]) => needsFreshMfa === true && route !== `POST ${AUTH}/password`)
  .map(([route]) => route);

test.each(WITH_MFA)('%s needs fresh MFA, so it is 403 mfa_not_possible', async (route) => {
  const [method = '', path = ''] = route.split(' ');
  const body = OPERATIONS[route]?.body?.example;
  const answer = await ask(
    method,
    path.replace(/:\w+/g, () => newId()),
    body,
  );
  expect(refusalOf(answer)).toStrictEqual([403, 'mfa_not_possible']);
});
