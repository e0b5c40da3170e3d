/** What is proposed while a filter text is typed, over HTTP; `|` is the cursor (Contract: §11). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { type Ask, FILTERS, refusalOf, startService, type TestService } from '#test/api/service/service.ts';
import { canaryOf, type KeyName, type UserName } from '#test/api/service/tenants.ts';
import { aDevice, anOrganization, aSite, aUser } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const COMPLETE = `${FILTERS}/complete`;

interface Item {
  readonly insert: string;
  readonly label: string;
  readonly description: string | null;
}

interface Completion {
  readonly from: number;
  readonly to: number;
  readonly items: readonly Item[];
}

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function complete(ask: Ask, marked: string): Promise<Completion> {
  const at = marked.indexOf('|');
  const q = marked.replace('|', '');
  const query = new URLSearchParams({ q, at: String(at) });
  const { status, text, body } = await ask('GET', `${COMPLETE}?${query}`);
  if (status !== 200) throw new Error(`no completion was answered: ${status} ${text}`);
  return (body as { data: Completion }).data;
}

async function insertsAt(ask: Ask, marked: string): Promise<readonly string[]> {
  return (await complete(ask, marked)).items.map(({ insert }) => insert);
}

/** The text after the item is accepted. */
function accept(marked: string, { from, to }: Completion, { insert }: Item): string {
  const q = marked.replace('|', '');
  return q.slice(0, from) + insert + q.slice(to);
}

describe('a completion', () => {
  let ask: Ask;
  beforeAll(async () => {
    const installed = (...names: readonly string[]) => names.map((name) => ({ name, version: null }));
    ({ ask } = await service.inNewOrg((orgId) => {
      const sites = ['Main Street', 'Mill'].map((name) => aSite({ orgId, name }));
      const [main, mill] = sites;
      return [
        ...sites,
        aDevice({
          orgId,
          siteId: mill?.id ?? null,
          tags: ['vip', 'vpn'],
          software: installed('Google Chrome'),
        }),
        aDevice({
          orgId,
          siteId: mill?.id ?? null,
          tags: ['vip'],
          software: installed('Google Chrome', 'Chromium'),
        }),
        aDevice({ orgId, siteId: main?.id ?? null, tags: ['vip', 'two words'], software: installed('Gimp') }),
      ];
    }));
  });

  test.each<[string, readonly string[]]>([
    // Keys.
    ['sta|', ['status:', 'watchdogStatus:', 'software:', 'software.notInstalled:']],
    ['status:online -(reb|', ['reboot:']],
    // Operators and values that the field knows.
    ['cpu:|', ['none', 'any', '>', '>=', '<', '<=']],
    ['status:o|', ['online', 'offline']],
    ['status:online,ma|', ['maintenance']],
    // Values of devices, most frequent first, before what the field knows.
    ['tags:|', ['vip', '"two words"', 'vpn', 'none', 'any', '[']],
    ['tags:v|', ['vip', 'vpn']],
    ['tags:[vip,V|', ['vip', 'vpn']],
    ['tags.name:=TW|', ['"two words"']],
    ['tags:"two w|', ['"two words"']],
    ['software:chrom|', ['Chromium', '"Google Chrome"']],
    ['software:G|', ['"Google Chrome"', 'Gimp']],
    ['-software.notInstalled:=gi|', ['Gimp']],
    ['org:|', [expect.stringMatching(/^"Contoso [0-9a-f-]+"$/), '=']],
    ['site:m|', ['Mill', '"Main Street"']],
    ['site:zzz|', []],
    // Nothing is proposed for these.
    ['host:d|', []],
    ['nope:a|', []],
    ['"a|', []],
  ])('at %s proposes %j', async (marked, expected) => {
    expect(await insertsAt(ask, marked)).toStrictEqual(expected);
  });

  test('has the range that it replaces, a label and a description', async () => {
    const answer = await ask('GET', `${COMPLETE}?q=tags:v%20reb%20x&at=10`);
    expect([answer.headers.get('content-type'), answer.body]).toStrictEqual([
      'application/json',
      {
        data: {
          from: 7,
          to: 10,
          items: [
            {
              insert: 'reboot:',
              label: 'Reboot Required',
              description:
                "The device's operating system reports a pending reboot. False where nothing is known: inventories do not say.",
            },
          ],
        },
      },
    ]);
    const { from, to, items } = await complete(ask, 'tags:"tw|o" vip');
    expect({ from, to, items }).toStrictEqual({
      from: 5,
      to: 10,
      items: [{ insert: '"two words"', label: 'two words', description: '1 device' }],
    });
  });

  test('is for the end of the text by default', async () => {
    for (const query of ['?q=tags:v', '?q=tags:v&at=6', '?q=tags:v&at=1000']) {
      const { data } = (await ask('GET', `${COMPLETE}${query}`)).body as { data: Completion };
      expect(data.items.map(({ insert }) => insert)).toStrictEqual(['vip', 'vpn']);
    }
    // Positions count UTF-16 code units.
    expect(await complete(ask, '😀 tags:vp|')).toMatchObject({ from: 8, to: 10 });
  });

  test('is given for an empty text as well', async () => {
    const { data } = (await ask('GET', `${COMPLETE}?q=`)).body as { data: Completion };
    expect([data.from, data.to, data.items.length]).toStrictEqual([0, 0, 20]);
    expect(data.items.every(({ insert }) => insert.endsWith(':'))).toBe(true);
  });

  test.each([
    ['', 'q', 'value_required'],
    ['?at=0', 'q', 'value_required'],
    ['?q=a&at=-1', 'at', 'out_of_range'],
    ['?q=a&at=1.5', 'at', 'out_of_range'],
    ['?q=a&at=', 'at', 'out_of_range'],
    ['?q=a&at=1&at=2', 'at', 'repeated_parameter'],
    ['?q=a%00', 'q', 'invalid_value'],
    ['?q=%ff', 'q', 'invalid_value'],
  ])('%j is refused', async (query, path, code) => {
    expect(refusalOf(await ask('GET', `${COMPLETE}${query}`))).toStrictEqual([
      ...[400, 'validation_failed'],
      [path, code],
    ]);
  });

  test('has at most twenty items', async () => {
    const org = await service.inNewOrg((orgId) => [
      aDevice({ orgId, tags: Array.from({ length: 40 }, (_, i) => `tag-${i}`) }),
    ]);
    expect(await insertsAt(org.ask, 'tags:t|')).toHaveLength(20);
    const withOperators = await insertsAt(org.ask, 'tags:|');
    expect(withOperators).toHaveLength(20);
    expect(withOperators.slice(-3)).toStrictEqual(['none', 'any', '[']);
  });
});

describe('an accepted value', () => {
  const values: readonly string[] = [
    ...['two words', 'a"b', 'back\\slash', 'a,b', '(x)', 'none', 'any', '=eq', '>5', '[list]', '/re/', '*'],
    ...['star*', '*star', '-minus', 'NOT', 'OR', 'a:b', 'tab\tbed', 'über', '😀', "O'Neil", '100%', 'a_b'],
    ...['\u00a0nbsp', 'zero\u200dwidth', '0198f0c0-0000-7000-8000-0000000000a1', '""', '\\"', 'a]b'],
  ];

  test.each(values)('%j is parsed unchanged', async (value) => {
    const { ask, orgId } = await service.inNewOrg((orgId) => [
      aDevice({ orgId, tags: [value], software: [{ name: value, version: null }] }),
    ]);
    const begun =
      JSON.stringify([...value][0]) === '"\\""' ? '"\\"|' : `"${[...value][0]?.replace('\\', '\\\\')}|`;
    for (const [key, field, operator] of [
      ['tags', 'tags', 'contains'],
      ['software', 'software.installed', 'contains'],
    ]) {
      for (const marked of [`${key}:|`, `${key}:${begun}`, `x ${key}:${begun} OR y`]) {
        const completion = await complete(ask, marked);
        const item = completion.items.find(({ label }) => label === value);
        if (item === undefined) throw new Error(`${value} is not proposed at ${marked}`);
        const q = accept(marked, completion, item);
        const { status, text, body } = await ask('POST', `${FILTERS}/parse`, { q });
        expect([q, status, text]).toStrictEqual([q, 200, text]);
        const { conditions } = (body as { data: { conditions: object } }).data;
        expect(JSON.stringify(conditions)).toContain(JSON.stringify({ field, operator, value }));
      }
    }
    expect(orgId).not.toBe('');
  });

  test('becomes the id of the organization or site of that name', async () => {
    const { partnerId } = await service.inNewOrg(() => []);
    const names = values.filter((value) => !/^[0-9a-f-]{36}$/.test(value));
    const orgs = values.map((name) => anOrganization({ partnerId, name }));
    const staff = aUser({ membership: { scope: 'partner', partnerId, orgIds: null } });
    const sites = orgs.map(({ id: orgId, name }) => aSite({ orgId, name }));
    await loadFleet(service.composition.backend, [...orgs, ...sites, staff]);
    const ask = service.asUser(staff.id);
    for (const [key, things] of [
      ['org', orgs],
      ['site', sites],
    ] as const) {
      for (const name of names) {
        const marked = `${key}:"${name.replaceAll(/["\\]/g, '\\$&')}|`;
        const completion = await complete(ask, marked);
        const item = completion.items.find(({ label }) => label === name);
        if (item === undefined) throw new Error(`${name} is not proposed at ${marked}`);
        const q = accept(marked, completion, item);
        const { body } = await ask('POST', `${FILTERS}/parse`, { q });
        const { data } = body as { data: { q: string } };
        expect(data.q).toBe(`${key}:${things.find((thing) => thing.name === name)?.id}`);
      }
      // A name that looks like an id would be read as one, so it is not proposed.
      expect(await insertsAt(ask, `${key}:0198f0c0|`)).toStrictEqual([]);
    }
  });
});

describe('reach', () => {
  type CallerName = UserName | KeyName;
  const REACH: Readonly<Record<string, readonly string[]>> = {
    system: ['A', 'B', 'C'],
    'key-system': ['A', 'B', 'C'],
    'P-all': ['A', 'B'],
    'P-subset': ['A'],
    'P-none': [],
    'key-P-to-C': [],
    'key-A-to-C': [],
    'key-P-to-A': ['A'],
    'Q-all': ['C'],
    'A-admin': ['A'],
    'key-A': ['A'],
    'B-user': ['B'],
    'C-user': ['C'],
  };

  beforeAll(async () => {
    const { orgIds } = service.tenants;
    await loadFleet(
      service.composition.backend,
      (['A', 'B', 'C'] as const).flatMap((org) => {
        const name = canaryOf(org);
        const orgId: OrgId = orgIds[org];
        return [
          anOrganization({ id: orgId, partnerId: service.tenants.partnerIds[org === 'C' ? 'Q' : 'P'], name }),
          aSite({ orgId, name }),
          aDevice({ orgId, tags: [name], software: [{ name, version: null }] }),
        ];
      }),
    );
  });

  test.each(Object.keys(REACH) as readonly CallerName[])('%s gets only values in reach', async (caller) => {
    const ask = service.as(caller);
    const expected = REACH[caller]?.map((org) => canaryOf(org as 'A')) ?? [];
    for (const key of ['tags', 'tags.name', 'software', 'software.notInstalled', 'org', 'site']) {
      const found = await insertsAt(ask, `${key}:CANARY|`);
      expect([key, found.toSorted()]).toStrictEqual([key, expected]);
    }
    const fields = (await insertsAt(ask, 'custom.of_|')).filter((insert) => /of_[abc]/.test(insert));
    expect(fields.toSorted()).toStrictEqual(
      (REACH[caller] ?? []).map((org) => `custom.of_${org.toLowerCase()}:`),
    );
  });
});
