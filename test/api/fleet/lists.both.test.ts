/** The lists and the summary of a fleet over HTTP: reach, rows, parameters and refusals (Contract: §10). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { CALLERS, type CallerName, ORGS, REACH } from '#test/api/service/reach.ts';
import {
  type Answer,
  problemOf,
  refusalOf,
  startService,
  type TestService,
  tracesOf,
} from '#test/api/service/service.ts';
import { canaryOf, type OrgName } from '#test/api/service/tenants.ts';
import { aDevice, anAlert, aScript, aSite, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const KNOWN = CALLERS.filter((caller) => REACH[caller] !== null);
const UNKNOWN = CALLERS.filter((caller) => REACH[caller] === null);
const ROUTES = ['organizations', 'sites', 'alerts', 'scripts', 'patches', 'summary'].map(
  (name) => `/api/v1/${name}`,
);

/** Numbers of devices: those of the tenants, and one more in each organization. */
const DEVICES: Readonly<Record<OrgName, number>> = { A: 4, B: 3, C: 2, D: 1 };

let service: TestService;
let patched: Readonly<Record<OrgName, ReturnType<typeof aDevice>>>;

beforeAll(async () => {
  service = await startService();
  const { orgIds, partnerIds } = service.tenants;
  const patchedIn = (org: OrgName) =>
    aDevice({
      orgId: orgIds[org],
      patches: [
        { id: newId(), title: 'Shared', status: 'pending' },
        { id: newId(), title: canaryOf(org), status: 'failed' },
      ],
    });
  patched = { A: patchedIn('A'), B: patchedIn('B'), C: patchedIn('C'), D: patchedIn('D') };
  await loadFleet(service.composition.backend, [
    ...ORGS.flatMap((org) => [
      aSite({ orgId: orgIds[org], name: canaryOf(org) }),
      patched[org],
      anAlert({ orgId: orgIds[org], deviceId: patched[org].id, title: canaryOf(org) }),
      aScript({ owner: { kind: 'organization', orgId: orgIds[org] }, name: `of ${org}` }),
    ]),
    ...(['P', 'Q'] as const).map((partner) =>
      aScript({ owner: { kind: 'partner', partnerId: partnerIds[partner] }, name: `of ${partner}` }),
    ),
  ]);
});
afterAll(() => service.close());

interface Row {
  readonly [member: string]: unknown;
}

const get = (caller: CallerName, path: string) => service.as(caller)('GET', `/api/v1/${path}`);

async function rows(caller: CallerName, path: string): Promise<readonly Row[]> {
  const { status, body, text } = await get(caller, path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return (body as { data: readonly Row[] }).data;
}

test.each(UNKNOWN)('%s is 401', async (caller) => {
  for (const route of ROUTES) {
    expect(refusalOf(await service.as(caller)('GET', route))).toStrictEqual([401, 'unauthenticated']);
  }
});

describe.each(KNOWN)('%s', (caller) => {
  const reach = REACH[caller] ?? [];
  const orgs = ORGS.filter((org) => reach.includes(org));

  test('sees what is in reach and nothing else', async () => {
    const canaries = orgs.map(canaryOf);
    const { orgIds } = service.tenants;
    const organizations = await rows(caller, 'organizations');
    expect(organizations.map(({ id, deviceCount }) => [id, deviceCount])).toStrictEqual(
      orgs.map((org) => [orgIds[org], DEVICES[org]]),
    );
    expect((await rows(caller, 'sites')).map(({ name }) => name)).toStrictEqual(canaries);
    expect((await rows(caller, 'alerts')).map(({ title }) => title).sort()).toStrictEqual(canaries);
    expect((await rows(caller, 'scripts')).map(({ name }) => name)).toStrictEqual(
      reach.map((owner) => `of ${owner}`),
    );
    expect(await rows(caller, 'patches')).toStrictEqual(
      orgs.length === 0
        ? []
        : [
            { title: 'Shared', pending: orgs.length, installed: 0, failed: 0 },
            ...canaries.map((title) => ({ title, pending: 0, installed: 0, failed: 1 })),
          ],
    );
    const { body } = await get(caller, 'summary');
    expect(body).toMatchObject({
      devices: { total: orgs.reduce((sum, org) => sum + DEVICES[org], 0) },
      alerts: { critical: orgs.length, high: 0 },
      patchesPending: orgs.length,
    });
  });

  test('can narrow lists to an organization in reach, and gets 404 for others', async () => {
    const { orgIds, unknownId } = service.tenants;
    for (const path of ['sites', 'alerts', 'scripts', 'patches', 'summary']) {
      for (const org of ORGS) {
        const { status } = await get(caller, `${path}?orgId=${orgIds[org]}`);
        expect([path, org, status]).toStrictEqual([path, org, orgs.includes(org) ? 200 : 404]);
      }
      expect(refusalOf(await get(caller, `${path}?orgId=${unknownId}`))).toStrictEqual([404, 'not_found']);
    }
    for (const org of orgs) {
      const narrow = `?orgId=${orgIds[org].toUpperCase()}`;
      expect((await rows(caller, `sites${narrow}`)).map(({ name }) => name)).toStrictEqual([canaryOf(org)]);
      expect((await rows(caller, `alerts${narrow}`)).map(({ orgId }) => orgId)).toStrictEqual([orgIds[org]]);
      const partner = org === 'C' ? 'Q' : 'P';
      expect((await rows(caller, `scripts${narrow}`)).map(({ name }) => name)).toStrictEqual([
        `of ${org}`,
        `of ${partner}`,
      ]);
      expect((await rows(caller, `patches${narrow}`)).map(({ title }) => title)).toStrictEqual([
        'Shared',
        canaryOf(org),
      ]);
      expect((await get(caller, `summary${narrow}`)).body).toMatchObject({
        devices: { total: DEVICES[org] },
      });
    }
  });
});

test('an id out of reach is 404, as an unknown one is', async () => {
  const ask = (path: string) =>
    service.as('A-user')('GET', `/api/v1/${path}`, undefined, { 'X-Request-Id': 'same' });
  const { orgIds, unknownId } = service.tenants;
  const answers = [
    await ask(`sites?orgId=${orgIds.C}`),
    await ask(`sites?orgId=${unknownId}`),
    await ask(`alerts?deviceId=${patched.C.id}`),
    await ask(`alerts?deviceId=${unknownId}`),
    // The device is in reach, but belongs to another organization.
    await service.as('P-all')('GET', `/api/v1/alerts?orgId=${orgIds.B}&deviceId=${patched.A.id}`, undefined, {
      'X-Request-Id': 'same',
    }),
  ];
  expect(answers.map(({ status }) => status)).toStrictEqual(Array(5).fill(404));
  expect(answers[1]?.text).toBe(answers[0]?.text);
  expect(new Set(answers.slice(2).map(({ text }) => text)).size).toBe(1);
});

test('the lists refuse POST, and reading them is not audited', async () => {
  const before = await tracesOf(service);
  for (const route of ROUTES.filter((each) => !/organizations|sites/.test(each))) {
    const answer = await service.as('system')('POST', route, {});
    expect([answer.status, answer.headers.get('allow')]).toStrictEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await service.as('system')('GET', route)).status).toBe(200);
  }
  expect(await tracesOf(service)).toStrictEqual(before);
});

describe('a row', () => {
  const answer = async (path: string, load: (orgId: OrgId) => Parameters<typeof loadFleet>[1]) => {
    const { orgId, partnerId, ask } = await service.inNewOrg(load);
    return { ...((await ask('GET', `/api/v1/${path}`)).body as { data: readonly Row[] }), orgId, partnerId };
  };

  test('of an organization has its partner and its number of devices', async () => {
    const { orgId, partnerId, ...body } = await answer('organizations', (id) => [aDevice({ orgId: id })]);
    expect(body).toStrictEqual({
      data: [
        {
          id: orgId,
          name: expect.stringMatching(/^Contoso /),
          partnerId,
          partnerName: expect.stringMatching(/^Northwind /),
          deviceCount: 1,
        },
      ],
    });
  });

  test('of a site has its organization, and rows come by name in any case', async () => {
    const names = ['b', 'Ärmel', 'C', 'a'];
    const { orgId, data } = await answer('sites', (id) => names.map((name) => aSite({ orgId: id, name })));
    expect(data.map(({ name }) => name)).toStrictEqual(['a', 'b', 'C', 'Ärmel']);
    expect(data[0]).toStrictEqual({ id: expect.any(String), orgId, name: 'a' });
  });

  test('of an alert has every member', async () => {
    const {
      orgId,
      partnerId: _,
      ...body
    } = await answer('alerts', (id) => [
      anAlert({
        orgId: id,
        title: 'Disk "C:\\" 🖨',
        message: 'full\n',
        severity: 'low',
        status: 'resolved',
        createdAt: SOME_INSTANT + 5,
      }),
    ]);
    expect(body).toStrictEqual({
      data: [
        {
          id: expect.any(String),
          orgId,
          deviceId: null,
          deviceName: null,
          title: 'Disk "C:\\" 🖨',
          message: 'full\n',
          severity: 'low',
          status: 'resolved',
          createdAt: '2026-02-10T08:00:00.005Z',
        },
      ],
      nextCursor: null,
    });
  });

  test('of a script has its owner and its description', async () => {
    const {
      orgId,
      partnerId: _,
      ...body
    } = await answer('scripts', (id) => [
      aScript({ owner: { kind: 'organization', orgId: id }, name: 'Clean up' }),
    ]);
    expect(body).toStrictEqual({
      data: [{ id: expect.any(String), orgId, partnerId: null, name: 'Clean up', description: null }],
      nextCursor: null,
    });
    const [ofPartner] = await rows('Q-all', 'scripts?search=of+q');
    expect(ofPartner).toMatchObject({ orgId: null, partnerId: service.tenants.partnerIds.Q });
  });

  test('of a patch counts devices per status', async () => {
    const patch = (status: 'pending' | 'installed') => ({ id: null, title: 'KB1', status });
    const {
      orgId: _,
      partnerId: __,
      ...body
    } = await answer('patches', (id) => [
      aDevice({ orgId: id, patches: [patch('pending'), patch('pending')] }),
      aDevice({ orgId: id, patches: [patch('installed')] }),
    ]);
    expect(body).toStrictEqual({
      data: [{ title: 'KB1', pending: 1, installed: 1, failed: 0 }],
      nextCursor: null,
    });
  });
});

describe('a parameter', () => {
  test('of alerts selects by every fact that it names', async () => {
    const { ask } = await service.inNewOrg((orgId) => {
      const device = aDevice({ orgId });
      return [
        device,
        anAlert({ orgId, title: 'plain', createdAt: SOME_INSTANT }),
        anAlert({ orgId, title: 'high', severity: 'high', createdAt: SOME_INSTANT + 1 }),
        anAlert({ orgId, title: 'done', status: 'resolved', createdAt: SOME_INSTANT + 2 }),
        anAlert({ orgId, title: 'on it', deviceId: device.id, createdAt: SOME_INSTANT + 3 }),
      ];
    });
    const list = async (query: string) =>
      ((await ask('GET', `/api/v1/alerts${query}`)).body as { data: readonly Row[] }).data;
    const titles = async (query: string) => (await list(query)).map(({ title }) => title);
    expect(await titles('')).toStrictEqual(['on it', 'done', 'high', 'plain']);
    expect(await titles('?status=resolved')).toStrictEqual(['done']);
    expect(await titles('?severity=high&status=active')).toStrictEqual(['high']);
    expect(await titles('?severity=info')).toStrictEqual([]);
    const [onIt] = await list('?limit=1');
    expect(await titles(`?deviceId=${onIt?.deviceId}`)).toStrictEqual(['on it']);
    expect(await titles(`?deviceId=${onIt?.deviceId}&status=resolved`)).toStrictEqual([]);
  });

  test('of patches selects titles, but does not restrict their counts', async () => {
    const patch = (title: string, status: 'pending' | 'failed') => ({ id: null, title, status });
    const { ask } = await service.inNewOrg((orgId) => [
      aDevice({ orgId, patches: [patch('KB1', 'pending'), patch('KB2', 'pending')] }),
      aDevice({ orgId, patches: [patch('KB2', 'failed')] }),
    ]);
    expect((await ask('GET', '/api/v1/patches?status=failed')).body).toMatchObject({
      data: [{ title: 'KB2', pending: 1, installed: 0, failed: 1 }],
    });
  });

  test.each([
    ['search=CLEAN', ['Clean up', 'Tidy']],
    ['search=+clean+', ['Clean up', 'Tidy']],
    ['search=+', ['Clean up', 'Other 100 %', 'Tidy']],
    ['search=%25', ['Other 100 %']],
    ['search=nothing', []],
  ])('of scripts selects by name and description: %s', async (query, expected) => {
    const { ask } = await service.inNewOrg((orgId) =>
      [
        { name: 'Tidy', description: 'Cleans' },
        { name: 'Clean up', description: null },
        { name: 'Other 100 %', description: '' },
      ].map((script) => aScript({ owner: { kind: 'organization', orgId }, ...script })),
    );
    const { body } = await ask('GET', `/api/v1/scripts?${query}`);
    expect((body as { data: readonly Row[] }).data.map(({ name }) => name)).toStrictEqual(expected);
  });

  const PAGED = ['alerts', 'scripts', 'patches'];
  test.each<readonly [string, readonly string[], string, string]>([
    ['limit=0', PAGED, 'limit', 'out_of_range'],
    ['limit=201', PAGED, 'limit', 'out_of_range'],
    ['limit=1.5', PAGED, 'limit', 'out_of_range'],
    ['limit=abc', PAGED, 'limit', 'out_of_range'],
    ['limit=', PAGED, 'limit', 'out_of_range'],
    ['limit=1&limit=2', PAGED, 'limit', 'repeated_parameter'],
    ['orgId=A', [...PAGED, 'sites', 'summary'], 'orgId', 'invalid_value'],
    ['orgId=', [...PAGED, 'sites', 'summary'], 'orgId', 'invalid_value'],
    ['deviceId=x', ['alerts'], 'deviceId', 'invalid_value'],
    ['status=open', ['alerts', 'patches'], 'status', 'invalid_value'],
    ['status=', ['alerts', 'patches'], 'status', 'invalid_value'],
    ['severity=Critical', ['alerts'], 'severity', 'invalid_value'],
    ['search=%00', ['scripts'], 'search', 'invalid_value'],
    ['search=%FF', ['scripts'], 'search', 'invalid_value'],
  ])('that is invalid is refused: %s', async (query, paths, parameter, code) => {
    for (const path of paths) {
      const answer = await get('A-user', `${path}?${query}`);
      expect([path, ...refusalOf(answer)]).toStrictEqual([path, 400, 'validation_failed', [parameter, code]]);
    }
  });

  test('that is invalid is named together with all other invalid ones', async () => {
    const answer = await get('A-user', 'alerts?status=x&severity=y&orgId=z&deviceId=-&limit=0');
    expect(problemOf(answer).errors?.map(({ path }) => path)).toStrictEqual([
      'status',
      'severity',
      'orgId',
      'deviceId',
      'limit',
    ]);
  });

  test('with a cursor of another list or query, or a made-up one, is refused', async () => {
    const { ask } = await service.inNewOrg((orgId) => [
      anAlert({ orgId }),
      anAlert({ orgId }),
      aDevice({ orgId, patches: ['KB1', 'KB2'].map((title) => ({ id: null, title, status: 'failed' })) }),
    ]);
    const cursorOf = ({ body }: Answer) => (body as { nextCursor: string }).nextCursor;
    const ofAlerts = cursorOf(await ask('GET', '/api/v1/alerts?limit=1'));
    const ofPatches = cursorOf(await ask('GET', '/api/v1/patches?limit=1'));
    for (const path of [
      `patches?cursor=${ofAlerts}`,
      `alerts?cursor=${ofPatches}`,
      `scripts?cursor=${ofPatches}`,
      `alerts?cursor=${ofAlerts}&status=active`,
      `alerts?cursor=${ofAlerts}x`,
      'alerts?cursor=',
      'scripts?cursor=W10',
    ]) {
      expect(refusalOf(await ask('GET', `/api/v1/${path}`))).toStrictEqual([400, 'invalid_cursor']);
    }
  });
});
