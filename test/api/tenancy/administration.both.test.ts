/** Every caller on every route about people and tenants, with people of every tenant (Contract: §16). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATIONS } from '#adapters/http/openapi/all-operations.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { IdentityProviderId } from '#domain/ids.ts';
import {
  type DeletionService,
  type MemberName,
  PASSWORD,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { type Answer, type Ask, refusalOf } from '#test/api/service/service.ts';
import { aSite, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet, setStatus } from '#test/support/tenant.ts';

const API = '/api/v1';
const USERS = `${API}/users`;

type PlaceName = 'A' | 'B' | 'P' | 'P in A' | 'Q' | 'system';
type CallerName = MemberName | 'nobody' | 'disabled' | 'key of system' | 'key of a reader';

/** Whose people each holder of users:write reaches. */
const REACH: Partial<Record<CallerName, readonly PlaceName[]>> = {
  admin: ['A'],
  'admin of B': ['B'],
  partner: ['A', 'B', 'P', 'P in A'],
  'partner in A': ['A'],
  'partner in none': [],
  'other partner': ['Q'],
  system: ['A', 'B', 'P', 'P in A', 'Q', 'system'],
};
const HOLDERS = Object.keys(REACH) as readonly MemberName[];
const PLACES: readonly PlaceName[] = ['A', 'B', 'P', 'P in A', 'Q', 'system'];

/** What all other callers get, for any person. */
const REFUSED: Partial<Record<CallerName, readonly [number, string]>> = {
  nobody: [401, 'unauthenticated'],
  disabled: [401, 'unauthenticated'],
  member: [403, 'forbidden'],
  'key of a reader': [403, 'forbidden'],
};

let service: DeletionService;
let team: Team;
let q: Team['p'];
let keys: Readonly<Record<'system' | 'reader', string>>;
let disabled: Ask;

beforeAll(async () => {
  service = await startDeletionService();
  team = await service.newTeam();
  const { membership } = team.people['other partner'];
  if (membership.scope !== 'partner') throw new Error('not of a partner');
  q = membership.partnerId;
  const { system, member } = team.people;
  const keyOf = async (user: typeof system, permissions: readonly string[]) => {
    const made = await service.by(user)('POST', `${API}/auth/api-keys`, { name: 'Matrix', permissions });
    return (made.body as { readonly key: string }).key;
  };
  keys = { system: await keyOf(system, ['users:write']), reader: await keyOf(member, []) };
  const gone = await service.addMember(team, { permissions: ['users:write'] });
  disabled = service.by(gone);
  await service.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) => setStatus(tx, gone.id, 'disabled'));
});
afterAll(() => service.close());

/** Who asked what, each as `caller: method path` with the path of the table of operations. */
const asked = new Set<string>();

function as(caller: CallerName): Ask {
  const ask = askerOf(caller);
  return (method, path, body) => {
    asked.add(`${caller}: ${routeOf(method, path)}`);
    return ask(method, path, body, { 'X-Request-Id': 'same', ...keyOf(caller) });
  };
}

function routeOf(method: string, path: string): string | undefined {
  const sent = `${method} ${path.replace(/\?.*/, '')}`;
  return (
    Object.keys(OPERATIONS).find((route) => route === sent) ??
    Object.keys(OPERATIONS).find((route) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(sent))
  );
}

function askerOf(caller: CallerName): Ask {
  if (caller === 'nobody' || caller.startsWith('key ')) return service.as('none');
  return caller === 'disabled' ? disabled : service.by(team.people[caller as MemberName]);
}

function keyOf(caller: CallerName): Readonly<Record<string, string>> {
  if (!caller.startsWith('key ')) return {};
  return { 'X-API-Key': caller === 'key of system' ? keys.system : keys.reader };
}

const MEMBERSHIPS: Readonly<Record<PlaceName, () => Membership>> = {
  A: () => ({ scope: 'organization', orgId: team.a }),
  B: () => ({ scope: 'organization', orgId: team.b }),
  P: () => ({ scope: 'partner', partnerId: team.p, orgIds: null }),
  'P in A': () => ({ scope: 'partner', partnerId: team.p, orgIds: [team.a] }),
  Q: () => ({ scope: 'partner', partnerId: q, orgIds: null }),
  system: () => ({ scope: 'system' }),
};
const plain = ({ status, body, headers }: Answer) => [status, body, Object.fromEntries(headers)];

/** What each route about a person answers callers in reach. No request affects a later one. */
const ON_A_PERSON = [
  ['GET', '', undefined, 200],
  ['GET', '/sessions', undefined, 200],
  ['GET', '/api-keys', undefined, 200],
  ['PATCH', '', { name: 'Renamed' }, 200],
  ['PATCH', '', { status: 'active' }, 200],
  ['DELETE', `/sessions/${newId()}`, undefined, 404],
  ['DELETE', `/api-keys/${newId()}`, undefined, 404],
  ['DELETE', '/sessions', undefined, 204],
  ['DELETE', '/api-keys', undefined, 204],
  ['POST', '/invitation', undefined, 409],
  ['DELETE', '', undefined, 409],
  ['POST', '/mfa-reset', undefined, 204],
] as const;

const NEWCOMER = { email: 'newcomer@example.com', name: 'New' };

describe.each(PLACES)('people of %s', (place) => {
  test.each(HOLDERS)('are 404 for %s unless in reach, as unknown people are', async (caller) => {
    const isReached = REACH[caller]?.includes(place) ?? false;
    const person = await service.addMember(team, { membership: MEMBERSHIPS[place]() });
    for (const [method, suffix, body, status] of ON_A_PERSON) {
      const answer = await as(caller)(method, `${USERS}/${person.id}${suffix}`, body);
      const what = `${method} ${suffix}`;
      expect([what, answer.status]).toStrictEqual([what, isReached ? status : 404]);
      if (isReached) continue;
      const unknown = await as(caller)(method, `${USERS}/${newId()}${suffix}`, body);
      const malformed = await as(caller)(method, `${USERS}/nonsense${suffix}`, body);
      expect([plain(answer), plain(malformed)]).toStrictEqual([plain(unknown), plain(unknown)]);
    }
    const list = await as(caller)('GET', `${USERS}?limit=200&search=${encodeURIComponent(person.email)}`);
    expect(list.text.includes(person.id)).toBe(isReached);
  });

  test.each(Object.keys(REFUSED) as CallerName[])(
    'are refused to %s, as unknown people are',
    async (caller) => {
      const person = await service.addMember(team, { membership: MEMBERSHIPS[place]() });
      expect(refusalOf(await as(caller)('GET', USERS))).toStrictEqual(REFUSED[caller]);
      for (const [method, suffix, body] of ON_A_PERSON) {
        for (const id of [person.id, newId()]) {
          const answer = await as(caller)(method, `${USERS}/${id}${suffix}`, body);
          expect([method, suffix, ...refusalOf(answer)]).toStrictEqual([
            method,
            suffix,
            ...(REFUSED[caller] ?? []),
          ]);
        }
      }
    },
  );

  test('are read but not changed by an API key, which sees nothing of their access', async () => {
    const person = await service.addMember(team, { membership: MEMBERSHIPS[place]() });
    const { scope, ...where } = MEMBERSHIPS[place]();
    const invited = await as('key of system')('POST', USERS, { ...NEWCOMER, scope, ...where });
    expect(refusalOf(invited)).toStrictEqual([403, 'mfa_not_possible']);
    const list = await as('key of system')('GET', `${USERS}?search=${encodeURIComponent(person.email)}`);
    expect(list.text).toContain(person.id);
    for (const [method, suffix, body] of ON_A_PERSON) {
      for (const id of [person.id, newId()]) {
        const answer = await as('key of system')(method, `${USERS}/${id}${suffix}`, body);
        const isRead = method === 'GET' && suffix === '';
        if (isRead) expect(answer.status).toBe(id === person.id ? 200 : 404);
        else
          expect(refusalOf(answer)).toStrictEqual([403, method === 'GET' ? 'forbidden' : 'mfa_not_possible']);
      }
    }
  });

  test.each([...HOLDERS, ...Object.keys(REFUSED)] as CallerName[])(
    'are invited by %s only within reach',
    async (caller) => {
      const { scope, ...where } = MEMBERSHIPS[place]();
      const email = `${newId()}@example.com`;
      const answer = await as(caller)('POST', USERS, { email, name: 'New', scope, ...where });
      const refused = REFUSED[caller];
      if (refused !== undefined) expect(refusalOf(answer)).toStrictEqual(refused);
      else if (REACH[caller]?.includes(place)) expect([place, answer.status]).toStrictEqual([place, 201]);
      else {
        // The system is no tenant to name, so the refusal is about rights.
        const code = place === 'system' ? 'exceeds_own_rights' : 'forbidden';
        expect(refusalOf(answer)).toStrictEqual([403, code]);
      }
      const there = await as('system')('GET', `${USERS}?search=${email}`);
      expect(there.text.includes(email)).toBe(answer.status === 201);
    },
  );
});

describe('GET /users narrowed to a tenant', () => {
  test.each(HOLDERS)('is 404 for %s unless the tenant is in reach', async (caller) => {
    for (const [query, place] of [
      [`orgId=${team.a}`, 'A'],
      [`orgId=${team.b}`, 'B'],
      [`partnerId=${team.p}`, 'P'],
      [`partnerId=${q}`, 'Q'],
    ] as const) {
      const answer = await as(caller)('GET', `${USERS}?${query}`);
      const isReached = REACH[caller]?.includes(place) ?? false;
      expect([query, answer.status]).toStrictEqual([query, isReached ? 200 : 404]);
      if (isReached) continue;
      const [name] = query.split('=');
      expect(plain(answer)).toStrictEqual(plain(await as(caller)('GET', `${USERS}?${name}=${newId()}`)));
    }
  });
});

describe('organizations, partners and sites', () => {
  const ORGS = ['A', 'B', 'Q'] as const;
  let orgIds: Readonly<Record<(typeof ORGS)[number], Team['a']>>;

  beforeEach(async () => {
    const made = await as('system')('POST', `${API}/organizations`, { name: `Q ${newId()}`, partnerId: q });
    orgIds = { A: team.a, B: team.b, Q: (made.body as { readonly id: Team['a'] }).id };
  });

  const reaches = (caller: CallerName, org: (typeof ORGS)[number]) => REACH[caller]?.includes(org) ?? false;
  const isWhole = (caller: CallerName, org: (typeof ORGS)[number]) =>
    REACH[caller]?.includes(org === 'Q' ? 'Q' : 'P') ?? false;

  test.each(HOLDERS)('are changed by %s only within reach', async (caller) => {
    for (const org of ORGS) {
      const orgId = orgIds[org];
      const site = aSite({ orgId });
      await loadFleet(service.composition.backend, [site]);
      const isReached = reaches(caller, org);
      const organization = (method: string, id: string, body?: object) =>
        as(caller)(method, `${API}/organizations/${id}`, body);
      const renamed = await organization('PATCH', orgId, { name: `${org} ${newId()}` });
      expect([org, renamed.status]).toStrictEqual([org, isReached ? 200 : 404]);
      const removed = await organization('DELETE', orgId);
      const isOfWhole = caller === 'system' || isWhole(caller, 'A') || isWhole(caller, 'Q');
      const isEmpty = org === 'Q' && isReached;
      expect([org, removed.status]).toStrictEqual([
        org,
        isOfWhole ? (isReached ? (isEmpty ? 204 : 409) : 404) : 403,
      ]);
      if (!isReached) {
        expect(plain(renamed)).toStrictEqual(plain(await organization('PATCH', newId(), { name: 'x' })));
        expect(plain(removed)).toStrictEqual(plain(await organization('DELETE', newId())));
      }
      if (isEmpty) continue;

      const added = await as(caller)('POST', `${API}/sites`, { orgId, name: `Quay ${newId()}` });
      expect([org, added.status]).toStrictEqual([org, isReached ? 201 : 403]);
      if (!isReached) {
        const nowhere = await as(caller)('POST', `${API}/sites`, { orgId: newId(), name: 'Quay' });
        expect(plain(added)).toStrictEqual(plain(nowhere));
      }
      for (const [method, body, status] of [
        ['PATCH', { name: `Pier ${newId()}` }, 200],
        ['DELETE', undefined, 204],
      ] as const) {
        const answer = await as(caller)(method, `${API}/sites/${site.id}`, body);
        expect([org, method, answer.status]).toStrictEqual([org, method, isReached ? status : 404]);
        const unknown = await as(caller)(method, `${API}/sites/${newId()}`, body);
        if (!isReached) expect(plain(answer)).toStrictEqual(plain(unknown));
      }
    }
  });

  test.each(HOLDERS)('are created by %s only within reach', async (caller) => {
    for (const [org, partnerId] of [
      ['A', team.p],
      ['Q', q],
    ] as const) {
      const name = `Matrix ${newId()}`;
      const made = await as(caller)('POST', `${API}/organizations`, { name, partnerId });
      expect([org, made.status]).toStrictEqual([org, isWhole(caller, org) ? 201 : 403]);
      const unknown = await as(caller)('POST', `${API}/organizations`, { name, partnerId: newId() });
      if (made.status === 403) expect(plain(made)).toStrictEqual(plain(unknown));
    }
    const isSystem = caller === 'system';
    const own = `${API}/partners/${team.p}`;
    const partners = [
      await as(caller)('GET', `${API}/partners`),
      await as(caller)('POST', `${API}/partners`, { name: `Matrix ${newId()}` }),
      await as(caller)('PATCH', own, { name: `Matrix ${newId()}` }),
      await as(caller)('PATCH', `${API}/partners/${newId()}`, { name: 'x' }),
    ];
    expect(partners.map(({ status }) => status)).toStrictEqual(
      isSystem ? [200, 201, 200, 404] : [403, 403, 403, 403],
    );
  });

  const onTenants = (siteId: string) =>
    [
      ['POST', '/partners', { name: 'x' }],
      ['PATCH', `/partners/${team.p}`, { name: 'x' }],
      ['POST', '/organizations', { name: 'x', partnerId: team.p }],
      ['PATCH', `/organizations/${team.a}`, { name: 'x' }],
      ['DELETE', `/organizations/${team.a}`],
      ['POST', '/sites', { name: 'x', orgId: team.a }],
      ['PATCH', `/sites/${siteId}`, { name: 'x' }],
      ['DELETE', `/sites/${siteId}`],
    ] as const;

  test.each(Object.keys(REFUSED) as CallerName[])('are refused to %s', async (caller) => {
    const site = aSite({ orgId: team.a });
    await loadFleet(service.composition.backend, [site]);
    for (const [method, path, body] of [['GET', '/partners'] as const, ...onTenants(site.id)]) {
      const answer = await as(caller)(method, `${API}${path}`, body);
      expect([method, path, ...refusalOf(answer)]).toStrictEqual([method, path, ...(REFUSED[caller] ?? [])]);
    }
  });

  test('are read but not changed by an API key', async () => {
    const site = aSite({ orgId: team.a });
    await loadFleet(service.composition.backend, [site]);
    for (const id of [site.id, newId()]) {
      for (const [method, path, body] of onTenants(id)) {
        const answer = await as('key of system')(method, `${API}${path}`, body);
        expect([method, path, ...refusalOf(answer)]).toStrictEqual([method, path, 403, 'mfa_not_possible']);
      }
    }
    const partners = await as('key of system')('GET', `${API}/partners`);
    expect([partners.status, partners.text.includes(team.p)]).toStrictEqual([200, true]);
  });
});

describe('identity providers', () => {
  const OWNERS = ['A', 'B', 'P', 'Q'] as const;
  const PROVIDERS = `${API}/identity-providers`;
  const ownerOf = (place: (typeof OWNERS)[number]) =>
    ({ A: { orgId: team.a }, B: { orgId: team.b }, P: { partnerId: team.p }, Q: { partnerId: q } })[place];
  const aProvider = (owner: object) => ({
    ...{ name: 'Entra', issuer: 'https://id.example', clientId: 'fleetsift', clientSecret: 'hush' },
    ...owner,
  });
  const create = async (place: (typeof OWNERS)[number]) =>
    (await as('system')('POST', PROVIDERS, aProvider(ownerOf(place)))).body as { readonly id: string };

  /** What each route about a provider answers callers in reach. */
  const ON_A_PROVIDER = [
    ['GET', '', undefined, 200],
    ['PATCH', '', { name: 'Okta' }, 200],
    ['POST', '/domains/verify', undefined, 200],
    ['DELETE', '', undefined, 204],
  ] as const;

  describe.each(OWNERS)('of %s', (place) => {
    test.each(HOLDERS)('are 404 for %s unless in reach, as unknown ones are', async (caller) => {
      const isReached = REACH[caller]?.includes(place) ?? false;
      const { id } = await create(place);
      expect((await as(caller)('GET', PROVIDERS)).text.includes(id)).toBe(isReached);
      for (const [method, suffix, body, status] of ON_A_PROVIDER) {
        const answer = await as(caller)(method, `${PROVIDERS}/${id}${suffix}`, body);
        const what = `${method} ${suffix}`;
        expect([what, answer.status]).toStrictEqual([what, isReached ? status : 404]);
        if (isReached) continue;
        const unknown = await as(caller)(method, `${PROVIDERS}/${newId()}${suffix}`, body);
        expect(plain(answer)).toStrictEqual(plain(unknown));
      }
      const made = await as(caller)('POST', PROVIDERS, aProvider(ownerOf(place)));
      expect(made.status).toBe(isReached ? 201 : 403);
      if (isReached) return;
      const [name = ''] = Object.keys(ownerOf(place));
      const unknown = await as(caller)('POST', PROVIDERS, aProvider({ [name]: newId() }));
      expect(plain(made)).toStrictEqual(plain(unknown));
    });

    test.each(Object.keys(REFUSED) as CallerName[])('are refused to %s', async (caller) => {
      const { id } = await create(place);
      const answers = [
        await as(caller)('GET', PROVIDERS),
        await as(caller)('POST', PROVIDERS, aProvider(ownerOf(place))),
      ];
      for (const [method, suffix, body] of ON_A_PROVIDER) {
        for (const each of [id, newId()])
          answers.push(await as(caller)(method, `${PROVIDERS}/${each}${suffix}`, body));
      }
      expect(answers.map(refusalOf)).toStrictEqual(answers.map(() => REFUSED[caller]));
    });

    test('are read but not changed by an API key', async () => {
      const { id } = await create(place);
      expect((await as('key of system')('GET', PROVIDERS)).text).toContain(id);
      expect((await as('key of system')('GET', `${PROVIDERS}/${id}`)).status).toBe(200);
      const changes = [await as('key of system')('POST', PROVIDERS, aProvider(ownerOf(place)))];
      for (const [method, suffix, body] of ON_A_PROVIDER.slice(1)) {
        for (const each of [id, newId()])
          changes.push(await as('key of system')(method, `${PROVIDERS}/${each}${suffix}`, body));
      }
      expect(changes.map(refusalOf)).toStrictEqual(changes.map(() => [403, 'mfa_not_possible']));
    });
  });

  test('are linked and unlinked by each person for themselves only', async () => {
    const OWN = `${API}/auth/identity-providers`;
    const { id } = await create('A');
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
      tx.identityProviders.link({
        ...{ providerId: id as IdentityProviderId, subject: newId(), userId: team.people.admin.id },
        ...{ isMade: false, createdAt: service.now(), lastSignInAt: null },
      }),
    );
    for (const caller of [...HOLDERS, 'member'] as const) {
      if (caller === 'admin') continue;
      const { data } = (await as(caller)('GET', OWN)).body as { readonly data: readonly { id: string }[] };
      const seen = data.filter((provider) => provider.id === id);
      const ofA = expect.objectContaining({ id, linkedAt: null });
      expect([caller, seen]).toStrictEqual([caller, caller === 'member' ? [ofA] : []]);
      const removed = await as(caller)('DELETE', `${OWN}/${id}`);
      expect(removed.status).toBe(404);
      expect(plain(removed)).toStrictEqual(plain(await as(caller)('DELETE', `${OWN}/${newId()}`)));
    }
    for (const caller of ['nobody', 'disabled', 'key of system', 'key of a reader'] as const) {
      const isKey = caller.startsWith('key ');
      const answers = [await as(caller)('GET', OWN), await as(caller)('DELETE', `${OWN}/${id}`)];
      expect(answers.map(refusalOf)).toStrictEqual([
        isKey ? [403, 'forbidden'] : [401, 'unauthenticated'],
        isKey ? [403, 'mfa_not_possible'] : [401, 'unauthenticated'],
      ]);
    }
    expect((await as('admin')('DELETE', `${OWN}/${id}`)).status).toBe(204);
  });
});

test('an email of another tenant is refused as taken, alike for all callers', async () => {
  const { email } = team.people['other partner'];
  const orgOf: Partial<Record<MemberName, Team['a']>> = { 'admin of B': team.b };
  for (const caller of ['admin', 'admin of B', 'partner', 'system'] as const) {
    const body = { email: email.toUpperCase(), name: 'New', orgId: orgOf[caller] ?? team.a };
    const answer = await as(caller)('POST', USERS, body);
    expect(refusalOf(answer)).toStrictEqual([409, 'email_taken']);
    expect(answer.text).not.toContain(team.people['other partner'].name);
  }
});

test('each caller sees only their own passkeys', async () => {
  const { admin } = team.people;
  const options = await service.by(admin)('POST', `${API}/auth/passkeys/options`, { password: PASSWORD });
  expect(options.status).toBe(200);
  for (const caller of [...HOLDERS, 'member'] as const) {
    const list = await as(caller)('GET', `${API}/auth/passkeys`);
    expect([caller, list.body]).toStrictEqual([caller, { data: [] }]);
  }
  for (const caller of ['nobody', 'disabled'] as const) {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/options'],
      ['DELETE', `/${newId()}`],
    ] as const) {
      const answer = await as(caller)(
        method,
        `${API}/auth/passkeys${path}`,
        method === 'POST' ? {} : undefined,
      );
      expect(refusalOf(answer)).toStrictEqual([401, 'unauthenticated']);
    }
  }
  for (const caller of ['key of system', 'key of a reader'] as const) {
    const answers = [
      await as(caller)('GET', `${API}/auth/passkeys`),
      await as(caller)('POST', `${API}/auth/passkeys/options`, { password: PASSWORD }),
    ];
    expect(answers.map(({ status }) => status)).toStrictEqual([403, 403]);
  }
});

test('routes of links reveal nothing about emails and tokens', async () => {
  const emails = [team.people.member.email, team.people.system.email, `${newId()}@example.com`];
  const asked: unknown[][] = [];
  for (const email of emails)
    asked.push(plain(await as('nobody')('POST', `${API}/auth/password-reset`, { email })));
  expect(asked).toStrictEqual(emails.map(() => asked[0]));
  expect(asked[0]?.[0]).toBe(202);
  const token = `fsl_${'x'.repeat(43)}`;
  for (const [path, body] of [
    ['/invitation', { token }],
    ['/invitation/accept', { token, password: PASSWORD }],
    ['/password-reset/confirm', { token, newPassword: PASSWORD }],
  ] as const) {
    for (const caller of ['nobody', 'admin', 'system', 'key of system'] as const) {
      const answer = await as(caller)('POST', `${API}/auth${path}`, body);
      expect([path, caller, ...refusalOf(answer)]).toStrictEqual([path, caller, 404, 'link_invalid']);
    }
  }
});

test('no route for administrators is left out', () => {
  // The routes under /admin are asked in `test/api/audit` and `test/api/deletion`.
  const routes = Object.entries(OPERATIONS)
    .filter(([route, { permission }]) => permission === USERS_WRITE && !route.includes(' /api/v1/admin/'))
    .map(([route]) => route);
  const callers = [...HOLDERS, ...Object.keys(REFUSED), 'key of system'];
  const missing = callers.flatMap((caller) => routes.map((route) => `${caller}: ${route}`));
  expect(missing.filter((each) => !asked.has(each))).toStrictEqual([]);
  expect(routes.length).toBeGreaterThan(20);
});
