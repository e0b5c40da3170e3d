/** Sign-in through an identity provider, against a real one (Contract: §16). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeOpenIdProviders } from '#adapters/auth/openid-providers.ts';
import { makeAskOutbound } from '#adapters/system/outbound.ts';
import type { IdTokenClaims } from '#domain/access/id-token.ts';
import type { IdentityProvider } from '#domain/access/identity-provider.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { AUTH } from '#test/api/service/auth-service.ts';
import {
  type DeletionService,
  OWN,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import { anIdentityProvider, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { type RunningProvider, runProvider } from '#test/support/oidc/run-provider.ts';
import { takeMails, tokenIn } from './take-mails.ts';

const CALLBACK = `http://localhost${AUTH}/oidc/callback`;

let service: DeletionService;
let directory: RunningProvider;
let team: Team;
/** Claims in place of those of the ID token. */
let told: IdTokenClaims = {};

const real = makeOpenIdProviders({
  ask: makeAskOutbound({ allowsPrivate: true, timeoutMs: 10_000, maxBytes: 1_048_576 }),
  allowsInsecure: true,
});

beforeAll(async () => {
  directory = await runProvider({
    client_id: 'fleetsift',
    client_secret: 'hush',
    redirect_uris: [CALLBACK],
  });
  service = await startDeletionService({
    openIdProviders: {
      ...real,
      finish: async (...given) => {
        const finished = await real.finish(...given);
        return finished.ok ? { ...finished, value: { ...finished.value, ...told } } : finished;
      },
    },
  });
});
beforeEach(async () => {
  told = {};
  team = await service.newTeam();
});
afterAll(async () => {
  await service.close();
  await directory.close();
});

async function addProvider(given: Partial<IdentityProvider> = {}): Promise<IdentityProvider> {
  const domain = `${newId()}.example`;
  const provider = anIdentityProvider({
    id: newId(),
    owner: { kind: 'organization', orgId: team.a },
    ...{ issuer: directory.issuer, domains: [{ domain, isVerified: true }], provisions: true },
    ...given,
  });
  const refused = await service.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
    tx.identityProviders.add(provider, 'hush'),
  );
  expect(refused).toBeNull();
  return provider;
}

const ODD = 'an address that the service does not take';

const emailAt = ({ domains }: IdentityProvider) => `mei-${newId()}@${domains[0]?.domain}`;

const get = (path: string, headers: Record<string, string> = {}) =>
  service.as('none')('GET', path, undefined, headers);

const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';
const placeOf = ({ status, headers }: Answer) => {
  if (status !== 302) throw new Error(`no redirect: ${status}`);
  return headers.get('location') ?? '';
};
/** The page that is shown, and the problem that it names. */
const problemOf = (answer: Answer) => {
  const url = new URL(placeOf(answer), 'http://localhost');
  return [url.pathname, url.searchParams.get('problem')];
};

interface Begun {
  readonly cookie: string;
  readonly location: string;
}

async function begin(query: string, headers: Record<string, string> = {}): Promise<Begun> {
  const started = await get(`${AUTH}/oidc/start?${query}`, headers);
  return { cookie: cookieOf(started), location: placeOf(started) };
}

/** As a browser: to the provider, where somebody signs in, and back. */
async function visit(query: string, claims: IdTokenClaims & { sub: string }): Promise<Answer> {
  const { cookie, location } = await begin(query);
  directory.signsIn(claims);
  return comeBack(await directory.browse(location), cookie);
}

const comeBack = (address: string, cookie: string) =>
  get(address.replace('http://localhost', ''), { cookie });

async function sessionOf(answer: Answer) {
  const refreshed = await service.as('none')('POST', `${AUTH}/session/refresh`, undefined, {
    cookie: cookieOf(answer),
  });
  if (refreshed.status !== 200) throw new Error(`no session: ${refreshed.status} ${placeOf(answer)}`);
  return refreshed.body as { accessToken: string; user: Record<string, unknown> & { id: string } };
}

const verified = (email: string, more: IdTokenClaims = {}) => ({
  ...{ sub: newId() as string, email, email_verified: true, name: 'Mei Tanaka' },
  ...more,
});

describe('a first sign-in', () => {
  test('creates the person in the organization of the provider, with a session in the cookie', async () => {
    const provider = await addProvider({ permissions: ['devices:write'] });
    const email = emailAt(provider);
    const back = await visit(`email=${email}`, verified(email));
    expect(placeOf(back)).toBe('/');
    expect(back.headers.get('set-cookie')).toMatch(
      /^fleetsift_session=fsc_[\w-]{43}; Path=\/api\/v1\/auth\/session; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    const { user } = await sessionOf(back);
    expect(user).toMatchObject({
      ...{ email, name: 'Mei Tanaka', scope: 'organization', orgId: team.a },
      ...{
        permissions: ['devices:write'],
        isPlatformAdmin: false,
        mfa: { enrolled: false, verifiedAt: null },
      },
    });
    const seen = await service.by(team.people.admin)('GET', `/api/v1/users/${user.id}`);
    expect(seen.body).toMatchObject({ identityProvider: { id: provider.id, name: 'Directory' } });
    const entries = (await service.probe.auditEntries()).filter(({ resourceId }) => resourceId === user.id);
    expect(entries.map(({ action, actor, orgId }) => [action, actor.type, orgId])).toStrictEqual([
      ['user.created', 'identity_provider', team.a],
      ['auth.login', 'user', team.a],
    ]);
  });

  test('is followed by sign-ins of the same person, even after the email has changed', async () => {
    const provider = await addProvider();
    const claims = verified(emailAt(provider));
    const { user } = await sessionOf(await visit(`provider=${provider.id}`, claims));
    const again = await sessionOf(
      await visit(`provider=${provider.id}`, { ...claims, email: 'other@elsewhere.example' }),
    );
    expect(again.user).toStrictEqual(user);
  });

  test('creates one person, even from ten tabs at once', async () => {
    const provider = await addProvider();
    directory.signsIn(verified(emailAt(provider)));
    const begun = await Promise.all(Array.from({ length: 10 }, () => begin(`provider=${provider.id}`)));
    const addresses = await Promise.all(begun.map(({ location }) => directory.browse(location)));
    const backs = await Promise.all(addresses.map((address, i) => comeBack(address, begun[i]?.cookie ?? '')));
    const ids = await Promise.all(backs.map(async (back) => (await sessionOf(back)).user.id));
    expect(new Set(ids).size).toBe(1);
  });

  test.each<[string, Partial<IdentityProvider>, IdTokenClaims]>([
    ['not_provisioned', { provisions: false }, {}],
    ['no_email', {}, { email: null }],
    ['no_email', {}, { email: ODD }],
    ['email_not_verified', {}, { email_verified: false }],
    ['domain_not_verified', {}, { email: 'mei@another-tenant.example' }],
  ])('is refused: %s', async (problem, given, claims) => {
    const provider = await addProvider(given);
    const email = emailAt(provider);
    told = claims.email === ODD ? { email: `<${email}` } : claims;
    expect(problemOf(await visit(`provider=${provider.id}`, verified(email)))).toStrictEqual([
      '/login',
      problem,
    ]);
    expect(await service.composition.backend.signIns.findByEmail(email)).toBeNull();
    const last = (await service.probe.auditEntries()).at(-1);
    expect(last).toMatchObject({
      ...{ action: 'auth.login', result: 'denied', orgId: team.a, details: { reason: problem } },
      actor: { type: 'identity_provider', id: provider.id },
    });
  });

  test.each(['', 'Mei\u0000', 'x'.repeat(10_000), 7])(
    'uses the email in place of a name such as %j',
    async (name) => {
      const provider = await addProvider();
      told = { name };
      const email = emailAt(provider);
      const { user } = await sessionOf(await visit(`provider=${provider.id}`, verified(email)));
      expect(user['name']).toBe(email);
    },
  );

  test('neither takes over an account with the same email nor creates another', async () => {
    const provider = await addProvider();
    const email = emailAt(provider);
    await service.addMember(team, { email });
    expect(problemOf(await visit(`email=${email}`, verified(email.toUpperCase())))).toStrictEqual([
      '/login',
      'account_exists',
    ]);
  });
});

describe('groups', () => {
  test('replace permissions and organizations at each sign-in, within the partner', async () => {
    const provider = await addProvider({
      owner: { kind: 'partner', partnerId: team.p },
      groupsClaim: 'groups',
      groups: [
        { group: 'Admins', permissions: ['users:write'], orgIds: null },
        { group: 'Ops of A', permissions: ['devices:write'], orgIds: [team.a, newId()] },
      ],
    });
    const claims = verified(emailAt(provider), { groups: ['Admins', 'Everyone'] });
    const before = await sessionOf(await visit(`provider=${provider.id}`, claims));
    expect(before.user).toMatchObject({ scope: 'partner', permissions: ['users:write'] });
    const people = (token: string) => service.ask('GET', '/api/v1/users', undefined, token);
    expect((await people(before.accessToken)).status).toBe(200);

    const after = await sessionOf(
      await visit(`provider=${provider.id}`, { ...claims, groups: ['Ops of A'] }),
    );
    expect(after.user).toMatchObject({ id: before.user.id, permissions: ['devices:write'] });
    expect(
      (await service.by(team.people.system)('GET', `/api/v1/users/${after.user.id}`)).body,
    ).toMatchObject({
      ...{ orgIds: [team.a], isPlatformAdmin: false },
    });
    // The place has changed, so the earlier session is over; its permissions would be gone in any case.
    expect((await people(before.accessToken)).status).toBe(401);
    expect((await people(after.accessToken)).status).toBe(403);

    const none = await sessionOf(await visit(`provider=${provider.id}`, { ...claims, groups: [] }));
    expect(none.user).toMatchObject({ permissions: [] });
  });

  test('change nothing about people who linked their account', async () => {
    const provider = await addProvider({
      groupsClaim: 'groups',
      groups: [{ group: 'Admins', permissions: ['users:write'], orgIds: null }],
    });
    const member = await service.addMember(team);
    const claims = await link(member, provider);
    const { user } = await sessionOf(
      await visit(`provider=${provider.id}`, { ...claims, groups: ['Admins'] }),
    );
    expect(user).toMatchObject({ id: member.id, permissions: [] });
  });
});

/** The access token of a stored session, with fresh MFA. */
async function tokenOf(user: Pick<UserRecord, 'email' | 'password' | 'totpSecret'>): Promise<string> {
  const { accessToken } = await service.signIn(user as UserRecord, service.nextCode(user.totpSecret ?? ''));
  return accessToken;
}

async function link(member: UserRecord, provider: IdentityProvider) {
  const authorization = `Bearer ${await tokenOf(member)}`;
  const { cookie, location } = await begin(`provider=${provider.id}&link=true`, { authorization });
  const claims = verified('private@elsewhere.example');
  directory.signsIn(claims);
  const back = await comeBack(await directory.browse(location), cookie);
  expect(placeOf(back)).toBe('/settings/security');
  expect(back.headers.get('set-cookie')).toBeNull();
  return claims;
}

describe('linking', () => {
  test('lets the provider sign the person in until they unlink it, and sends a mail', async () => {
    const provider = await addProvider({ name: 'Entra' });
    const member = await service.addMember(team);
    const claims = await link(member, provider);
    const kinds = (await takeMails(service.composition)).filter(({ to }) => to.userId === member.id);
    expect(kinds.map(({ kind }) => kind)).toStrictEqual(['provider-linked']);
    expect((await sessionOf(await visit(`provider=${provider.id}`, claims))).user.id).toBe(member.id);

    const token = await tokenOf(member);
    const own = () => service.ask('GET', `${AUTH}/identity-providers`, undefined, token);
    expect((await own()).body).toMatchObject({
      data: [{ id: provider.id, name: 'Entra', lastSignInAt: expect.any(String), permanent: false }],
    });
    const gone = await service.ask('DELETE', `${AUTH}/identity-providers/${provider.id}`, undefined, token);
    expect(gone.status).toBe(204);
    expect((await own()).body).toMatchObject({ data: [{ id: provider.id, linkedAt: null }] });
    expect(problemOf(await visit(`provider=${provider.id}`, claims))[1]).toBe('domain_not_verified');
  });

  test('needs a session with fresh MFA', async () => {
    const provider = await addProvider();
    const path = `${AUTH}/oidc/start?provider=${provider.id}&link=true`;
    const member = await service.addMember(team);
    expect(refusalOf(await get(path))).toStrictEqual([401, 'unauthenticated']);
    expect(refusalOf(await service.by(member, null)('GET', path))).toStrictEqual([401, 'mfa_required']);
    expect(refusalOf(await service.as('key-A')('GET', path))).toStrictEqual([403, 'forbidden']);
    const both = await service.by(member)('GET', path, undefined, await service.credentialOf('key-A'));
    expect(refusalOf(both)).toStrictEqual([400, 'ambiguous_credentials']);
  });

  test('gives a page the address as JSON, and sets the cookie', async () => {
    const provider = await addProvider();
    const token = await tokenOf(await service.addMember(team));
    const answer = await get(`${AUTH}/oidc/start?provider=${provider.id}&link=true`, {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
    });
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      { location: expect.stringMatching(`^${directory.issuer}/auth`) },
    ]);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^fleetsift_provider=[\w-]+; Path=\/api\/v1\/auth\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  test('fails once the session has ended', async () => {
    const provider = await addProvider();
    const authorization = `Bearer ${await tokenOf(await service.addMember(team))}`;
    const { cookie, location } = await begin(`provider=${provider.id}&link=true`, { authorization });
    await service.as('none')('DELETE', `${AUTH}/sessions`, undefined, { authorization });
    const { data } = (await service.ask('GET', `${AUTH}/sessions`, undefined, authorization.slice(7)))
      .body as {
      data: { id: string }[];
    };
    for (const { id } of data) {
      await service.as('none')('DELETE', `${AUTH}/sessions/${id}`, undefined, { authorization });
    }
    directory.signsIn(verified('a@b.example'));
    const back = await comeBack(await directory.browse(location), cookie);
    expect(problemOf(back)).toStrictEqual(['/settings/security', 'visit_over']);
  });

  test('links a subject to one person, and a person to one subject', async () => {
    const provider = await addProvider();
    const [one, other] = [await service.addMember(team), await service.addMember(team)];
    const claims = await link(one, provider);
    for (const [member, sub] of [
      [other, claims.sub],
      [one, newId()],
    ] as const) {
      const authorization = `Bearer ${await tokenOf(member)}`;
      const { cookie, location } = await begin(`provider=${provider.id}&link=true`, { authorization });
      directory.signsIn({ ...claims, sub });
      const back = await comeBack(await directory.browse(location), cookie);
      expect(problemOf(back)).toStrictEqual(['/settings/security', 'already_linked']);
    }
  });

  test('is refused to people outside the organization, and to platform administrators', async () => {
    const provider = await addProvider();
    const ofB = await service.addMember(team, { membership: { scope: 'organization', orgId: team.b } });
    const platform = await service.addMember(team, { isPlatformAdmin: true });
    const system = await service.addMember(team, { membership: { scope: 'system' } });
    for (const person of [ofB, platform, system]) {
      const token = await tokenOf(person);
      const authorization = `Bearer ${token}`;
      expect((await service.ask('GET', `${AUTH}/identity-providers`, undefined, token)).body).toStrictEqual({
        data: [],
      });
      const { cookie, location } = await begin(`provider=${provider.id}&link=true`, { authorization });
      directory.signsIn(verified('a@b.example'));
      const back = await comeBack(await directory.browse(location), cookie);
      expect(problemOf(back)).toStrictEqual(['/settings/security', 'not_allowed']);
    }
  });

  test('cannot be undone for people whom the provider created, or who have no other way to sign in', async () => {
    const provider = await addProvider({ trustsMfa: true });
    told = { amr: ['mfa'] };
    const { user, accessToken } = await sessionOf(
      await visit(`provider=${provider.id}`, verified(emailAt(provider))),
    );
    const path = `${AUTH}/identity-providers/${provider.id}`;
    expect(refusalOf(await service.ask('DELETE', path, undefined, accessToken))).toStrictEqual([
      403,
      'forbidden',
    ]);
    // As if the person had linked their account, and then lost the password.
    const userId = user.id as UserRecord['id'];
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await tx.identityProviders.remove(provider.id);
      await tx.identityProviders.add(provider, 'hush');
      await tx.identityProviders.link({
        ...{ providerId: provider.id, subject: newId(), userId, isMade: false },
        ...{ createdAt: service.now(), lastSignInAt: null },
      });
    });
    expect(refusalOf(await service.ask('DELETE', path, undefined, accessToken))).toStrictEqual([
      409,
      'conflict',
    ]);
  });
});

describe('a visit', () => {
  test('leads to the first page if its target is another site', async () => {
    const provider = await addProvider();
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example']) {
      const back = await visit(
        `provider=${provider.id}&next=${encodeURIComponent(next)}`,
        verified(emailAt(provider)),
      );
      expect(placeOf(back)).toBe('/');
    }
  });

  test('can be finished only once', async () => {
    const provider = await addProvider();
    const { cookie, location } = await begin(`provider=${provider.id}`);
    directory.signsIn(verified(emailAt(provider)));
    const address = await directory.browse(location);
    await sessionOf(await comeBack(address, cookie));
    expect(problemOf(await comeBack(address, cookie))).toStrictEqual(['/login', 'visit_over']);
  });

  test('can be finished only in the browser that began it, and within ten minutes', async () => {
    const provider = await addProvider();
    const [mine, theirs] = [await begin(`provider=${provider.id}`), await begin(`provider=${provider.id}`)];
    directory.signsIn(verified(emailAt(provider)));
    const address = await directory.browse(mine.location);
    const tampered = mine.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const cookie of ['', theirs.cookie, tampered, `${mine.cookie}; ${theirs.cookie}`]) {
      expect(problemOf(await comeBack(address, cookie))).toStrictEqual(['/login', 'visit_over']);
    }
    service.pass(600);
    expect(problemOf(await comeBack(address, mine.cookie))).toStrictEqual(['/login', 'visit_over']);
  });

  test('can be finished only with the provider where it began', async () => {
    const [one, other] = [await addProvider(), await addProvider({ issuer: 'https://id.other.example' })];
    const { cookie, location } = await begin(`provider=${one.id}`);
    directory.signsIn(verified(emailAt(one)));
    const address = await directory.browse(location);
    for (const mixed of [
      address.replace(/iss=[^&]+/, `iss=${encodeURIComponent(other.issuer)}`),
      address.replace(/&iss=[^&]+/, ''),
      address.replace('/callback?', `/callback/${one.id}?`),
      address.replace('/callback?', `/callback/${other.id}?`),
    ]) {
      const begun = await begin(`provider=${one.id}`);
      directory.signsIn(verified(emailAt(one)));
      const mine = new URL(await directory.browse(begun.location));
      const sent = new URL(mixed);
      for (const name of ['code', 'state']) sent.searchParams.set(name, mine.searchParams.get(name) ?? '');
      expect(problemOf(await comeBack(sent.href, begun.cookie))).toStrictEqual([
        '/login',
        'provider_answer_invalid',
      ]);
    }
    expect((await sessionOf(await comeBack(address, cookie))).user['orgId']).toBe(team.a);
  });

  test('leads back to /login, with the id of the request, if the email or provider is unknown', async () => {
    for (const query of ['email=a@nobody.example', 'email=nobody', `provider=${newId()}`]) {
      const started = await get(`${AUTH}/oidc/start?${query}`);
      expect(problemOf(started)).toStrictEqual(['/login', 'unknown_provider']);
      expect(new URL(placeOf(started), CALLBACK).searchParams.get('request')).toBe(
        started.headers.get('x-request-id'),
      );
    }
  });

  test('leads back to /login, with the id of the request, if the provider is down', async () => {
    const provider = await addProvider({ issuer: 'http://127.0.0.1:9' });
    const started = await get(`${AUTH}/oidc/start?provider=${provider.id}`);
    expect(problemOf(started)).toStrictEqual(['/login', 'provider_unreachable']);
    expect(placeOf(started)).toContain(`request=${started.headers.get('x-request-id')}`);
  });

  test('needs either an email or a provider', async () => {
    expect(refusalOf(await get(`${AUTH}/oidc/start`))).toStrictEqual([
      400,
      'validation_failed',
      ['email', 'value_required'],
    ]);
    const both = await get(`${AUTH}/oidc/start?email=a@b.example&provider=${newId()}`);
    expect(refusalOf(both)).toStrictEqual([400, 'validation_failed', ['provider', 'invalid_value']]);
  });
});

describe('a person', () => {
  test('is not signed in once disabled, or moved to another organization', async () => {
    const provider = await addProvider();
    const claims = verified(emailAt(provider));
    const { user } = await sessionOf(await visit(`provider=${provider.id}`, claims));
    const id = user.id as UserRecord['id'];
    await service.probe.changeUser(id, { membership: { scope: 'organization', orgId: team.b } });
    expect(problemOf(await visit(`provider=${provider.id}`, claims))[1]).toBe('not_allowed');
    await service.probe.changeUser(id, { membership: { scope: 'organization', orgId: team.a } });
    await service.probe.changeUser(id, { status: 'disabled' });
    expect(problemOf(await visit(`provider=${provider.id}`, claims))[1]).toBe('not_allowed');
  });

  test('has passed MFA only if the provider says so and is trusted with it', async () => {
    for (const [given, claims, hasPassed] of [
      [{ trustsMfa: true }, { amr: ['pwd', 'otp'] }, true],
      [{ trustsMfa: true }, { amr: ['pwd'] }, false],
      [{ trustsMfa: true, acrValues: ['gold'] }, { acr: 'gold' }, true],
      [{ trustsMfa: false }, { amr: ['mfa'] }, false],
    ] as const) {
      const provider = await addProvider({ ...given, permissions: ['users:write'] });
      told = claims;
      const { user, accessToken } = await sessionOf(
        await visit(`provider=${provider.id}`, verified(emailAt(provider))),
      );
      const verifiedAt = (user['mfa'] as { verifiedAt: string | null }).verifiedAt;
      expect(verifiedAt !== null).toBe(hasPassed);
      const changed = await service.ask('POST', `${AUTH}/api-keys`, { name: 'Key' }, accessToken);
      expect(changed.status).toBe(hasPassed ? 201 : 403);
    }
  });

  test('without a password can prove who they are by a fresh sign-in', async () => {
    const provider = await addProvider({ trustsMfa: true });
    told = { amr: ['mfa'] };
    const claims = verified(emailAt(provider));
    const usual = await sessionOf(await visit(`provider=${provider.id}`, claims));
    const asked = (token: string) => service.ask('POST', OWN, {}, token);
    expect(refusalOf(await asked(usual.accessToken))).toStrictEqual([401, 'recent_sign_in_required']);
    const begun = await begin(`provider=${provider.id}&fresh=true`);
    expect(new URL(begun.location).searchParams.get('max_age')).toBe('0');
    const fresh = await sessionOf(await comeBack(await directory.browse(begun.location), begun.cookie));
    expect((await asked(fresh.accessToken)).status).toBe(201);
  });

  test('is refused if the sign-in has to be fresh and is a minute old', async () => {
    const provider = await addProvider();
    told = { auth_time: service.now() / 1_000 - 60 };
    const back = await visit(`provider=${provider.id}&fresh=true`, verified(emailAt(provider)));
    expect(problemOf(back)).toStrictEqual(['/login', 'not_fresh']);
  });

  test('without a password gets a mail with a link for seven days when the provider is deleted', async () => {
    const provider = await addProvider({ name: 'Entra' });
    const { user } = await sessionOf(await visit(`provider=${provider.id}`, verified(emailAt(provider))));
    const deleted = await service.by(team.people.admin)(
      'DELETE',
      `/api/v1/identity-providers/${provider.id}`,
    );
    expect(deleted.status).toBe(204);
    const [mail, ...others] = (await takeMails(service.composition)).filter(
      ({ to }) => to.userId === user.id,
    );
    if (mail === undefined || others.length > 0) throw new Error('not one mail');
    expect(mail).toMatchObject({ kind: 'provider-gone' });
    service.pass(7 * 86_400 - 1);
    const confirmed = await service.ask('POST', `${AUTH}/password-reset/confirm`, {
      token: tokenIn(mail, 'reset-password'),
      newPassword: 'correct horse battery',
    });
    expect(confirmed.status).toBe(204);
    const login = await service.login({ email: user['email'], password: 'correct horse battery' });
    expect(login.status).toBe(200);
  });
});
