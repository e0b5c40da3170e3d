/** The search over HTTP: reach, and a test for each line of the specification and of contract §6. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FleetRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { CALLERS, type CallerName, ORGS, type OwnerName, REACH } from '#test/api/service/reach.ts';
import {
  type Answer,
  type Ask,
  refusalOf,
  SEARCH,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aDevice, anAlert, aScript, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

interface Item {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly href?: string;
}

let service: TestService;

beforeAll(async () => {
  service = await startService();
  const { orgIds, partnerIds } = service.tenants;
  const ownerOf = (name: OwnerName): Owner =>
    name === 'P' || name === 'Q'
      ? { kind: 'partner', partnerId: partnerIds[name] }
      : { kind: 'organization', orgId: orgIds[name] };
  await loadFleet(service.composition.backend, [
    ...ORGS.flatMap((name) => [
      aDevice({ orgId: orgIds[name], hostname: `Findme-${name}` }),
      anAlert({ orgId: orgIds[name], title: `Findme-${name}` }),
    ]),
    ...([...ORGS, 'P', 'Q'] as const).map((name) =>
      aScript({ owner: ownerOf(name), name: `Findme-${name}` }),
    ),
  ]);
});
afterAll(() => service.close());

function resultsOf({ status, text, body }: Answer): readonly Item[] {
  if (status !== 200) throw new Error(`no results were answered: ${status} ${text}`);
  return (body as { results: readonly Item[] }).results;
}

const pathFor = (parameters: Readonly<Record<string, string>>) =>
  `${SEARCH}?${new URLSearchParams(parameters)}`;

/** Searches for a text as a caller. */
async function find(ask: Ask, q: string, parameters: Readonly<Record<string, string>> = {}) {
  return resultsOf(await ask('GET', pathFor({ q, ...parameters })));
}

const titlesOf = (results: readonly Item[]) => results.map(({ title }) => title);
const typesOf = (results: readonly Item[]) => results.map(({ type }) => type);

/** A new organization with these records. */
const inNewOrg = async (records: (orgId: OrgId, owner: Owner) => readonly FleetRecord[]) =>
  (await service.inNewOrg((orgId) => records(orgId, { kind: 'organization', orgId }))).ask;

describe('reach', () => {
  test.each(CALLERS)('%s finds things in reach, or is 401', async (caller) => {
    const reach = REACH[caller];
    const answer = await service.as(caller)('GET', pathFor({ q: 'findme', limit: '50' }));
    if (reach === null) {
      expect(refusalOf(answer)).toStrictEqual([401, 'unauthenticated']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
      return;
    }
    const results = resultsOf(answer);
    const namesOf = (type: string) => titlesOf(results.filter((item) => item.type === type));
    const ofOrgs = reach.filter((name) => name !== 'P' && name !== 'Q').map((name) => `Findme-${name}`);
    expect([namesOf('devices'), namesOf('scripts'), namesOf('alerts'), namesOf('settings')]).toStrictEqual([
      ofOrgs,
      reach.map((name) => `Findme-${name}`),
      ofOrgs,
      [],
    ]);
  });

  test.each<[CallerName, readonly string[]]>([
    ['A-admin', ['Audit log', 'Deletion requests']],
    ['A-user', []],
    ['P-all', []],
    ['system', []],
    ['key-system', []],
  ])('%s finds these pages of administrators: %j', async (caller, expected) => {
    const ask = service.as(caller);
    const found = [...(await find(ask, 'audit log')), ...(await find(ask, 'deletion requests'))];
    expect(titlesOf(found)).toStrictEqual(expected);
  });

  test('200 searches of different tenants at once are not mixed up', async () => {
    const callers = ['A-user', 'B-user', 'C-user', 'P-all', 'key-P-to-A', 'P-none', 'system'] as const;
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const caller = callers[i % callers.length] ?? 'A-user';
        const results = await find(service.as(caller), 'findme', { limit: '50' });
        return { caller, names: titlesOf(results.filter(({ type }) => type === 'scripts')) };
      }),
    );
    for (const { caller, names } of answers) {
      expect({ caller, names }).toStrictEqual({
        caller,
        names: REACH[caller]?.map((name) => `Findme-${name}`),
      });
    }
  });
});

describe('a result', () => {
  test('has the members of its category, and a description only if there is one', async () => {
    const records: FleetRecord[] = [];
    const ask = await inNewOrg((orgId, owner) => {
      records.push(
        aDevice({ orgId, hostname: 'profile-1', displayName: 'Büro 🖨', status: 'maintenance' }),
        aDevice({ orgId, hostname: 'profile-2', displayName: '' }),
        aScript({ owner, name: 'Profile A', description: 'Cleans\nup' }),
        aScript({ owner, name: 'Profile B', description: '' }),
        anAlert({ orgId, title: 'Profile C', message: 'Disk "C:\\" is full' }),
        anAlert({ orgId, title: 'Profile D', message: null, status: 'resolved' }),
      );
      return records;
    });
    const answer = await ask('GET', pathFor({ q: 'profile' }), undefined, { 'X-Request-Id': 'mine' });
    expect([answer.headers.get('content-type'), answer.headers.get('x-request-id')]).toStrictEqual([
      'application/json',
      'mine',
    ]);
    const [device1, device2, scriptA, scriptB, alertC, alertD] = records.map((record) => record.id);
    expect(answer.body).toStrictEqual({
      results: [
        { id: device2, type: 'devices', title: 'profile-2', description: 'online' },
        { id: device1, type: 'devices', title: 'Büro 🖨', description: 'maintenance' },
        { id: scriptA, type: 'scripts', title: 'Profile A', description: 'Cleans\nup' },
        { id: scriptB, type: 'scripts', title: 'Profile B' },
        { id: alertC, type: 'alerts', title: 'Profile C', description: 'Disk "C:\\" is full' },
        { id: alertD, type: 'alerts', title: 'Profile D' },
        {
          id: 'profile',
          type: 'settings',
          title: 'Profile',
          description: 'Your name and email address',
          href: '/settings/profile',
        },
      ],
    });
  });

  test('is found by every searched field and by no other', async () => {
    const ask = await inNewOrg((orgId, owner) => {
      const device = aDevice({
        orgId,
        hostname: 'by-hostname',
        displayName: 'by-displayname',
        lastUser: 'CORP\\by-lastuser',
        lastSeenIp: '198.51.100.77',
        osVersion: 'by-osversion',
        agentVersion: 'by-agentversion',
        tags: ['by-tag'],
        hardware: {
          manufacturer: null,
          model: 'by-model',
          serialNumber: 'by-serial',
          cpuModel: null,
          gpuModel: null,
          cpuCores: null,
          ramTotalMb: null,
          diskTotalGb: null,
        },
        network: [{ ipAddress: '198.51.100.78', publicIp: null, macAddress: '00:53:00:00:00:01' }],
        status: 'quarantined',
      });
      return [
        device,
        aScript({ owner, name: 'by-name', description: 'by-description' }),
        anAlert({ orgId, deviceId: device.id, title: 'by-title', message: 'by-message', severity: 'high' }),
      ];
    });
    for (const [text, type] of [
      ['by-hostname', 'devices'],
      ['by-displayname', 'devices'],
      ['by-lastuser', 'devices'],
      ['corp\\BY', 'devices'],
      ['by-name', 'scripts'],
      ['by-description', 'scripts'],
      ['by-title', 'alerts'],
      ['by-message', 'alerts'],
    ] as const) {
      expect([text, typesOf(await find(ask, text))]).toStrictEqual([text, [type]]);
    }
    for (const text of [
      ...['198.51.100', 'by-osversion', 'by-agentversion', 'by-tag', 'by-model', 'by-serial', '00:53'],
      ...['quarantined', 'high', 'active'],
    ]) {
      expect([text, await find(ask, text)]).toStrictEqual([text, []]);
    }
  });

  test('changes with the device that it shows', async () => {
    const id = newId<'device'>();
    const { ask, orgId } = await service.inNewOrg((orgId) => [aDevice({ id, orgId, hostname: 'before' })]);
    expect(titlesOf(await find(ask, 'before'))).toStrictEqual(['before']);
    await loadFleet(service.composition.backend, [aDevice({ id, orgId, hostname: 'after' })]);
    expect([await find(ask, 'before'), titlesOf(await find(ask, 'after'))]).toStrictEqual([[], ['after']]);
  });
});

describe('q', () => {
  let ask: Ask;
  beforeAll(async () => {
    const texts = [
      ...['100% sure', '1000 sure', 'srv_01', 'srv-01', 'C:\\Windows', 'C:/Windows', "O'Neil", '"quoted"'],
      ...['İstanbul', 'Straße', 'ΟΔΟΣ', 'Бухгалтерия', '300 \u212A', 'caf\u00e9', 'cafe\u0301', 'שרת עולם'],
      ...['🖨️ Drucker', '🦊'.repeat(100), 'a+b c', '--', '中文服务器'],
    ];
    ask = await inNewOrg((orgId) => texts.map((hostname) => aDevice({ orgId, hostname })));
  });

  test.each([
    ['0% s', ['100% sure']],
    ['SURE', ['100% sure', '1000 sure']],
    ['v_0', ['srv_01']],
    [':\\w', ['C:\\Windows']],
    ['\\', ['C:\\Windows']],
    ['%', ['100% sure']],
    ['_', ['srv_01']],
    ["o'n", ["O'Neil"]],
    ['"', ['"quoted"']],
    ['istanbul', ['İstanbul']],
    ['STRAẞE', ['Straße']],
    ['strasse', []],
    ['οδοσ', ['ΟΔΟΣ']],
    ['οδος', []],
    ['бУХ', ['Бухгалтерия']],
    ['300 K', ['300 \u212A']],
    ['CAF\u00c9', ['caf\u00e9']],
    ['cafe', ['cafe\u0301']],
    ['עולם', ['שרת עולם']],
    ['🖨', ['🖨️ Drucker']],
    ['文服', ['中文服务器']],
    ['+', ['a+b c']],
    ['b c', ['a+b c']],
    ['--', ['--']],
    ['.*', []],
    ["'; drop table device; --", []],
    // The length of the trimmed text counts, in code points.
    [' \u00a0\u2003\u0085istanbul\ufeff\n', ['İstanbul']],
    [`  ${'🦊'.repeat(100)}  `, ['🦊'.repeat(100)]],
    ['x'.repeat(100), []],
    ['\u0001', []],
  ])('%j finds %j', async (q, titles) => {
    expect(titlesOf(await find(ask, q))).toStrictEqual(titles);
  });

  test.each([
    ['?q=b+c', ['a+b c']],
    ['?q=b%20c', ['a+b c']],
    ['?q=a%2Bb', ['a+b c']],
    ['?q=%C4%B0stanbul', ['İstanbul']],
    // A repeated equal value counts once, and unknown parameters are ignored.
    ['?q=istanbul&q=istanbul', ['İstanbul']],
    ['?q=istanbul&limit=5&limit=5', ['İstanbul']],
    ['?q=istanbul&type=scripts&offset=1&search=x&Q=x', ['İstanbul']],
    ['?q=istanbul&limit', null],
  ])('is read from the query %j', async (query, titles) => {
    const answer = await ask('GET', `${SEARCH}${query}`);
    if (titles === null) expect(refusalOf(answer)[0]).toBe(400);
    else expect(titlesOf(resultsOf(answer))).toStrictEqual(titles);
  });

  test.each([
    ['', 'value_required', 'q is required: the text to search for, 1 to 100 characters'],
    ['?Q=a', 'value_required', 'q is required: the text to search for, 1 to 100 characters'],
    ['?q', 'invalid_value', 'q must have 1 to 100 characters after trimming; it has 0'],
    ['?q=', 'invalid_value', 'q must have 1 to 100 characters after trimming; it has 0'],
    ['?q=%20%C2%A0%0A', 'invalid_value', 'q must have 1 to 100 characters after trimming; it has 0'],
    [`?q=${'x'.repeat(101)}`, 'invalid_value', 'q must have 1 to 100 characters after trimming; it has 101'],
    [
      `?q=${encodeURIComponent('🦊'.repeat(101))}`,
      'invalid_value',
      'q must have 1 to 100 characters after trimming; it has 101',
    ],
    ['?q=a%00b', 'invalid_value', 'q must not contain a NUL character (U+0000)'],
    ['?q=a%ffb', 'invalid_value', 'q must be UTF-8'],
    ['?q=a&q=b', 'repeated_parameter', 'q appears more than once with different values'],
  ])('%j is refused with what is allowed', async (query, code, message) => {
    const answer = await ask('GET', `${SEARCH}${query}`, undefined, { 'X-Request-Id': 'refused' });
    expect([answer.status, answer.headers.get('content-type'), answer.body]).toStrictEqual([
      400,
      'application/problem+json',
      {
        type: 'urn:fleetsift:problem:validation_failed',
        title: 'Validation failed',
        status: 400,
        detail: message,
        message,
        code: 'validation_failed',
        requestId: 'refused',
        errors: [{ path: 'q', code, message }],
      },
    ]);
  });
});

describe('limit', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => `profile ${i + 100}`);
  let ask: Ask;
  beforeAll(async () => {
    ask = await inNewOrg((orgId, owner) =>
      numbers(60).flatMap((name) => [
        aDevice({ orgId, hostname: name }),
        aScript({ owner, name }),
        anAlert({ orgId, title: name }),
      ]),
    );
  });
  const sharesOf = (results: readonly Item[]) =>
    ['devices', 'scripts', 'alerts', 'settings'].map(
      (category) => results.filter(({ type }) => type === category).length,
    );

  test.each([
    [{}, [7, 6, 6, 1]],
    [{ limit: '1' }, [1, 0, 0, 0]],
    [{ limit: '3' }, [1, 1, 1, 0]],
    [{ limit: '4' }, [1, 1, 1, 1]],
    [{ limit: '5' }, [2, 1, 1, 1]],
    [{ limit: '50' }, [17, 16, 16, 1]],
  ])('%j counts over all categories, which share it fairly', async (parameters, shares) => {
    const results = await find(ask, 'profile', parameters);
    expect(sharesOf(results)).toStrictEqual(shares);
    expect(typesOf(results)).toStrictEqual(
      ['devices', 'scripts', 'alerts', 'settings'].flatMap((type, i) => Array(shares[i]).fill(type)),
    );
    for (const type of ['devices', 'scripts', 'alerts']) {
      const titles = titlesOf(results.filter((item) => item.type === type));
      expect(titles).toStrictEqual(numbers(60).slice(0, titles.length));
    }
  });

  test('goes to other categories where one leaves its share unused', async () => {
    // Ten names of each category contain the text, and no settings page does.
    expect(sharesOf(await find(ask, 'profile 10', { limit: '50' }))).toStrictEqual([10, 10, 10, 0]);
    expect(sharesOf(await find(ask, 'profile 10', { limit: '20' }))).toStrictEqual([7, 7, 6, 0]);
    const alone = await inNewOrg((orgId) => numbers(60).map((hostname) => aDevice({ orgId, hostname })));
    expect(sharesOf(await find(alone, 'profile'))).toStrictEqual([19, 0, 0, 1]);
    expect(sharesOf(await find(alone, 'profile 1', { limit: '50' }))).toStrictEqual([50, 0, 0, 0]);
  });

  test.each([
    ...[
      '0',
      '51',
      '-1',
      '1.5',
      'abc',
      '',
      '1e1',
      '0x5',
      '+5',
      ' 5',
      '05',
      '５',
      '20,',
      'NaN',
      '1'.repeat(400),
    ],
  ])('%j is refused', async (limit) => {
    const answer = await ask('GET', pathFor({ q: 'profile', limit }));
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ['limit', 'out_of_range']]);
    expect(answer.text).toContain('limit must be a whole number from 1 to 50');
  });

  test('is refused if repeated with another value, together with every other fault', async () => {
    expect(refusalOf(await ask('GET', `${SEARCH}?q=a&limit=5&limit=6`))).toStrictEqual([
      ...[400, 'validation_failed'],
      ['limit', 'repeated_parameter'],
    ]);
    expect(refusalOf(await ask('GET', `${SEARCH}?limit=0`))).toStrictEqual([
      ...[400, 'validation_failed'],
      ['q', 'value_required'],
      ['limit', 'out_of_range'],
    ]);
    expect(refusalOf(await ask('GET', `${SEARCH}?q=a&q=b&limit=x`))).toStrictEqual([
      ...[400, 'validation_failed'],
      ['q', 'repeated_parameter'],
      ['limit', 'out_of_range'],
    ]);
  });
});

describe('the order within a category', () => {
  test('is exact title, prefix, word start, the rest; then title, then id', async () => {
    const ids = [newId<'script'>(), newId<'script'>()];
    const ask = await inNewOrg((orgId, owner) => [
      ...['zsrv', 'a (srv)', 'b-srv', 'Srv 2', 'SRV', 'srv10', 'ésrv', '😀srv', '٣srv', '_srv'].map(
        (hostname) => aDevice({ orgId, hostname }),
      ),
      aDevice({ orgId, hostname: 'srv', displayName: 'Alpha' }),
      aDevice({ orgId, hostname: 'other', displayName: 'Beta', lastUser: 'srv' }),
      ...ids.toReversed().map((id) => aScript({ id, owner, name: 'srv' })),
      aScript({ owner, name: 'A', description: 'srv' }),
    ]);
    const results = await find(ask, 'SrV', { limit: '50' });
    expect(titlesOf(results.filter(({ type }) => type === 'devices'))).toStrictEqual([
      'SRV',
      'Srv 2',
      'srv10',
      '_srv',
      'a (srv)',
      'b-srv',
      '😀srv',
      'Alpha',
      'Beta',
      'zsrv',
      'ésrv',
      '٣srv',
    ]);
    const scripts = results.filter(({ type }) => type === 'scripts');
    expect(scripts.slice(0, 2).map(({ id }) => id)).toStrictEqual(ids);
    expect(scripts[2]?.title).toBe('A');
  });
});

describe('the route', () => {
  test('takes GET, HEAD and OPTIONS', async () => {
    const ask = service.as('A-user');
    const head = await ask('HEAD', pathFor({ q: 'findme' }));
    expect([head.status, head.text, head.headers.get('content-type')]).toStrictEqual([
      200,
      '',
      'application/json',
    ]);
    expect((await ask('HEAD', SEARCH)).status).toBe(400);
    const options = await service.as('none')('OPTIONS', SEARCH);
    expect([options.status, options.headers.get('allow')]).toStrictEqual([204, 'GET, HEAD, OPTIONS']);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await ask(method, pathFor({ q: 'findme' }));
      expect([...refusalOf(answer), answer.headers.get('allow')]).toStrictEqual([
        ...[405, 'method_not_allowed'],
        'GET, HEAD, OPTIONS',
      ]);
    }
    for (const path of [`${SEARCH}/`, `${SEARCH}/devices`]) {
      expect(refusalOf(await ask('GET', `${path}?q=findme`))).toStrictEqual([404, 'not_found']);
    }
  });

  test('checks credentials before the query', async () => {
    expect(refusalOf(await service.as('none')('GET', SEARCH))).toStrictEqual([401, 'unauthenticated']);
  });

  test('is not audited', async () => {
    const count = async () => (await service.probe.auditEntries()).length;
    const before = await count();
    await find(service.as('A-user'), 'findme');
    await service.as('A-user')('GET', SEARCH);
    expect(await count()).toStrictEqual(before);
  });
});
