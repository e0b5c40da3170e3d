/** When filters are evaluated, over which devices, and up to which size (Contract: §3, §4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  FILTERS,
  filterOf,
  hostnamesOf,
  type NewOrg,
  PREVIEW,
  previewOf,
  type TestService,
} from '#test/api/service/service.ts';
import { aDevice, anOrganization, aPartner, aUser, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { and, type ConditionService, is, startConditionService } from './condition-service.ts';

let service: TestService;
let empty: NewOrg;
let withDevices: ConditionService['withDevices'];

beforeAll(async () => {
  ({ service, empty, withDevices } = await startConditionService());
});
afterAll(() => service.close());

const EVERY = and(is('hostname', 'isNotNull'));

describe('size', () => {
  test('a group nested 1,000 and 10,000 deep is created, read and previewed', async () => {
    const org = await withDevices({ hostname: 'deep' });
    for (const depth of [1_000, 10_000]) {
      const tree = `${'{"operator":"AND","conditions":['.repeat(depth)}{"field":"hostname","operator":"equals","value":"deep"}${']}'.repeat(depth)}`;
      const created = await org.ask('POST', FILTERS, `{"name":"Deep","conditions":${tree}}`);
      expect([created.status, created.text.includes(`"conditions":${tree},`)]).toStrictEqual([201, true]);
      expect(hostnamesOf(await org.ask('POST', PREVIEW, `{"conditions":${tree}}`))).toStrictEqual(['deep']);
    }
  });

  test('a partner of 400 organizations always gets the same sample in the same order', async () => {
    const partner = aPartner();
    const orgs = Array.from({ length: 400 }, () => anOrganization({ partnerId: partner.id }));
    const user = aUser({ membership: { scope: 'partner', partnerId: partner.id, orgIds: null } });
    const devices = orgs.map(({ id: orgId }, i) =>
      aDevice({ orgId, hostname: `many-${String((i * 7) % 400).padStart(3, '0')}` }),
    );
    await loadFleet(service.composition.backend, [partner, ...orgs, user, ...devices]);
    const ask = service.asUser(user.id);
    const samples = await Promise.all(
      Array.from({ length: 5 }, () => ask('POST', PREVIEW, { conditions: EVERY, limit: 5 })),
    );
    for (const sample of samples) {
      expect([previewOf(sample).totalCount, hostnamesOf(sample)]).toStrictEqual([
        400,
        ['many-000', 'many-001', 'many-002', 'many-003', 'many-004'],
      ]);
    }
  });

  test('(a+)+$ is evaluated like any other regular expression', async () => {
    const org = await withDevices({ hostname: 'a'.repeat(5000) });
    expect(await org.find(is('hostname', 'matches', '(a+)+$'))).toHaveLength(1);
  });

  test('10,000 conditions are answered', async () => {
    const org = await withDevices({ hostname: 'host-77' }, { hostname: 'other' });
    const conditions = Array.from({ length: 10_000 }, (_, i) => is('hostname', 'equals', `host-${i}`));
    expect(await org.find({ operator: 'OR', conditions })).toStrictEqual(['host-77']);
    const mixed = Array.from({ length: 10_000 }, (_, i) =>
      i % 2 === 0 ? is('hostname', 'startsWith', `host-${i}x`) : is('uptimeSeconds', 'equals', i),
    );
    const answer = await org.preview({ operator: 'OR', conditions: mixed });
    expect([200, 422]).toContain(answer.status);
  });

  test('60,000 values are answered', async () => {
    const org = await withDevices({ hostname: 'h59999' }, { hostname: 'other' });
    const values = Array.from({ length: 60_000 }, (_, i) => `h${i}`);
    expect(await org.find(is('hostname', 'in', values))).toStrictEqual(['h59999']);
    expect(await org.find(is('hostname', 'notIn', values))).toStrictEqual(['other']);
  });
});

describe('what counts', () => {
  test('decommissioned devices count like any other', async () => {
    const org = await withDevices({ hostname: 'a', status: 'decommissioned' }, { hostname: 'b' });
    const answer = await org.preview(EVERY);
    expect([previewOf(answer).totalCount, hostnamesOf(answer)]).toStrictEqual([2, ['a', 'b']]);
  });

  test('a condition decides on one device as it does on all', async () => {
    const org = await withDevices({ hostname: 'a', isHeadless: true }, { hostname: 'b' });
    const set = await org.find(is('isHeadless', 'notEquals', true));
    const alone = await Promise.all(
      ['a', 'b'].map((name) =>
        org.find(and(is('hostname', 'equals', name), is('isHeadless', 'notEquals', true))),
      ),
    );
    expect(alone.flat()).toStrictEqual(set);
  });

  test('a changed device is found by its current values', async () => {
    const moving = { id: newId<'device'>(), hostname: 'moving' } as const;
    const org = await withDevices({ ...moving, status: 'offline' });
    expect(await org.find(is('status', 'equals', 'online'))).toStrictEqual([]);
    const changed = aDevice({ ...moving, orgId: org.orgId, status: 'online' });
    await loadFleet(service.composition.backend, [changed]);
    expect(await org.find(is('status', 'equals', 'online'))).toStrictEqual(['moving']);
  });

  test('the next evaluation of a filter sees an edit', async () => {
    const org = await withDevices({ hostname: 'a' }, { hostname: 'b' });
    const { id } = filterOf(
      await org.ask('POST', FILTERS, { name: 'Target', conditions: and(is('hostname', 'equals', 'a')) }),
    );
    expect(hostnamesOf(await org.ask('POST', `${FILTERS}/${id}/preview`))).toStrictEqual(['a']);
    await org.ask('PATCH', `${FILTERS}/${id}`, { conditions: and(is('hostname', 'equals', 'b')) });
    expect(hostnamesOf(await org.ask('POST', `${FILTERS}/${id}/preview`))).toStrictEqual(['b']);
  });

  test('a saved filter is previewed over its organization, an ad-hoc one over everything in reach', async () => {
    const { filters } = service.tenants;
    const ask = service.as('P-all');
    const saved = await ask('POST', `${FILTERS}/${filters.A.id}/preview`);
    const conditions = and(is('tags', 'contains', 'everywhere'));
    expect([
      previewOf(saved).totalCount,
      previewOf(await ask('POST', PREVIEW, { conditions })).totalCount,
    ]).toStrictEqual([3, 5]);
  });
});

describe('access and edits', () => {
  test('an API key is accepted on every filter route', async () => {
    const ask = service.as('key-A');
    const { id } = filterOf(await ask('POST', FILTERS, { name: 'By key', conditions: EVERY }));
    const statuses = [
      await ask('GET', FILTERS),
      await ask('GET', `${FILTERS}/fields`),
      await ask('POST', PREVIEW, { conditions: EVERY }),
      await ask('GET', `${FILTERS}/${id}`),
      await ask('POST', `${FILTERS}/${id}/preview`),
      await ask('PATCH', `${FILTERS}/${id}`, { name: 'Still by key' }),
      await ask('DELETE', `${FILTERS}/${id}`),
    ].map(({ status }) => status);
    expect(statuses).toStrictEqual([200, 200, 200, 200, 200, 200, 200]);
  });

  test('a filter loaded from a file is checked like any other', async () => {
    const { orgId, userId } = empty;
    const record = {
      kind: 'filter',
      id: newId<'filter'>(),
      orgId,
      partnerId: null,
      createdBy: userId,
      name: 'By file',
      description: null,
      conditions: { anything: 'goes' },
    } as const;
    const outcome = await service.composition.backend.fleetWriter([{ record, line: 1, member: 'filter' }]);
    expect(outcome.ok).toBe(false);
    const stored = (await service.probe.filters()).filter(({ id }) => id === record.id);
    expect(stored).toStrictEqual([]);
  });

  test('edits do not overwrite each other, and an edit without effect is not audited', async () => {
    const { ask } = empty;
    const created = await ask('POST', FILTERS, { name: 'One', conditions: and(is('hostname', 'isNotNull')) });
    const { id, updatedAt, conditions } = filterOf(created);
    const entries = async () =>
      (await service.probe.auditEntries())
        .filter(({ action, resourceId }) => action === 'filter.update' && resourceId === id)
        .map(({ details }) => details.fields);
    for (const body of [{}, { name: 'One', conditions }]) {
      expect(filterOf(await ask('PATCH', `${FILTERS}/${id}`, body)).updatedAt).toBe(updatedAt);
    }
    expect(await entries()).toStrictEqual([]);
    const headers = { 'If-Match': created.headers.get('etag') ?? '' };
    const first = await ask(
      'PATCH',
      `${FILTERS}/${id}`,
      { name: 'Two', description: null, conditions },
      headers,
    );
    const second = await ask('PATCH', `${FILTERS}/${id}`, { name: 'Three' }, headers);
    expect([first.status, second.status]).toStrictEqual([200, 412]);
    expect(await entries()).toStrictEqual([['name']]);
  });
});
