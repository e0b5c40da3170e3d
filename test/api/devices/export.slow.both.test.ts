/** POST /devices/export: devices, fields, formats, reach and audit log (Contract: §10). */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp } from '#adapters/http/serve.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { OrgId } from '#domain/ids.ts';
import {
  type Answer,
  type Ask,
  FILTERS,
  filterOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import type { OrgName, UserName } from '#test/api/service/tenants.ts';
import {
  aCustomField,
  aDevice,
  aSite,
  aUser,
  fixedClock,
  newId,
  SOME_INSTANT,
} from '#test/support/builders.ts';
import { until } from '#test/support/database/until.ts';
import { readCsv } from '#test/support/read-csv.ts';
import { loadFleet } from '#test/support/tenant.ts';

const EXPORT = '/api/v1/devices/export';

let service: TestService;
let requests = 0;

beforeAll(async () => {
  service = await startService({ overrides: { clock: fixedClock() } });
});
afterAll(() => service.close());

/** Exports, and returns the answer with the entries that the audit log has by then. */
async function record(ask: Ask, body: object): Promise<{ answer: Answer; entries: readonly AuditEntry[] }> {
  requests++;
  const requestId = `export-${requests}`;
  const answer = await ask('POST', EXPORT, body, { 'X-Request-Id': requestId });
  const entries = await service.probe.auditEntries();
  return { answer, entries: entries.filter((entry) => entry.requestId === requestId) };
}

/** The objects of NDJSON. */
function linesOf({ status, text }: Answer): readonly Readonly<Record<string, unknown>>[] {
  if (status !== 200) throw new Error(`no export was answered: ${status} ${text}`);
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function hostnames(name: UserName, body: object): Promise<readonly unknown[]> {
  const answer = await service.as(name)('POST', EXPORT, { format: 'ndjson', fields: ['hostname'], ...body });
  return linesOf(answer).map(({ hostname }) => hostname);
}

const isOf = (org: OrgName) => ({
  operator: 'AND',
  conditions: [{ field: 'orgId', operator: 'equals', value: service.tenants.orgIds[org] }],
});

describe('the devices', () => {
  test('are all those in reach if nothing restricts them', async () => {
    const all = await hostnames('P-all', {});
    expect(all).toHaveLength(5);
    expect(all).toStrictEqual([...all].sort());
    expect(await hostnames('P-all', { q: '  ' })).toStrictEqual(all);
  });

  test('are those that match conditions, a text, or a saved filter in its organization', async () => {
    const { A, B } = service.tenants.orgIds;
    expect(await hostnames('P-all', { conditions: isOf('B') })).toHaveLength(2);
    expect(await hostnames('P-all', { q: 'host:canary-a org:"Organization A"' })).toHaveLength(3);
    expect(await hostnames('P-all', { filterId: service.tenants.filters.A.id })).toHaveLength(3);
    expect(await hostnames('P-all', { orgId: A })).toHaveLength(3);
    expect(await hostnames('P-all', { orgId: B, q: 'host:canary-a' })).toStrictEqual([]);
  });

  test('are never those out of reach', async () => {
    const reach = {
      'A-user': ['A'],
      'P-subset': ['A'],
      'P-none': [],
      'Q-all': ['C'],
      system: ['A', 'B', 'C'],
    };
    for (const [name, orgs] of Object.entries(reach)) {
      const any = { operator: 'OR', conditions: [isOf('A'), isOf('B'), isOf('C')] };
      const answer = await service.as(name as UserName)('POST', EXPORT, { conditions: any, format: 'csv' });
      const [, ...rows] = readCsv(answer.text);
      const { orgIds } = service.tenants;
      expect(new Set(rows.map(([, orgId]) => orgId))).toStrictEqual(
        new Set(orgs.map((org) => orgIds[org as OrgName])),
      );
    }
  });
});

describe('CSV', () => {
  test('has the members of a device in a list, with a header', async () => {
    const org = await service.inNewOrg((orgId) => [
      aDevice({ orgId, hostname: 'srv', tags: ['a', 'b'], lastSeenAt: SOME_INSTANT, rebootRequired: true }),
    ]);
    const answer = await org.ask('POST', EXPORT, { format: 'csv' });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="devices.csv"');
    const [header, row, ...others] = readCsv(answer.text);
    expect(others).toStrictEqual([]);
    expect(Object.fromEntries((header ?? []).map((key, i) => [key, row?.[i]]))).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      orgId: org.orgId,
      siteId: '',
      hostname: 'srv',
      displayName: '',
      status: 'online',
      osType: '',
      osVersion: '',
      deviceRole: 'unknown',
      lastUser: '',
      tags: 'a; b',
      lastSeenAt: '2026-02-10T08:00:00.000Z',
      enrolledAt: '',
      'metrics.cpuPercent': '',
      'metrics.ramPercent': '',
      'metrics.diskPercent': '',
      'patches.pending': 'false',
      'alerts.critical': 'false',
      'system.rebootRequired': 'true',
    });
  });

  test('is read back field by field for any text, and no text becomes a formula', async () => {
    const hostile = [
      '=HYPERLINK("http://x";"y")',
      '＝1+1',
      ' +1',
      '+1',
      '-1',
      '@SUM(A1:A9)',
      '\t=1',
      '\r=1',
      'a"b',
      'a,b',
      'a\r\nb',
      '"',
      '""',
      ' ',
      "'=1",
      '\u{1f5a8}\u202e',
      '\u0001;',
    ];
    const org = await service.inNewOrg((orgId) =>
      hostile.map((text, i) =>
        aDevice({
          orgId,
          hostname: String(i).padStart(2, '0'),
          displayName: text,
          lastUser: text,
          tags: [text, 'x'],
        }),
      ),
    );
    const fields = ['displayName', 'lastUser', 'tags'];
    const { text } = await org.ask('POST', EXPORT, { format: 'csv', fields });
    const guarded = (cell: string) => (/^([\t\r]|\s*[=+\-@＝])/.test(cell) ? `'${cell}` : cell);
    expect(readCsv(text)).toStrictEqual([
      fields,
      ...hostile.map((each) => [each, each, `${each}; x`].map(guarded)),
    ]);
    const ndjson = await org.ask('POST', EXPORT, { format: 'ndjson', fields });
    expect(linesOf(ndjson)).toStrictEqual(
      hostile.map((each) => ({ displayName: each, lastUser: each, tags: [each, 'x'] })),
    );
  });

  test('has only a header if no device matches', async () => {
    const org = await service.inNewOrg(() => []);
    const { text } = await org.ask('POST', EXPORT, { format: 'csv', fields: ['id', 'site'] });
    expect(text).toBe('id,site\r\n');
  });
});

describe('NDJSON', () => {
  test('has typed values, names of organization and site, and custom values', async () => {
    const { orgId, userId } = await service.inNewOrg((id: OrgId) => {
      const site = aSite({ orgId: id, name: 'Kiel' });
      const owner = { kind: 'organization', orgId: id } as const;
      return [
        site,
        aCustomField({ owner, key: 'rack', type: 'number' }),
        aCustomField({ owner, key: 'due', type: 'date' }),
        aDevice({
          orgId: id,
          siteId: site.id,
          uptimeSeconds: 1.5,
          lastSeenAt: SOME_INSTANT - 1,
          software: [{ name: 'Zoom', version: null }],
          custom: new Map<string, string | number>([
            ['rack', 7],
            ['due', '2026-03-01'],
          ]),
        }),
      ];
    });
    const fields = {
      orgId,
      organization: expect.stringMatching(/^Contoso /),
      site: 'Kiel',
      uptimeSeconds: 1.5,
      isHeadless: null,
      lastSeenAt: '2026-02-10T07:59:59.999Z',
      daysSinceLastSeen: 0,
      tags: [],
      'software.installed': ['Zoom'],
      'custom.rack': 7,
      'custom.due': '2026-03-01T00:00:00.000Z',
    };
    const body = { format: 'ndjson', fields: Object.keys(fields) };
    const answer = await service.asUser(userId)('POST', EXPORT, body);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(linesOf(answer)).toStrictEqual([fields]);
  });

  test('has only the ids of a saved filter’s devices, if a deployment engine asks for them', async () => {
    const { filters, devices, orgIds } = service.tenants;
    const body = { filterId: filters.A.id, format: 'ndjson', fields: ['id'] };
    const ids = linesOf(await service.as('P-all')('POST', EXPORT, body)).map(({ id }) => id);
    expect(ids).toStrictEqual(devices.filter(({ orgId }) => orgId === orgIds.A).map(({ id }) => id));
  });

  test('is complete at any length', async () => {
    const org = await service.inNewOrg((orgId) =>
      Array.from({ length: 3_000 }, (_, i) =>
        aDevice({ orgId, hostname: `many-${String(i).padStart(4, '0')}` }),
      ),
    );
    const lines = linesOf(
      await org.ask('POST', EXPORT, { format: 'ndjson', fields: ['hostname', 'status'] }),
    );
    expect(lines.map(({ hostname }) => hostname)).toStrictEqual(
      Array.from({ length: 3_000 }, (_, i) => `many-${String(i).padStart(4, '0')}`),
    );
  });
});

describe('refusals', () => {
  test.each<[string, object, readonly (readonly [string, string])[]]>([
    ['no format', {}, [['format', 'value_required']]],
    ['another format', { format: 'xlsx' }, [['format', 'invalid_value']]],
    ['an unknown field', { format: 'csv', fields: ['id', 'hostnam'] }, [['fields[1]', 'unknown_field']]],
    ['no field', { format: 'csv', fields: [] }, [['fields', 'invalid_value']]],
    ['null for fields', { format: 'csv', fields: null }, [['fields', 'invalid_value']]],
    ['null for a query', { format: 'csv', q: null }, [['q', 'value_required']]],
    ['a second query', { format: 'csv', q: 'a', filterId: newId() }, [['filterId', 'value_not_allowed']]],
    [
      'everything wrong at once',
      { format: 'xml', fields: ['nope'], conditions: { operator: 'AND', conditions: [] } },
      [
        ['conditions.conditions', 'empty_group'],
        ['format', 'invalid_value'],
        ['fields[0]', 'unknown_field'],
      ],
    ],
  ])('%s is 400 with its path, and not audited', async (_what, body, places) => {
    const { answer, entries } = await record(service.as('A-user'), body);
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ...places]);
    expect(entries).toStrictEqual([]);
  });

  test('the refusal of a misspelled field suggests the nearest', async () => {
    const answer = await service.as('A-user')('POST', EXPORT, {
      format: 'csv',
      fields: ['host-name', 'custom.ofa'],
    });
    expect(problemOf(answer).errors?.map(({ message }) => message)).toStrictEqual([
      'No field "host-name". Did you mean hostname?',
      'No field "custom.ofa". Did you mean custom.of_a?',
    ]);
  });

  test('a custom field of an organization out of reach is unknown', async () => {
    const ask = service.as('A-user');
    const refused = async (key: string) =>
      problemOf(await ask('POST', EXPORT, { format: 'csv', fields: [key] })).errors?.[0]?.message;
    expect((await refused('custom.of_c'))?.replaceAll('of_c', 'of_x')).toBe(await refused('custom.of_x'));
  });

  test('filters and organizations out of reach are 404 like unknown ones, and audited', async () => {
    const { filters, orgIds, unknownId } = service.tenants;
    for (const [known, unknown] of [
      [{ filterId: filters.C.id }, { filterId: unknownId }],
      [{ orgId: orgIds.C }, { orgId: unknownId }],
    ]) {
      const answers = await Promise.all(
        [known, unknown].map((body) => record(service.as('A-user'), { format: 'csv', ...body })),
      );
      const [one, other] = answers.map(({ answer }) => ({ ...problemOf(answer), requestId: null }));
      expect(one).toStrictEqual(other);
      expect(one).toMatchObject({ status: 404, code: 'not_found' });
      for (const { entries } of answers) {
        expect(entries).toMatchObject([
          { action: 'device.export', result: 'denied', details: { reason: 'not_found' } },
        ]);
      }
    }
  });

  test('other methods are 405', async () => {
    const answer = await service.as('A-user')('GET', EXPORT);
    expect([answer.status, answer.headers.get('allow')]).toStrictEqual([405, 'OPTIONS, POST']);
  });
});

describe('the audit log', () => {
  test('has an export with its fields, its format and the number of rows', async () => {
    const body = { format: 'csv', q: 'host:canary -user:nobody tags:everywhere', fields: ['id', 'tags'] };
    const { answer, entries } = await record(service.as('A-user'), body);
    expect(answer.status).toBe(200);
    expect(entries).toStrictEqual([
      {
        id: expect.any(String),
        at: SOME_INSTANT,
        actor: { type: 'user', id: service.tenants.users['A-user'].id },
        orgId: service.tenants.orgIds.A,
        partnerId: null,
        action: 'device.export',
        result: 'success',
        resourceType: 'device',
        resourceId: null,
        details: {
          conditionFields: ['hostname', 'lastUser', 'tags'],
          columns: ['id', 'tags'],
          format: 'csv',
          rows: 3,
        },
        requestId: `export-${requests}`,
        ip: null,
      },
    ]);
  });

  test('has the exported filter and its organization', async () => {
    const { id } = service.tenants.filters.B;
    const { entries } = await record(service.as('P-all'), { format: 'ndjson', filterId: id });
    expect(entries).toMatchObject([
      { orgId: service.tenants.orgIds.B, details: { filterId: id, conditionFields: ['tags'], rows: 2 } },
    ]);
  });

  describe('has an interrupted export with the number of rows sent:', () => {
    let org: Awaited<ReturnType<TestService['inNewOrg']>>;

    beforeAll(async () => {
      org = await service.inNewOrg((orgId) =>
        // The export is larger than the buffers of a connection.
        Array.from({ length: 4_000 }, () => aDevice({ orgId, displayName: 'x'.repeat(4_000) })),
      );
    });

    /** Starts an export, waits for the beginning of its body, and runs `then`. */
    async function take(
      token: string,
      requestId: string,
      then: (response: IncomingMessage) => Promise<void>,
    ): Promise<void> {
      const server = await serveApp(service.composition.app, { host: '127.0.0.1', port: 0 });
      try {
        const asking = request(`${server.url}${EXPORT}`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            'X-Request-Id': requestId,
          },
        });
        asking.on('error', () => undefined);
        asking.end(JSON.stringify({ format: 'ndjson', fields: ['id', 'displayName'] }));
        const [response] = (await once(asking, 'response')) as [IncomingMessage];
        await once(response, 'readable');
        expect(await entriesOf(requestId)).toStrictEqual([]);
        response.on('error', () => undefined);
        await then(response);
      } finally {
        await server.close(0);
      }
    }

    async function expectCutOff(requestId: string, reason: string): Promise<void> {
      await until(async () => (await entriesOf(requestId)).length > 0);
      const [entry] = await entriesOf(requestId);
      expect(entry).toMatchObject({
        action: 'device.export',
        result: 'denied',
        orgId: org.orgId,
        details: { reason, columns: ['id', 'displayName'] },
      });
      const rows = Number(entry?.details.rows);
      expect(rows).toBeGreaterThan(0);
      expect(rows).toBeLessThan(4_000);
    }

    test('the client has left', async () => {
      await take(await service.issueToken(org.userId), 'export-left', async (response) => {
        response.destroy();
        await expectCutOff('export-left', 'cancelled');
      });
    });

    test('the user has moved to another organization', async () => {
      const token = await service.issueToken(org.userId);
      await take(token, 'export-moved', async (response) => {
        const membership = { scope: 'organization', orgId: service.tenants.orgIds.B } as const;
        await loadFleet(service.composition.backend, [aUser({ id: org.userId, membership })]);
        const headers = { Authorization: `Bearer ${token}` };
        await until(
          async () => (await service.composition.app.request('/api/v1/devices', { headers })).status === 401,
        );
        const closed = new Promise((resolve) => response.once('close', resolve));
        response.resume();
        await closed;
        expect(response.complete).toBe(false);
        await expectCutOff('export-moved', 'access_lost');
      });
    });
  });
});

async function entriesOf(requestId: string): Promise<readonly AuditEntry[]> {
  return (await service.probe.auditEntries()).filter((entry) => entry.requestId === requestId);
}

test('the export of a saved filter has the devices that match it', async () => {
  const org = await service.inNewOrg((orgId) => [
    aDevice({ orgId, hostname: 'one', tags: ['t'] }),
    aDevice({ orgId, hostname: 'two' }),
  ]);
  const conditions = { operator: 'AND', conditions: [{ field: 'tags', operator: 'contains', value: 't' }] };
  const { id } = filterOf(await org.ask('POST', FILTERS, { name: 'T', conditions }));
  const answer = await org.ask('POST', EXPORT, { filterId: id, format: 'csv', fields: ['hostname'] });
  expect(answer.text).toBe('hostname\r\none\r\n');
});
