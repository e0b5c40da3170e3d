/** The first administrator of an empty service (Contract: §16). */
import type { Composition } from 'fleetsift';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import { makeFirstLink } from '#application/auth/links/invitations.ts';
import { askApp } from '#test/api/service/ask-app.ts';
import { QUICK_PASSWORDS } from '#test/api/service/auth-service.ts';
import { refusalOf } from '#test/api/service/service.ts';
import { openStore, type Store } from '#test/api/service/store.ts';
import { aUser, movableClock, SOME_INSTANT } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const AUTH = '/api/v1/auth';
const FIRST = {
  ...{ email: 'grace@example.com', name: 'Grace Hopper', password: 'correct horse battery' },
  ...{ partnerName: ' Northwind MSP ', organizationName: 'Kestrel Lane' },
};

let store: Store;
let service: Composition;
let pass: (seconds: number) => void;

beforeEach(async () => {
  const { clock, moveTo } = movableClock(SOME_INSTANT);
  pass = (seconds) => moveTo(clock() + seconds * 1_000);
  store = await openStore(inject('backend'));
  service = await store.compose(
    { filterTimeoutMs: 10_000, searchTimeoutMs: 10_000 },
    { clock, ...QUICK_PASSWORDS },
  );
});

afterEach(async () => {
  await service.close();
  await store.close();
});

const post = (path: string, body: object) => askApp(service, 'POST', `${AUTH}${path}`, body, {});
const newLink = () => {
  const { backend, clock } = service;
  return makeFirstLink({ unitOfWork: backend.unitOfWork, secrets: randomSecrets, clock })();
};
async function goodLink(): Promise<string> {
  const token = await newLink();
  if (token === null) throw new Error('there is no link');
  return token;
}

test('the link creates the first partner, organization and administrator, once', async () => {
  const [token, other] = [await goodLink(), await goodLink()];
  expect((await post('/invitation', { token })).body).toStrictEqual({
    ...{ email: null, name: null, organization: null, partner: null },
  });
  expect((await post('/invitation/accept', { token, ...FIRST })).status).toBe(204);
  const { email, password } = FIRST;
  const signedIn = await post('/login', { email, password });
  expect(signedIn.body).toMatchObject({
    user: {
      ...{ email, name: 'Grace Hopper', scope: 'system', orgId: null, isPlatformAdmin: true },
      permissions: ['users:write', 'devices:write'],
    },
  });
  const { partners, organizations } = await service.backend.listTenants();
  expect(partners.map(({ name }) => name)).toStrictEqual(['Northwind MSP']);
  expect(organizations).toMatchObject([{ name: 'Kestrel Lane', partnerId: partners[0]?.id }]);
  for (const used of [token, other]) {
    expect(refusalOf(await post('/invitation', { token: used }))).toStrictEqual([404, 'link_invalid']);
    expect(refusalOf(await post('/invitation/accept', { token: used, ...FIRST }))).toStrictEqual([
      ...[404, 'link_invalid'],
    ]);
  }
  expect(await newLink()).toBeNull();
  const entries = await store.probe.auditEntries();
  const { id } = (signedIn.body as { readonly user: { readonly id: string } }).user;
  const made = entries.filter(({ action }) => action.endsWith('.created'));
  expect(made.map(({ action, actor, resourceId }) => [action, actor.id, resourceId])).toStrictEqual([
    ['user.created', id, id],
    ['partner.created', id, partners[0]?.id],
    ['organization.created', id, organizations[0]?.id],
  ]);
});

test('every member is needed, every fault is named, and the link stays good', async () => {
  const token = await goodLink();
  expect(refusalOf(await post('/invitation/accept', { token, password: 'long enough' }))).toStrictEqual([
    ...[400, 'validation_failed'],
    ['email', 'invalid_value'],
    ['name', 'invalid_value'],
    ['partnerName', 'invalid_value'],
    ['organizationName', 'invalid_value'],
  ]);
  const faulty = { token, ...FIRST, email: 'no address', partnerName: ' ', password: 'short' };
  expect(refusalOf(await post('/invitation/accept', faulty))).toStrictEqual([
    ...[400, 'validation_failed'],
    ['password', 'out_of_range'],
  ]);
  expect((await post('/invitation/accept', { token, ...FIRST })).status).toBe(204);
});

test('the link is good for an hour', async () => {
  const token = await goodLink();
  pass(3_600);
  expect(refusalOf(await post('/invitation', { token }))).toStrictEqual([404, 'link_invalid']);
  expect((await post('/invitation/accept', { token: await goodLink(), ...FIRST })).status).toBe(204);
});

test('the link is void once there is a user', async () => {
  const token = await goodLink();
  await loadFleet(service.backend, [aUser()]);
  expect(refusalOf(await post('/invitation/accept', { token, ...FIRST }))).toStrictEqual([
    ...[404, 'link_invalid'],
  ]);
  expect(await newLink()).toBeNull();
});

test('only one of ten who accept at once succeeds, whichever link they use', async () => {
  const tokens = [await goodLink(), await goodLink()];
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      post('/invitation/accept', {
        ...{ token: tokens[i % 2], ...FIRST, email: `grace${i}@example.com` },
        ...{ partnerName: `Partner ${i}`, organizationName: `Organization ${i}` },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([204, ...Array(9).fill(404)]);
  const { partners, organizations } = await service.backend.listTenants();
  expect([partners.length, organizations.length]).toStrictEqual([1, 1]);
});
