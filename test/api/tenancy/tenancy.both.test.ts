/** Every caller on every filter route, with things of every tenant (Spec: multi-tenant rule). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FilterId } from '#domain/ids.ts';
import { addEditors } from '#test/api/service/editors.ts';
import {
  type Answer,
  FILTERS,
  filterOf,
  listOf,
  PREVIEW,
  previewOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { canaryOf, type KeyName, type OrgName, type UserName } from '#test/api/service/tenants.ts';
import {
  aDelivery,
  aDevice,
  anAlert,
  aSubscription,
  aUser,
  newId,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

type CallerName = UserName | KeyName | 'none';

/** What each caller reaches; null for callers without valid credentials. */
const REACH: Readonly<Record<CallerName, readonly OrgName[] | null>> = {
  none: null,
  'key-expired': null,
  disabled: null,
  system: ['A', 'B', 'C', 'D'],
  'key-system': ['A', 'B', 'C', 'D'],
  'P-all': ['A', 'B', 'D'],
  'key-P': ['A', 'B', 'D'],
  'P-subset': ['A'],
  'P-none': [],
  'key-P-to-C': [],
  'key-A-to-C': [],
  'Q-all': ['C'],
  'A-admin': ['A'],
  'A-user': ['A'],
  'key-A': ['A'],
  'key-P-to-A': ['A'],
  'B-user': ['B'],
  'C-user': ['C'],
};
const CALLERS = Object.keys(REACH) as readonly CallerName[];
const ORGS: readonly OrgName[] = ['A', 'B', 'C', 'D'];
const DEVICE_COUNT: Readonly<Record<OrgName, number>> = { A: 3, B: 2, C: 1, D: 0 };

/** The callers that reach a whole partner. */
const WHOLE_PARTNER: Partial<Record<CallerName, 'P' | 'Q'>> = { 'P-all': 'P', 'key-P': 'P', 'Q-all': 'Q' };

const EVERYWHERE = {
  operator: 'AND',
  conditions: [{ field: 'tags', operator: 'contains', value: 'everywhere' }],
};

let service: TestService;
/** Every answer to any caller, to be searched for canaries. */
const given: { readonly caller: CallerName; readonly request: string; readonly answer: Answer }[] = [];

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function ask(caller: CallerName, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await service.as(caller)(method, path, body, { 'X-Request-Id': 'same' });
  given.push({ caller, request: `${method} ${path}`, answer });
  return answer;
}

const isReached = (caller: CallerName, org: OrgName) => REACH[caller]?.includes(org) ?? false;
const isOneOrg = (caller: CallerName) =>
  caller.endsWith('-user') || ['A-admin', 'key-A', 'key-P-to-A'].includes(caller);
const sum = (orgs: readonly OrgName[]) => orgs.reduce((count, org) => count + DEVICE_COUNT[org], 0);

async function newFilterIn(org: OrgName): Promise<string> {
  const body = {
    name: `Made for ${canaryOf(org)}`,
    conditions: EVERYWHERE,
    orgId: service.tenants.orgIds[org],
  };
  return filterOf(await service.as('system')('POST', FILTERS, body)).id;
}

describe.each(CALLERS)('%s', (caller) => {
  const reach = REACH[caller];

  test('lists and previews only what is in reach, or is 401', async () => {
    if (reach === null) {
      for (const [method, path, body] of [
        ['GET', FILTERS],
        ['GET', `${FILTERS}/fields`],
        ['POST', FILTERS, { name: 'x', conditions: EVERYWHERE }],
        ['POST', PREVIEW, { conditions: EVERYWHERE }],
        ['POST', PREVIEW, 'not json'],
        ['POST', `${FILTERS}/explain`, { conditions: EVERYWHERE }],
        ['POST', '/api/v1/devices/bulk', { q: '', expectedCount: 0, change: { addTags: ['x'] } }],
        ['POST', `/api/v1/devices/bulk/${newId()}/undo`],
      ] as const) {
        const answer = await ask(caller, method, path, body);
        expect(refusalOf(answer)).toStrictEqual([401, 'unauthenticated']);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
      }
      return;
    }
    const { data, total } = listOf(await ask(caller, 'GET', FILTERS));
    const { orgIds } = service.tenants;
    expect(total).toBe(data.length);
    expect(data.every(({ orgId }) => reach.some((org) => orgIds[org] === orgId))).toBe(true);
    for (const org of ['A', 'B', 'C'] as const) {
      expect([org, data.some(({ id }) => id === service.tenants.filters[org].id)]).toStrictEqual([
        org,
        reach.includes(org),
      ]);
    }
    const preview = previewOf(await ask(caller, 'POST', PREVIEW, { conditions: EVERYWHERE }));
    expect([preview.totalCount, preview.devices.length]).toStrictEqual([sum(reach), sum(reach)]);
    const { data: fields } = (await ask(caller, 'GET', `${FILTERS}/fields`)).body as {
      data: readonly { key: string }[];
    };
    for (const org of ['A', 'B', 'C'] as const) {
      const isListed = fields.some(({ key }) => key === `custom.of_${org.toLowerCase()}`);
      expect([org, isListed]).toStrictEqual([org, reach.includes(org)]);
    }
    expect(fields.some(({ key }) => key === 'custom.of_p')).toBe(reach.some((org) => org !== 'C'));
    expect(fields.some(({ key }) => key === 'custom.of_q')).toBe(reach.includes('C'));
  });

  test.each(ORGS)('creates filters in organization %s only within reach', async (org) => {
    const orgId = service.tenants.orgIds[org];
    const answer = await ask(caller, 'POST', FILTERS, { name: 'Matrix', conditions: EVERYWHERE, orgId });
    if (reach === null) expect(answer.status).toBe(401);
    else if (isOneOrg(caller))
      expect(filterOf(answer).orgId).toBe(service.tenants.orgIds[reach[0] as OrgName]);
    else if (reach.includes(org)) expect(filterOf(answer).orgId).toBe(orgId);
    else expect(refusalOf(answer)).toStrictEqual([403, 'forbidden']);
  });

  test.each(ORGS)(
    'reads, previews, changes and deletes filters of organization %s only within reach',
    async (org) => {
      const id = await newFilterIn(org);
      const requests = [
        ['GET', ''],
        ['POST', '/preview?limit=100'],
        ['POST', '/explain', {}],
        ['PATCH', '', { name: 'Matrix' }],
        ['DELETE', ''],
      ] as const;
      const answers: Answer[] = [];
      const unknown: Answer[] = [];
      const malformed: Answer[] = [];
      for (const [method, suffix, body] of requests) {
        answers.push(await ask(caller, method, `${FILTERS}/${id}${suffix}`, body));
        unknown.push(await ask(caller, method, `${FILTERS}/${newId()}${suffix}`, body));
        malformed.push(await ask(caller, method, `${FILTERS}/nonsense${suffix}`, body));
      }
      const expected = reach === null ? 401 : isReached(caller, org) ? 200 : 404;
      expect(answers.map(({ status }) => status)).toStrictEqual(requests.map(() => expected));
      // Ids that are out of reach, unknown or malformed get the same answer.
      const plain = ({ status, body, headers }: Answer) => [status, body, Object.fromEntries(headers)];
      expect(malformed.map(plain)).toStrictEqual(unknown.map(plain));
      if (expected !== 200) expect(answers.map(plain)).toStrictEqual(unknown.map(plain));
      else expect(previewOf(answers[1] as Answer).totalCount).toBe(DEVICE_COUNT[org]);
      const isStill = (await service.as('system')('GET', `${FILTERS}/${id}`)).status === 200;
      expect(isStill).toBe(expected !== 200);
    },
  );

  test.each(['P', 'Q'] as const)(
    'uses a partner-wide filter of %s only as far as reach allows',
    async (partner) => {
      const partnerId = service.tenants.partnerIds[partner];
      const sent = { name: 'Partner-wide', conditions: EVERYWHERE, partnerId };
      const made = await ask(caller, 'POST', FILTERS, sent);
      const isWriter = caller === 'system' || caller === 'key-system' || WHOLE_PARTNER[caller] === partner;
      if (isWriter) expect(filterOf(made)).toMatchObject({ orgId: null, partnerId });
      else expect(made.status).toBe(reach === null ? 401 : 403);

      const { id } = filterOf(await service.as('system')('POST', FILTERS, sent));
      const covered = (reach ?? []).filter((org) => (org === 'C') === (partner === 'Q'));
      const isSeen = covered.length > 0 || isWriter;
      const seen = reach === null ? 401 : isSeen ? 200 : 404;
      const requests = [
        ['GET', '', undefined, seen],
        ['POST', '/preview?limit=100', undefined, seen],
        ['POST', '/explain', {}, seen],
        ['PATCH', '', { name: 'Matrix' }, seen === 200 && !isWriter ? 403 : seen],
        ['POST', '/impact', { conditions: EVERYWHERE }, seen],
        ['GET', '/versions', undefined, seen],
        ['POST', '/restore', { version: 1 }, seen === 200 && !isWriter ? 403 : seen],
        ['DELETE', '', undefined, seen === 200 && !isWriter ? 403 : seen],
      ] as const;
      const plain = ({ status, body, headers }: Answer) => [status, body, Object.fromEntries(headers)];
      for (const [method, suffix, body, status] of requests) {
        const answer = await ask(caller, method, `${FILTERS}/${id}${suffix}`, body);
        expect([method, suffix, answer.status]).toStrictEqual([method, suffix, status]);
        if (suffix.startsWith('/preview') && status === 200) {
          expect(previewOf(answer).totalCount).toBe(sum(covered));
        }
        if (suffix === '/impact' && status === 200) {
          expect(answer.body).toMatchObject({ data: { before: sum(covered), after: sum(covered) } });
        }
        if (status === 200 || status === 403) continue;
        const unknown = await ask(caller, method, `${FILTERS}/${newId()}${suffix}`, body);
        expect(plain(answer)).toStrictEqual(plain(unknown));
      }
      const isStill = (await service.as('system')('GET', `${FILTERS}/${id}`)).status === 200;
      expect(isStill).toBe(!isWriter);
      // The tests of other callers expect only filters of organizations in lists.
      if (isWriter) await service.as('system')('DELETE', `${FILTERS}/${filterOf(made).id}`);
      else await service.as('system')('DELETE', `${FILTERS}/${id}`);
    },
  );

  test.each(ORGS)('names a filter of organization %s only within reach', async (org) => {
    const id = await newFilterIn(org);
    const isSeen = isReached(caller, org);
    const inText = (id: string) => encodeURIComponent(`filter:${id}`);
    const conditions = (id: string) => ({
      operator: 'AND',
      conditions: [{ field: 'filter', operator: 'in', value: [id] }],
    });
    const requests: readonly ((id: string) => readonly [string, string, unknown?])[] = [
      (id) => ['POST', PREVIEW, { conditions: conditions(id) }],
      (id) => ['POST', `${FILTERS}/explain`, { q: `-filter:${id}` }],
      (id) => ['POST', `${FILTERS}/explain`, { conditions: conditions(id) }],
      (id) => ['POST', '/api/v1/devices/export', { q: `filter:${id}`, format: 'ndjson' }],
      (id) => ['GET', `/api/v1/devices?count=true&q=${inText(id)}`],
      (id) => ['GET', `${FILTERS}/parse?q=${inText(id)}`],
    ];
    const nobodys = newId();
    const plain = ({ status, text }: Answer, id: string) => [status, text.replaceAll(id, 'ID')];
    for (const request of requests) {
      const [method, path, body] = request(id);
      const [, unknownPath, unknownBody] = request(nobodys);
      const answer = await ask(caller, method, path, body);
      const unknown = await ask(caller, method, unknownPath, unknownBody);
      const refused = reach === null ? 401 : 400;
      expect([path, answer.status, unknown.status]).toStrictEqual([path, isSeen ? 200 : refused, refused]);
      if (!isSeen) expect(plain(answer, id)).toStrictEqual(plain(unknown, nobodys));
    }
    // Callers who reach the filter count its devices and no others.
    if (isSeen) {
      const counted = await ask(caller, 'POST', PREVIEW, { conditions: conditions(id) });
      expect(previewOf(counted).totalCount).toBe(DEVICE_COUNT[org]);
    }
    // The caller sends the name, so an answer that repeats it is no leak.
    const asked = service.as(caller);
    const byName = encodeURIComponent(`filter:"made for ${canaryOf(org)}"`);
    const named = await asked('GET', `${FILTERS}/parse?q=${byName}`);
    expect(named.status).toBe(reach === null ? 401 : isSeen ? 200 : 400);
    const completed = await ask(caller, 'GET', `${FILTERS}/complete?q=filter%3Amade&at=11`);
    expect(completed.text.includes(canaryOf(org))).toBe(isSeen);
    await service.as('system')('DELETE', `${FILTERS}/${id}`);
  });

  test.each(ORGS)('reads alerts of organization %s only within reach', async (org) => {
    const alert = anAlert({ orgId: service.tenants.orgIds[org], title: canaryOf(org) });
    await loadFleet(service.composition.backend, [alert]);
    const read = (id: string) => ask(caller, 'GET', `/api/v1/alerts/${id}`);
    const change = (id: string) => ask(caller, 'PATCH', `/api/v1/alerts/${id}`, { status: 'resolved' });
    const expected = reach === null ? 401 : isReached(caller, org) ? 200 : 404;
    const [answer, unknown] = [await read(alert.id), await read(newId())];
    expect(answer.status).toBe(expected);
    if (expected !== 200) expect(answer.body).toStrictEqual(unknown.body);
    const refused = reach === null ? 401 : 403;
    expect([(await change(alert.id)).status, (await change(newId())).status]).toStrictEqual([
      refused,
      refused,
    ]);
    const listed = await ask(caller, 'GET', `/api/v1/alerts?search=${canaryOf(org)}&count=true`);
    const { totalCount } = listed.body as { totalCount?: number };
    if (reach !== null) expect((totalCount ?? 0) > 0).toBe(expected === 200);
  });

  test.each(ORGS)('reads subscriptions of organization %s only within reach', async (org) => {
    const { backend } = service.composition;
    const orgId = service.tenants.orgIds[org];
    const filterId = (await newFilterIn(org)) as FilterId;
    const given = { orgId, filterId, name: canaryOf(org), guard: { devices: 0 } };
    const subscription = aSubscription({ ...given, kind: 'webhook', url: 'https://hooks.example' });
    const delivery = aDelivery({ subscriptionId: subscription.id });
    await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await tx.subscriptions.add(subscription);
      await tx.webhooks.add(delivery);
    });
    await backend.memberships.evaluate(
      service.tenants.partnerIds[org === 'C' ? 'Q' : 'P'],
      async (evaluation) => {
        evaluation.setInstant(SOME_INSTANT);
        for (const { filter, evaluated } of await evaluation.watched()) {
          if (evaluated === null) evaluation.begin(filter, [], 'matrix');
        }
      },
    );
    const expected = reach === null ? 401 : isReached(caller, org) ? 200 : 404;
    const plain = ({ status, body, headers }: Answer) => [status, body, Object.fromEntries(headers)];
    const reads = [
      (id: string) => `/api/v1/subscriptions/${id}`,
      (id: string) => `/api/v1/subscriptions/${id}/members`,
      (id: string) => `/api/v1/subscriptions/${id}/changes`,
      (id: string) => `/api/v1/subscriptions/${id}/deliveries`,
    ];
    const asked = [
      ...reads.map((path) => [path(subscription.id), path(newId())] as const),
      [`${FILTERS}/${filterId}/history`, `${FILTERS}/${newId()}/history`] as const,
    ];
    for (const [path, unknown] of asked) {
      const answer = await ask(caller, 'GET', path);
      expect([path, answer.status]).toStrictEqual([path, expected]);
      if (expected !== 200) expect(plain(answer)).toStrictEqual(plain(await ask(caller, 'GET', unknown)));
    }
    for (const query of ['', `?filterId=${filterId}`]) {
      const listed = await ask(caller, 'GET', `/api/v1/subscriptions${query}`);
      expect(listed.status).toBe(reach === null ? 401 : 200);
      expect(listed.text.includes(subscription.id)).toBe(expected === 200);
    }
    // No caller has the permission.
    const refused = reach === null ? 401 : 403;
    const sent = { filterId, name: 'Matrix', kind: 'feed' };
    for (const answer of [
      await ask(caller, 'POST', '/api/v1/subscriptions', sent),
      await ask(caller, 'PATCH', `/api/v1/subscriptions/${subscription.id}`, { name: 'Matrix' }),
      await ask(caller, 'DELETE', `/api/v1/subscriptions/${subscription.id}`),
      ...(await Promise.all(
        ['resume', 'secret', 'test', `deliveries/${delivery.id}/redeliver`].map((path) =>
          ask(caller, 'POST', `/api/v1/subscriptions/${subscription.id}/${path}`),
        ),
      )),
    ]) {
      expect(answer.status).toBe(refused);
    }
    const deleted = `${FILTERS}/${filterId}?force=true`;
    const stopped = await ask(caller, 'DELETE', deleted);
    const hasDevices = sum([org]) > 0;
    expect(stopped.status).toBe(expected === 200 && hasDevices ? 409 : expected);
    if (stopped.status === 409)
      expect(stopped.body).toMatchObject({ impact: { before: sum([org]), after: 0 } });
    else if (expected !== 200)
      expect(plain(stopped)).toStrictEqual(
        plain(await ask(caller, 'DELETE', `${FILTERS}/${newId()}?force=true`)),
      );
    const confirm = { version: 1, entering: 0, leaving: sum([org]) };
    await service.as('system')('DELETE', deleted, { confirm });
  });

  test.each(ORGS)('may neither merge nor delete devices of organization %s', async (org) => {
    const orgId = service.tenants.orgIds[org];
    const twice = () => aDevice({ orgId, hostname: `${canaryOf(org)}-twice` });
    const [kept, gone] = [twice(), twice()];
    await loadFleet(service.composition.backend, [kept, gone]);
    // No caller has the permission.
    const refused = reach === null ? 401 : 403;
    for (const id of [kept.id, newId()]) {
      const merged = await ask(caller, 'POST', `/api/v1/devices/${id}/merge`, { deviceId: gone.id });
      const deleted = await ask(caller, 'DELETE', `/api/v1/devices/${id}`);
      expect([merged.status, deleted.status]).toStrictEqual([refused, refused]);
    }
    const listed = await ask(caller, 'GET', '/api/v1/devices/duplicates');
    expect(listed.status).toBe(reach === null ? 401 : 200);
    expect(listed.text.includes(canaryOf(org))).toBe(isReached(caller, org));
    const narrowed = await ask(caller, 'GET', `/api/v1/devices/duplicates?orgId=${orgId}`);
    expect(narrowed.status).toBe(reach === null ? 401 : isReached(caller, org) ? 200 : 404);
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      for (const device of [kept, gone]) await tx.devices.remove(device);
    });
  });

  test('finds nothing out of reach by any condition', async () => {
    if (reach === null) return expect((await ask(caller, 'GET', FILTERS)).status).toBe(401);
    for (const org of ORGS) {
      const orgId = service.tenants.orgIds[org];
      const count = reach.includes(org) ? DEVICE_COUNT[org] : 0;
      for (const condition of [
        { field: 'orgId', operator: 'equals', value: orgId },
        { field: 'orgId', operator: 'in', value: [orgId, newId()] },
        { field: 'lastUser', operator: 'equals', value: canaryOf(org) },
        { field: 'hostname', operator: 'contains', value: canaryOf(org).toUpperCase() },
        { field: 'tags', operator: 'hasAny', value: [canaryOf(org)] },
      ]) {
        const conditions = { operator: 'OR', conditions: [condition] };
        const answer = await service.as(caller)('POST', PREVIEW, { conditions });
        expect([condition, previewOf(answer).totalCount]).toStrictEqual([condition, count]);
      }
      if (org === 'D') continue;
      const key = `custom.of_${org.toLowerCase()}`;
      const custom = await service.as(caller)('POST', PREVIEW, {
        conditions: { operator: 'AND', conditions: [{ field: key, operator: 'isNotNull' }] },
      });
      if (reach.includes(org)) expect(previewOf(custom).totalCount).toBe(DEVICE_COUNT[org]);
      else expect(problemOf(custom).errors?.[0]?.code).toBe('unknown_field');
    }
  });

  test('gets only fields in reach suggested for a misspelled custom key', async () => {
    for (const org of ['A', 'B', 'C'] as const) {
      const field = `custom.of__${org.toLowerCase()}`;
      const conditions = { operator: 'AND', conditions: [{ field, operator: 'isNull' }] };
      const { text } = await ask(caller, 'POST', PREVIEW, { conditions });
      for (const other of ['A', 'B', 'C'] as const) {
        if (!isReached(caller, other)) expect(text).not.toContain(`custom.of_${other.toLowerCase()}`);
      }
    }
  });
});

describe.each([
  ['A', ['a']],
  ['B', ['b']],
  ['P', ['a', 'b']],
  ['P in A', ['a']],
  ['Q', []],
  ['system', ['a', 'b']],
] as const)('the holder of devices:write in %s', (name, reach: readonly string[]) => {
  test.each(['a', 'b'] as const)(
    'merges and deletes devices of organization %s only within reach',
    async (org) => {
      const editors = await addEditors(service);
      const hostname = `twice-${newId()}`;
      const twice = () => aDevice({ orgId: editors[org], hostname });
      const [kept, gone, other] = [twice(), twice(), twice()];
      await loadFleet(service.composition.backend, [kept, gone, other]);
      const asEditor = editors.as(name);
      const merge = (id: string, deviceId: string) =>
        asEditor('POST', `/api/v1/devices/${id}/merge`, { deviceId }, { 'X-Request-Id': 'same' });
      const remove = (id: string) =>
        asEditor('DELETE', `/api/v1/devices/${id}`, undefined, { 'X-Request-Id': 'same' });
      const listed = await asEditor('GET', '/api/v1/devices/duplicates?limit=200');
      expect(listed.text.includes(hostname)).toBe(reach.includes(org));
      const answers = [await merge(kept.id, gone.id), await remove(other.id)];
      const unknown = [await merge(newId(), gone.id), await remove(newId())];
      expect(unknown.map(({ status }) => status)).toStrictEqual([404, 404]);
      if (reach.includes(org)) return expect(answers.map(({ status }) => status)).toStrictEqual([200, 204]);
      const plain = ({ status, body, headers }: Answer) => [status, body, Object.fromEntries(headers)];
      expect(answers.map(plain)).toStrictEqual(unknown.map(plain));
      for (const { id } of [kept, gone, other]) {
        expect((await editors.as('system')('GET', `/api/v1/devices/${id}`)).status).toBe(200);
      }
    },
  );

  test.each(['a', 'b'] as const)('resolves alerts of organization %s only within reach', async (org) => {
    const editors = await addEditors(service);
    const alert = anAlert({ orgId: editors[org], status: 'active' });
    await loadFleet(service.composition.backend, [alert]);
    const resolve = (id: string) =>
      editors.as(name)('PATCH', `/api/v1/alerts/${id}`, { status: 'resolved' }, { 'X-Request-Id': 'same' });
    const [answer, unknown] = [await resolve(alert.id), await resolve(newId())];
    const isIn = reach.includes(org);
    expect([answer.status, unknown.status]).toStrictEqual([isIn ? 200 : 404, 404]);
    if (!isIn) {
      const plain = ({ body, headers }: Answer) => [body, Object.fromEntries(headers)];
      expect(plain(answer)).toStrictEqual(plain(unknown));
    }
    const after = await editors.as('system')('GET', `/api/v1/alerts/${alert.id}`);
    expect(after.body).toMatchObject({ status: isIn ? 'resolved' : 'active' });
  });
});

test('no answer to any caller contains a canary of an organization out of reach', () => {
  const leaks = given.flatMap(({ caller, request, answer }) =>
    ORGS.filter((org) => !isReached(caller, org))
      .filter(
        (org) =>
          answer.text.includes(canaryOf(org)) || JSON.stringify([...answer.headers]).includes(canaryOf(org)),
      )
      .map((org) => ({ caller, request, org })),
  );
  expect(leaks).toStrictEqual([]);
  expect(given.length).toBeGreaterThan(500);
});

describe('despite issued tokens', () => {
  /** Asks until the answer is as wanted, at most for the second that the contract allows. */
  async function settled(look: () => Promise<unknown>, wanted: unknown): Promise<unknown> {
    const until = performance.now() + 1_000;
    let seen = await look();
    while (JSON.stringify(seen) !== JSON.stringify(wanted) && performance.now() < until) seen = await look();
    return seen;
  }

  test('a change of subset, of an organization’s partner, or of status takes effect within a second', async () => {
    const { orgIds, partnerIds } = service.tenants;
    const user = aUser({ membership: { scope: 'partner', partnerId: partnerIds.P, orgIds: [orgIds.A] } });
    await loadFleet(service.composition.backend, [user]);
    const token = await service.issueToken(user.id);
    const count = async () => {
      const answer = await service.as('none')(
        'POST',
        PREVIEW,
        { conditions: EVERYWHERE },
        { Authorization: `Bearer ${token}` },
      );
      return answer.status === 200 ? previewOf(answer).totalCount : answer.status;
    };
    expect(await count()).toBe(3);
    const { probe } = service;
    const partner = { scope: 'partner', partnerId: partnerIds.P } as const;
    await probe.changeUser(user.id, { membership: { ...partner, orgIds: [orgIds.A, orgIds.B] } });
    expect(await settled(count, 5)).toBe(5);
    await probe.changeUser(user.id, { membership: { ...partner, orgIds: [] } });
    expect(await settled(count, 0)).toBe(0);
    await probe.changeUser(user.id, { membership: { ...partner, orgIds: null } });
    expect(await settled(count, 5)).toBe(5);
    await probe.moveOrganization(orgIds.B, partnerIds.Q);
    expect(await settled(count, 3)).toBe(3);
    await probe.moveOrganization(orgIds.B, partnerIds.P);
    await probe.changeUser(user.id, { status: 'disabled' });
    expect(await settled(count, 401)).toBe(401);
  });

  test('the revocation of a key takes effect within a second', async () => {
    const { 'key-A': key } = service.tenants.keys;
    const status = async () => (await service.as('key-A')('GET', FILTERS)).status;
    expect(await status()).toBe(200);
    await service.probe.setKeyRevoked(key.id, true);
    expect(await settled(status, 401)).toBe(401);
    await service.probe.setKeyRevoked(key.id, false);
  });
});

test('200 requests of different tenants at once are not mixed up', async () => {
  const callers = ['A-user', 'B-user', 'C-user', 'P-all', 'Q-all', 'system'] as const;
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const caller = callers[i % callers.length] ?? 'A-user';
      const answer = await service.as(caller)('POST', PREVIEW, { conditions: EVERYWHERE, limit: 100 });
      return [
        caller,
        previewOf(answer).totalCount,
        ORGS.filter((org) => answer.text.includes(canaryOf(org))),
      ];
    }),
  );
  for (const [caller, count, orgs] of answers) {
    const reach = REACH[caller as CallerName] ?? [];
    expect([caller, count, orgs]).toStrictEqual([caller, sum(reach), reach.filter((org) => org !== 'D')]);
  }
});
