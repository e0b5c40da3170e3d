/** ID tokens that an identity provider must not get away with (Contract: §16). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeOpenIdProviders } from '#adapters/auth/openid-providers.ts';
import { makeAskOutbound } from '#adapters/system/outbound.ts';
import type { IdentityProvider } from '#domain/access/identity-provider.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { AUTH } from '#test/api/service/auth-service.ts';
import { type DeletionService, startDeletionService, type Team } from '#test/api/service/deletion-service.ts';
import type { Answer } from '#test/api/service/service.ts';
import { anIdentityProvider, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import {
  type Forge,
  type LyingProvider,
  runLyingProvider,
  signedByAnotherKey,
  signedBySecret,
  unsigned,
} from '#test/support/oidc/run-lying-provider.ts';

const SECRET = 'a secret of the client';

let service: DeletionService;
let directory: LyingProvider;
let team: Team;
let provider: IdentityProvider;
let person: UserRecord;

beforeAll(async () => {
  directory = await runLyingProvider('fleetsift');
  service = await startDeletionService({
    openIdProviders: makeOpenIdProviders({
      ask: makeAskOutbound({ allowsPrivate: true, timeoutMs: 10_000, maxBytes: 1_048_576 }),
      allowsInsecure: true,
    }),
  });
});
beforeEach(async () => {
  team = await service.newTeam();
  person = await service.addMember(team);
  provider = anIdentityProvider({
    ...{ id: newId(), owner: { kind: 'organization', orgId: team.a }, issuer: directory.issuer },
  });
  await service.composition.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    await tx.identityProviders.add(provider, SECRET);
    await tx.identityProviders.link({
      ...{ providerId: provider.id, subject: 'mei', userId: person.id, isMade: false },
      ...{ createdAt: service.now(), lastSignInAt: null },
    });
  });
});
afterAll(async () => {
  await service.close();
  await directory.close();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  service.as('none')('GET', path, undefined, headers);

const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';

async function visit(query = '', authorization?: string): Promise<Answer> {
  const started = await get(`${AUTH}/oidc/start?provider=${provider.id}${query}`, {
    ...(authorization !== undefined && { authorization }),
  });
  const address = directory.comeBack(started.headers.get('location') ?? '');
  return get(address.replace('http://localhost', ''), { cookie: cookieOf(started) });
}

const lastEntry = async () =>
  (await service.probe.auditEntries()).filter(({ orgId }) => orgId === team.a).at(-1);

const claiming =
  (changed: object): Forge =>
  (claims, sign) =>
    sign({ ...claims, ...changed });

test.each<[string, Forge]>([
  ['signed by another key', signedByAnotherKey],
  ['that is not signed', unsigned],
  ['signed by the secret of the client', (claims) => signedBySecret(claims, SECRET)],
  [
    'whose claims changed after it was signed',
    async (claims, sign) => {
      const [header, , signature] = (await sign(claims)).split('.');
      return `${header}.${unsigned({ ...claims, amr: ['mfa'] }).split('.')[1]}.${signature}`;
    },
  ],
  ['for another audience', claiming({ aud: 'another client' })],
  ['of another issuer', claiming({ iss: 'https://id.other.example' })],
  ['that has expired', claiming({ exp: Math.floor(Date.now() / 1_000) - 60 })],
  ['without an expiry', claiming({ exp: undefined })],
  ['that is not good yet', claiming({ nbf: Math.floor(Date.now() / 1_000) + 3_600 })],
  ['for another nonce', claiming({ nonce: 'of another browser' })],
  ['without a nonce', claiming({ nonce: undefined })],
])('a token %s is refused and on record', async (_, forge) => {
  expect((await visit()).headers.get('set-cookie')).toContain('fleetsift_session=');
  directory.lies(forge);
  const back = await visit();
  const page = new URL(back.headers.get('location') ?? '', 'http://localhost');
  expect([page.pathname, page.searchParams.get('problem')]).toStrictEqual([
    '/login',
    'provider_answer_invalid',
  ]);
  expect(page.searchParams.get('request')).toBe(back.headers.get('x-request-id'));
  expect(back.headers.get('set-cookie') ?? '').not.toContain('fleetsift_session=');
  expect(await lastEntry()).toMatchObject({
    ...{ action: 'auth.login', result: 'denied', actor: { type: 'identity_provider', id: provider.id } },
    ...{ details: { reason: 'provider_answer_invalid' }, requestId: back.headers.get('x-request-id') },
  });
});

test('a forged token links no account, which is on record', async () => {
  const member = await service.addMember(team);
  const code = service.nextCode(member.totpSecret ?? '');
  const { accessToken } = await service.signIn(member, code);
  directory.lies(signedByAnotherKey);
  const back = await visit('&link=true', `Bearer ${accessToken}`);
  expect(back.headers.get('location')).toContain('/settings/security?problem=provider_answer_invalid');
  expect(await lastEntry()).toMatchObject({
    ...{ action: 'user.updated', result: 'denied', actor: { type: 'user', id: member.id } },
    details: { reason: 'provider_answer_invalid' },
  });
});

test('a person who refuses at the provider is on record', async () => {
  const started = await get(`${AUTH}/oidc/start?provider=${provider.id}`);
  const address = new URL(directory.comeBack(started.headers.get('location') ?? ''));
  address.searchParams.delete('code');
  address.searchParams.set('error', 'access_denied');
  const back = await get(address.pathname + address.search, { cookie: cookieOf(started) });
  expect(back.headers.get('location')).toContain('/login?problem=provider_denied');
  expect(await lastEntry()).toMatchObject({ result: 'denied', details: { reason: 'provider_denied' } });
});
