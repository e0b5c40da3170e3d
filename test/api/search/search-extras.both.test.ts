/** Optional parts of search answers: the matching field, similar things, and context (Contract: §6). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type Ask,
  refusalOf,
  SEARCH,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { canaryOf, type KeyName, type OrgName, type UserName } from '#test/api/service/tenants.ts';
import { aDevice, anAlert, aScript, aUser, newId } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

interface Item {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly match?: { readonly field: string; readonly value: string };
  readonly approximate?: boolean;
  readonly organization?: object;
  readonly device?: object | null;
}

let service: TestService;
let ask: Ask;
beforeAll(async () => {
  service = await startService();
  ({ ask } = await service.inNewOrg((orgId) => {
    const owner = { kind: 'organization', orgId } as const;
    return [
      aDevice({
        orgId,
        hostname: 'lobby-01',
        displayName: 'Front Desk',
        lastUser: 'CORP\\Lobby',
        status: 'offline',
      }),
      aDevice({ orgId, hostname: 'lobby-02', displayName: null, lastUser: 'CORP\\Lobby' }),
      aDevice({ orgId, hostname: 'x-1', displayName: 'Back Office', lastUser: 'lobbyist' }),
      aScript({ owner, name: 'Clean up', description: 'For the LOBBY' }),
      aScript({ owner, name: 'Lobby clean up', description: 'lobby' }),
      anAlert({ orgId, title: 'No paper', message: 'in the lobby' }),
      aDevice({ orgId, hostname: 'printer-7' }),
      aDevice({ orgId, hostname: 'printers' }),
      anAlert({ orgId, title: 'printer' }),
    ];
  }));
});
afterAll(() => service.close());

const pathFor = (parameters: Readonly<Record<string, string>>) =>
  `${SEARCH}?${new URLSearchParams(parameters)}`;

async function find(as: Ask, parameters: Readonly<Record<string, string>>): Promise<readonly Item[]> {
  const { status, text, body }: Answer = await as('GET', pathFor(parameters));
  if (status !== 200) throw new Error(`no results were answered: ${status} ${text}`);
  return (body as { results: readonly Item[] }).results;
}

describe('match', () => {
  test('names the first searched field that has the text, if the title does not', async () => {
    const results = await find(ask, { q: 'LOBBY', match: 'true' });
    expect(results.map(({ type, title, match }) => [type, title, match])).toStrictEqual([
      ['devices', 'lobby-02', undefined],
      ['devices', 'Back Office', { field: 'lastUser', value: 'lobbyist' }],
      ['devices', 'Front Desk', { field: 'hostname', value: 'lobby-01' }],
      ['scripts', 'Lobby clean up', undefined],
      ['scripts', 'Clean up', { field: 'description', value: 'For the LOBBY' }],
      ['alerts', 'No paper', { field: 'message', value: 'in the lobby' }],
    ]);
    const user = await find(ask, { q: 'corp\\', match: 'true' });
    expect(user.map(({ title, match }) => [title, match])).toStrictEqual([
      ['Front Desk', { field: 'lastUser', value: 'CORP\\Lobby' }],
      ['lobby-02', { field: 'lastUser', value: 'CORP\\Lobby' }],
    ]);
  });

  test('is given for pages as well', async () => {
    expect(await find(ask, { q: 'multi-factor', match: 'true' })).toStrictEqual([
      {
        id: 'security',
        type: 'settings',
        title: 'Security',
        description: 'Password and multi-factor sign-in',
        href: '/settings/security',
        match: { field: 'description', value: 'Password and multi-factor sign-in' },
      },
    ]);
  });

  test('is the only difference to a plain search', async () => {
    const plain = await ask('GET', pathFor({ q: 'lobby' }));
    const answers = [
      await ask('GET', pathFor({ q: 'lobby', match: 'false', approximate: 'false' })),
      await ask('GET', pathFor({ q: 'lobby', approximate: 'true' })),
    ];
    for (const answer of answers) expect(answer.text).toBe(plain.text);
    expect(plain.text).not.toMatch(/match|approximate|lobby-01|lastUser/);
    const matched = await find(ask, { q: 'lobby', match: 'true' });
    expect(matched.map(({ match: _match, ...item }) => item)).toStrictEqual(
      (plain.body as { results: unknown }).results,
    );
  });
});

describe('approximate', () => {
  test('answers with similar things of all types, most similar first, and marks them', async () => {
    const results = await find(ask, { q: 'printre', approximate: 'true' });
    expect(results.map(({ type, title, approximate }) => [type, title, approximate])).toStrictEqual([
      ['alerts', 'printer', true],
      ['devices', 'printer-7', true],
      ['devices', 'printers', true],
    ]);
    const [first] = await find(ask, { q: 'printre', approximate: 'true', limit: '1', match: 'true' });
    expect(first).toStrictEqual(results[0]);
    expect(Object.keys(first ?? {}).toSorted()).toStrictEqual(['approximate', 'id', 'title', 'type']);
  });

  test('finds pages with similar titles', async () => {
    expect(await find(ask, { q: 'Profiel', approximate: 'true' })).toStrictEqual([
      {
        id: 'profile',
        type: 'settings',
        title: 'Profile',
        description: 'Your name and email address',
        href: '/settings/profile',
        approximate: true,
      },
    ]);
    // Pages that the caller may not open are left out.
    expect(await find(ask, { q: 'Audit lgo', approximate: 'true' })).toStrictEqual([]);
    expect(await find(service.as('A-admin'), { q: 'Audit lgo', approximate: 'true' })).toMatchObject([
      { id: 'audit-log', approximate: true },
    ]);
  });

  test.each([
    ['without it', { q: 'printre' }],
    ['if it is false', { q: 'printre', approximate: 'false' }],
    ['for three letters', { q: 'prr-7', approximate: 'true' }],
    ['if nothing is similar to the text', { q: 'zzzzzzzz', approximate: 'true' }],
  ])('nothing is found %s', async (_, parameters) => {
    expect(await find(ask, parameters)).toStrictEqual([]);
  });

  test('has no effect if anything contains the text, even a page', async () => {
    expect(await find(ask, { q: 'paper', approximate: 'true' })).toMatchObject([{ title: 'No paper' }]);
    const { ask: nobody } = await service.inNewOrg((orgId) => [aDevice({ orgId, hostname: 'security' })]);
    const pages = await find(nobody, { q: 'credentials', approximate: 'true' });
    expect(pages.map(({ id, approximate }) => [id, approximate])).toStrictEqual([['api-keys', undefined]]);
  });

  test.each<[UserName | KeyName, readonly OrgName[]]>([
    ['system', ['A', 'B', 'C']],
    ['P-all', ['A', 'B']],
    ['P-subset', ['A']],
    ['P-none', []],
    ['key-P-to-C', []],
    ['key-P-to-A', ['A']],
    ['Q-all', ['C']],
    ['A-user', ['A']],
    ['B-user', ['B']],
    ['C-user', ['C']],
  ])('%s finds only things in reach', async (caller, reach) => {
    const found: string[] = [];
    for (const org of ['A', 'B', 'C'] as const) {
      const { id } = service.tenants.devices.find(({ lastUser }) => lastUser === canaryOf(org)) ?? { id: '' };
      const results = await find(service.as(caller), {
        q: `Devcie 1 of ${org}`,
        approximate: 'true',
        limit: '50',
      });
      if (results.some((item) => item.id === id)) found.push(org);
      const inReach = service.tenants.devices.filter(({ orgId }) =>
        reach.some((one) => service.tenants.orgIds[one] === orgId),
      );
      const foreign = results
        .filter((item) => service.tenants.devices.some((one) => one.id === item.id))
        .filter((item) => !inReach.some((one) => one.id === item.id));
      expect(foreign).toStrictEqual([]);
    }
    expect(found).toStrictEqual(reach);
  });
});

test.each([
  ['match', ''],
  ['match', '1'],
  ['match', 'TRUE'],
  ['match', 'yes'],
  ['approximate', ''],
  ['approximate', 'null'],
])('%s=%s is refused', async (name, value) => {
  const answer = await ask('GET', pathFor({ q: 'lobby', [name]: value }));
  expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', [name, 'invalid_value']]);
  expect(answer.text).toContain(`${name} must be true or false`);
});

test('a repeated match and an invalid approximate are refused together', async () => {
  const answer = await ask('GET', `${SEARCH}?q=lobby&match=true&match=false&approximate=x`);
  expect(refusalOf(answer)).toStrictEqual([
    ...[400, 'validation_failed'],
    ['match', 'repeated_parameter'],
    ['approximate', 'invalid_value'],
  ]);
});

describe('context and orgId', () => {
  const WORD = 'zephyrine';
  const setUp = async () => {
    const { backend } = service.composition;
    const { partnerId, orgIds, orgId } = await createTenant(backend, 2);
    const [one, two] = [orgId, orgIds[1] ?? orgId];
    const staff = aUser({ membership: { scope: 'partner', partnerId, orgIds: null } });
    const local = [one, two].map((owner) => aDevice({ orgId: owner, hostname: WORD }));
    const [first] = local;
    const about = anAlert({ orgId: one, deviceId: first?.id ?? null, title: `${WORD} a` });
    const alone = anAlert({ orgId: two, title: `${WORD} b` });
    const ofPartner = aScript({ owner: { kind: 'partner', partnerId }, name: `${WORD} a` });
    const ofTwo = aScript({ owner: { kind: 'organization', orgId: two }, name: `${WORD} b` });
    await loadFleet(backend, [staff, ...local, about, alone, ofPartner, ofTwo]);
    return { ask: service.asUser(staff.id), one, two, local, about, alone, ofPartner, ofTwo };
  };

  test('name the organization of each thing and the device of an alert', async () => {
    const { ask: as, one, two, local, about, alone, ofPartner, ofTwo } = await setUp();
    const items = await find(as, { q: WORD, context: 'true' });
    const [inOne, inTwo] = [one, two].map((id) => ({
      organization: { id, name: expect.stringMatching(/^Contoso /) },
    }));
    const byId = new Map(items.map(({ id, type: _t, title: _n, ...more }) => [id, more]));
    expect(byId).toStrictEqual(
      new Map<string, object>([
        [local[0]?.id ?? '', { description: 'online', ...inOne }],
        [local[1]?.id ?? '', { description: 'online', ...inTwo }],
        [ofPartner.id, {}],
        [ofTwo.id, { ...inTwo }],
        [about.id, { ...inOne, device: { id: local[0]?.id, hostname: WORD } }],
        [alone.id, { ...inTwo, device: null }],
      ]),
    );
    const plain = await find(as, { q: WORD, context: 'false' });
    expect(plain).toStrictEqual(items.map(({ organization: _o, device: _d, ...item }) => item));
    const similar = await find(as, { q: `${WORD}s`, approximate: 'true', context: 'true', limit: '1' });
    expect(similar).toMatchObject([{ approximate: true, ...inOne }]);
  });

  test('restrict results to one organization, its partner, and pages', async () => {
    const { ask: as, one, two, ofPartner, ofTwo, alone, local } = await setUp();
    const ids = async (parameters: Readonly<Record<string, string>>) =>
      (await find(as, parameters)).map(({ id }) => id);
    expect(await ids({ q: WORD, orgId: two })).toStrictEqual([
      local[1]?.id,
      ofPartner.id,
      ofTwo.id,
      alone.id,
    ]);
    expect(await ids({ q: 'Profile', orgId: one.toUpperCase() })).toStrictEqual(['profile']);
    expect(await ids({ q: 'Profiel', orgId: one, approximate: 'true' })).toStrictEqual(['profile']);
    const stranger = await setUp();
    for (const orgId of [newId(), stranger.one]) {
      const answer = await as('GET', pathFor({ q: WORD, orgId }));
      expect(refusalOf(answer)).toStrictEqual([404, 'not_found']);
    }
    const faults = await as('GET', pathFor({ q: '', orgId: 'nonsense', context: 'yes' }));
    expect(refusalOf(faults)).toStrictEqual([
      ...[400, 'validation_failed'],
      ...['q', 'context', 'orgId'].map((path) => [path, 'invalid_value']),
    ]);
  });
});
