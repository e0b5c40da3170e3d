/** GET /devices/:id/filters: the saved filters of its organization that a device matches (Contract: §10). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import {
  type Answer,
  FILTERS,
  filterOf,
  type NewOrg,
  PREVIEW,
  problemOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aCustomField, aDevice, aFilter, newId } from '#test/support/builders.ts';
import { and, or, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { INSTANT } from '#test/support/shapes.ts';
import { loadFleet } from '#test/support/tenant.ts';

const DAY_MS = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const is = (field: string, operator: string, value?: unknown): RawCondition => ({
  field,
  operator,
  ...(value !== undefined && { value }),
});

const urlOf = (id: string) => `/api/v1/devices/${id}/filters`;

interface FiltersBody {
  readonly data: readonly { readonly id: string; readonly name: string }[];
  readonly evaluatedAt: string;
}

function bodyOf({ status, text, body }: Answer): FiltersBody {
  if (status !== 200) throw new Error(`no filters were answered: ${status} ${text}`);
  return body as FiltersBody;
}

const namesOf = (answer: Answer) => bodyOf(answer).data.map(({ name }) => name);

/** An organization with a server, a laptop and these filters by name. */
async function withFilters(filters: Readonly<Record<string, RawGroup>>, more: readonly FleetRecord[] = []) {
  const ids: Partial<Record<'server' | 'laptop', DeviceId>> = {};
  const org = await service.inNewOrg((orgId) => {
    const server = aServer(orgId);
    const laptop = aDevice({ orgId, hostname: 'laptop-7', osType: 'macos' });
    Object.assign(ids, { server: server.id, laptop: laptop.id });
    return [server, laptop, ...more];
  });
  await loadFleet(service.composition.backend, filtersOf(org, filters));
  const { server, laptop } = ids;
  if (server === undefined || laptop === undefined) throw new Error('there are no devices');
  return { org, server, laptop };
}

function filtersOf({ orgId, userId }: NewOrg, filters: Readonly<Record<string, RawGroup>>) {
  return Object.entries(filters).map(([name, conditions]) =>
    aFilter({ orgId, createdBy: userId, name, conditions }),
  );
}

const aServer = (orgId: OrgId) =>
  aDevice({
    orgId,
    hostname: 'Srv-Backup-01',
    osType: 'windows',
    tags: ['vip', 'rack-4'],
    lastSeenAt: Date.now() - DAY_MS,
    software: [{ name: 'Veeam Agent', version: '6' }],
    network: [{ ipAddress: '10.0.0.7', publicIp: null, macAddress: null }],
    metrics: { cpuPercent: 95, ramPercent: null, diskPercent: null },
    custom: new Map([['owner', 'Sam']]),
  });

describe('GET /devices/:id/filters', () => {
  test('answers the filters that the device matches, by name, with the time of evaluation', async () => {
    const { org, server, laptop } = await withFilters({
      zulu: and(is('hostname', 'startsWith', 'srv-')),
      Backup: and(is('software.installed', 'contains', 'veeam'), is('tags', 'contains', 'vip')),
      änderung: or(is('hostname', 'matches', '^srv-\\w+-\\d+$'), is('tags', 'hasAny', ['none'])),
      alpha: and(is('hostname', 'matches', '(?i)^srv-\\w+-\\d+$')),
      busy: and(is('metrics.cpuPercent', 'greaterThan', 90)),
      Seen: and(is('lastSeenAt', 'withinLast', { amount: 2, unit: 'days' })),
      seen: and(is('lastSeenAt', 'notWithinLast', { amount: 2, unit: 'days' })),
      macs: and(is('osType', 'equals', 'macos')),
      'not windows': and(is('osType', 'notEquals', 'windows')),
      local: and(is('network.ipAddress', 'startsWith', '10.')),
    });
    const before = Date.now();
    const answer = await org.ask('GET', urlOf(server));
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(namesOf(answer)).toStrictEqual(['alpha', 'Backup', 'busy', 'local', 'Seen', 'zulu']);
    expect(namesOf(await org.ask('GET', urlOf(laptop)))).toStrictEqual(['macs', 'not windows', 'seen']);
    const { data, evaluatedAt } = bodyOf(answer);
    expect(Object.keys(data[0] ?? {})).toStrictEqual(['id', 'name', 'since']);
    expect(evaluatedAt).toMatch(INSTANT);
    expect(Date.parse(evaluatedAt)).toBeGreaterThanOrEqual(before);
    for (const { id, name } of data) {
      expect(filterOf(await org.ask('GET', `${FILTERS}/${id}`)).name).toBe(name);
    }
  });

  test('agrees with the preview of each filter', async () => {
    const word = ['srv', 'backup', '01', 'laptop', '7', 'Srv-Backup-01', 'r'];
    const filters = Object.fromEntries(
      ['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith', 'matches'].flatMap(
        (operator) =>
          word.map((value) => [`${operator} ${value}`, and(is('hostname', operator, value))] as const),
      ),
    );
    const { org, server, laptop } = await withFilters(filters);
    const expected = new Map<string, string[]>([server, laptop].map((id) => [id, []]));
    for (const [name, conditions] of Object.entries(filters)) {
      const { body } = await org.ask('POST', PREVIEW, { conditions });
      const { devices } = (body as { data: { devices: readonly { id: string }[] } }).data;
      for (const { id } of devices) expected.get(id)?.push(name);
    }
    for (const [id, names] of expected) {
      expect(namesOf(await org.ask('GET', urlOf(id))).toSorted()).toStrictEqual(names.toSorted());
    }
  });

  test('is empty if there is no filter or none matches', async () => {
    const { org, server } = await withFilters({});
    expect(namesOf(await org.ask('GET', urlOf(server)))).toStrictEqual([]);
    await loadFleet(
      service.composition.backend,
      filtersOf(org, { other: and(is('hostname', 'equals', 'x')) }),
    );
    expect(namesOf(await org.ask('GET', urlOf(server)))).toStrictEqual([]);
  });

  test('follows every change of filters and of the device', async () => {
    const { org, server } = await withFilters({ a: and(is('tags', 'contains', 'vip')) });
    const look = async () => namesOf(await org.ask('GET', urlOf(server)));
    expect(await look()).toStrictEqual(['a']);
    const created = filterOf(
      await org.ask('POST', FILTERS, { name: 'b', conditions: and(is('tags', 'contains', 'rack-4')) }),
    );
    expect(await look()).toStrictEqual(['a', 'b']);
    await org.ask('PATCH', `${FILTERS}/${created.id}`, { name: 'c' });
    expect(await look()).toStrictEqual(['a', 'c']);
    await org.ask('PATCH', `${FILTERS}/${created.id}`, { conditions: and(is('tags', 'isEmpty')) });
    expect(await look()).toStrictEqual(['a']);
    await loadFleet(service.composition.backend, [{ ...aServer(org.orgId), id: server, tags: [] }]);
    expect(await look()).toStrictEqual(['c']);
    await org.ask('DELETE', `${FILTERS}/${created.id}`);
    expect(await look()).toStrictEqual([]);
  });

  test('uses current custom fields, and leaves out filters that can no longer be evaluated', async () => {
    const { org, server } = await withFilters({});
    const field = aCustomField({ owner: { kind: 'organization', orgId: org.orgId }, key: 'owner' });
    await loadFleet(service.composition.backend, [
      field,
      ...filtersOf(org, {
        mine: and(is('custom.owner', 'equals', 'Sam')),
        'mine too': and(is('custom.owner', 'matches', '^S')),
        other: and(is('hostname', 'isNotNull')),
      }),
    ]);
    const look = async () => namesOf(await org.ask('GET', urlOf(server)));
    expect(await look()).toStrictEqual(['mine', 'mine too', 'other']);
    await service.probe.removeCustomField(field.id);
    expect(await look()).toStrictEqual(['other']);
    await loadFleet(service.composition.backend, [field]);
    expect(await look()).toStrictEqual(['mine', 'mine too', 'other']);
  });

  test('answers for filters of any size, also repeatedly', async () => {
    const chain = (depth: number, leaf: RawCondition): RawGroup => {
      let group = and(leaf);
      for (let level = 1; level < depth; level++)
        group = { operator: level % 2 ? 'OR' : 'AND', conditions: [group] };
      return group;
    };
    const names = Array.from({ length: 5_000 }, (_, i) => `srv-${i}`);
    const { org, server } = await withFilters({
      deep: chain(10_000, is('tags', 'contains', 'vip')),
      'deep, and not': chain(10_000, is('tags', 'contains', 'none')),
      list: and(is('hostname', 'in', [...names, 'Srv-Backup-01'])),
      'list, and not': and(is('hostname', 'in', names)),
      wide: or(...names.map((name) => is('hostname', 'contains', name)), is('tags', 'contains', 'vip')),
      'wide, and not': or(...names.map((name) => is('hostname', 'contains', name))),
    });
    for (let time = 0; time < 3; time++) {
      expect(namesOf(await org.ask('GET', urlOf(server)))).toStrictEqual(['deep', 'list', 'wide']);
    }
  });

  test('answers for a device with very long texts', async () => {
    const huge = (orgId: OrgId) =>
      aDevice({
        orgId,
        hostname: 'huge',
        displayName: `${'x'.repeat(150_000)} end`,
        software: Array.from({ length: 500 }, (_, i) => ({
          name: `Tool ${i} of a long list`,
          version: null,
        })),
      });
    const { org } = await withFilters({
      end: and(is('displayName', 'endsWith', 'END')),
      tool: and(is('software.installed', 'contains', 'tool 499')),
      none: and(is('software.installed', 'contains', 'tool 500')),
    });
    const device = huge(org.orgId);
    await loadFleet(service.composition.backend, [device]);
    expect(namesOf(await org.ask('GET', urlOf(device.id)))).toStrictEqual(['end', 'tool']);
  });

  test('answers concurrent requests correctly', async () => {
    const filters = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `f${i}`,
        and(is('hostname', i % 2 ? 'contains' : 'notContains', 'srv')),
      ]),
    );
    const { org, server, laptop } = await withFilters(filters);
    const answers = await Promise.all(
      [server, laptop, server].map(async (id) => namesOf(await org.ask('GET', urlOf(id)))),
    );
    const parity = (names: readonly string[]) => new Set(names.map((name) => Number(name.slice(1)) % 2));
    expect(answers.map((names) => names.length)).toStrictEqual([30, 30, 30]);
    expect(answers.map(parity)).toStrictEqual([new Set([1]), new Set([0]), new Set([1])]);
  });
});

describe('reach', () => {
  const deviceOf = (org: 'A' | 'B' | 'C') => {
    const { devices, orgIds } = service.tenants;
    const device = devices.find(({ orgId }) => orgId === orgIds[org]);
    if (device === undefined) throw new Error(`${org} has no device`);
    return device.id;
  };

  test.each([
    ['its own user', 'A-user', 'A'],
    ['a partner', 'P-all', 'A'],
    ['a partner user with a subset', 'P-subset', 'A'],
    ['the system', 'system', 'A'],
    ['a key', 'key-P-to-A', 'A'],
  ] as const)('%s sees the filters of the device’s organization alone', async (_, caller, org) => {
    const names = namesOf(await service.as(caller)('GET', urlOf(deviceOf(org))));
    expect(names).toContain(service.tenants.filters[org].name);
    expect(names).not.toContain(service.tenants.filters.B.name);
    expect(names).not.toContain(service.tenants.filters.C.name);
  });

  test('a device out of reach is 404, as an unknown one is', async () => {
    const unknown = problemOf(await service.as('A-user')('GET', urlOf(newId())));
    expect(unknown).toMatchObject({ status: 404, code: 'not_found' });
    const { detail } = unknown;
    const attempts = [
      ['A-user', deviceOf('B')],
      ['P-subset', deviceOf('B')],
      ['P-none', deviceOf('A')],
      ['Q-all', deviceOf('A')],
      ['key-P-to-C', deviceOf('A')],
      ['A-user', 'not-an-id'],
    ] as const;
    for (const [caller, id] of attempts) {
      const answer = await service.as(caller)('GET', urlOf(id));
      expect(problemOf(answer)).toMatchObject({ status: 404, code: 'not_found', detail });
    }
  });

  test('a request without credentials is 401, and other methods are 405', async () => {
    expect((await service.as('none')('GET', urlOf(deviceOf('A')))).status).toBe(401);
    const posted = await service.as('A-user')('POST', urlOf(deviceOf('A')), {});
    expect([posted.status, posted.headers.get('allow')]).toStrictEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('reading is not audited', async () => {
    const before = (await service.probe.auditEntries()).length;
    await service.as('A-user')('GET', urlOf(deviceOf('A')));
    await service.as('A-user')('GET', urlOf(deviceOf('B')));
    expect((await service.probe.auditEntries()).length).toBe(before);
  });
});
