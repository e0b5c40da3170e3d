/** The audit log through the whole service, with a test for each line of the contract (Contract: §8). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AUDIT_LOG,
  auditOf,
  type DeletionService,
  type EntryBody,
  type MemberName,
  OWN,
  PASSWORD,
  REQUESTS,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { FILTERS, refusalOf } from '#test/api/service/service.ts';
import { anApiKey, anAuditEntry, anIdentityProvider, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FILTER = {
  name: 'On record',
  conditions: { operator: 'AND', conditions: [{ field: 'hostname', operator: 'equals', value: 'x' }] },
};

let service: DeletionService;

beforeAll(async () => {
  service = await startDeletionService();
});

afterAll(() => service.close());

const iso = (ms: number) => new Date(ms).toISOString();

async function read(team: Team, by: MemberName, query = '') {
  return auditOf(await service.by(team.people[by])('GET', `${AUDIT_LOG}${query}`));
}

/** Makes a filter in an organization, which leaves one entry in the log. */
async function makeFilter(team: Team, by: MemberName, orgId: string, headers: Record<string, string> = {}) {
  const answer = await service.by(team.people[by])('POST', FILTERS, { ...FILTER, orgId }, headers);
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.body as { id: string }).id;
}

test('an entry has all its facts, and no more', async () => {
  const team = await service.newTeam();
  const id = await makeFilter(team, 'admin', team.a, { 'X-Request-Id': 'the-request' });
  expect(await read(team, 'admin')).toStrictEqual({
    data: [
      {
        id: expect.stringMatching(UUID),
        at: iso(service.now()),
        actor: { type: 'user', id: team.people.admin.id, name: team.people.admin.name },
        orgId: team.a,
        resourceName: 'On record',
        action: 'filter.create',
        result: 'success',
        resourceType: 'filter',
        resourceId: id,
        details: {},
        requestId: 'the-request',
        ip: null,
      },
    ],
    nextCursor: null,
  });
});

test('the log is empty if nothing happened', async () => {
  const team = await service.newTeam();
  expect(await read(team, 'admin')).toStrictEqual({ data: [], nextCursor: null });
});

describe('only people in reach see what happened', () => {
  /** Where it happened, and who sees it. */
  const SEEN: readonly (readonly [string, (team: Team) => Promise<unknown>, readonly MemberName[]])[] = [
    [
      'in A, by its own administrator',
      (team) => makeFilter(team, 'admin', team.a),
      ['admin', 'partner', 'partner in A', 'system'],
    ],
    [
      'in A, by staff of P',
      (team) => makeFilter(team, 'partner', team.a),
      ['admin', 'partner', 'partner in A', 'system'],
    ],
    [
      'in A, by the system',
      (team) => makeFilter(team, 'system', team.a),
      ['admin', 'partner', 'partner in A', 'system'],
    ],
    ['in B', (team) => makeFilter(team, 'admin of B', team.b), ['admin of B', 'partner', 'system']],
    ['to staff of P', (team) => service.submit(team.people['partner in A']), ['partner', 'system']],
    ['to staff of the system', (team) => service.submit(team.people.system), ['system']],
    [
      'to staff of P, by the system',
      async (team) => {
        const { id } = await service.submit(team.people.partner);
        service.pass(1);
        await service.by(team.people.system)('POST', `${REQUESTS}/${id}/process`, { action: 'approve' });
      },
      ['partner', 'system'],
    ],
  ];

  test.each(SEEN)('%s', async (_where, happen, seenBy) => {
    const team = await service.newTeam();
    service.pass(1);
    await happen(team);
    const seen = [];
    for (const name of Object.keys(team.people) as MemberName[]) {
      if (name === 'member') continue;
      const { data } = await read(team, name, `?from=${iso(service.now())}`);
      if (data.length > 0) seen.push(name);
    }
    expect(seen).toStrictEqual(seenBy);
  });

  test('an API key with users:write sees what its user sees, narrowed to its organization', async () => {
    const team = await service.newTeam();
    const key = anApiKey({ userId: team.people.partner.id, orgId: team.b, permissions: ['users:write'] });
    await loadFleet(service.composition.backend, [key]);
    await makeFilter(team, 'partner', team.a);
    const inB = await makeFilter(team, 'partner', team.b);
    const answer = await service.composition.app.request(AUDIT_LOG, { headers: { 'X-API-Key': key.key } });
    const { data } = (await answer.json()) as { data: readonly EntryBody[] };
    expect(data.map(({ resourceId }) => resourceId)).toStrictEqual([inB]);
  });
});

describe('searching the log', () => {
  test('works by action, actor, resource and time, alone and together', async () => {
    const team = await service.newTeam();
    const { admin, partner } = team.people;
    const start = service.now();
    const first = await makeFilter(team, 'admin', team.a);
    service.pass(10);
    const second = await makeFilter(team, 'partner', team.a);
    service.pass(10);
    await service.by(admin)('DELETE', `${FILTERS}/${first}`);
    const found = async (query: Readonly<Record<string, string>>) => {
      const { data } = await read(team, 'admin', `?${new URLSearchParams(query)}`);
      return data.map(({ action, resourceId }) => [action, resourceId]);
    };
    const [created, createdToo, deleted] = [
      ['filter.create', first],
      ['filter.create', second],
      ['filter.delete', first],
    ];
    expect(await found({})).toStrictEqual([deleted, createdToo, created]);
    expect(await found({ action: 'filter.create' })).toStrictEqual([createdToo, created]);
    expect(await found({ action: 'auth.login' })).toStrictEqual([]);
    expect(await found({ actorId: partner.id })).toStrictEqual([createdToo]);
    expect(await found({ actorId: partner.id.toUpperCase() })).toStrictEqual([createdToo]);
    expect(await found({ actorId: newId() })).toStrictEqual([]);
    expect(await found({ resourceId: first })).toStrictEqual([deleted, created]);
    expect(await found({ resourceId: first, action: 'filter.delete', actorId: admin.id })).toStrictEqual([
      deleted,
    ]);
    expect(await found({ from: iso(start + 10_000) })).toStrictEqual([deleted, createdToo]);
    expect(await found({ to: iso(start + 10_000) })).toStrictEqual([createdToo, created]);
    expect(await found({ from: iso(start + 1), to: iso(start + 19_999) })).toStrictEqual([createdToo]);
    expect(await found({ from: iso(start + 10_000).replace('Z', '+00:00') })).toStrictEqual([
      deleted,
      createdToo,
    ]);
    const day = iso(start).slice(0, 10);
    expect(await found({ from: day, to: day })).toStrictEqual([deleted, createdToo, created]);
    expect(await found({ to: '2020-01-01' })).toStrictEqual([]);
    const everAndEver = { from: '0001-01-01T00:00+15:59', to: '9999-12-31T23:59-15:59' };
    expect(await found(everAndEver)).toStrictEqual([deleted, createdToo, created]);
  });

  test.each<[string, readonly string[]]>([
    ['action=', ['action', 'invalid_value']],
    ['action=filter.nothing', ['action', 'invalid_value']],
    ['action=toString', ['action', 'invalid_value']],
    ['actor=', ['actor', 'invalid_value']],
    ['actor=%20a%20', ['actor', 'invalid_value']],
    [`actor=${'a'.repeat(201)}`, ['actor', 'invalid_value']],
    ['result=maybe', ['result', 'invalid_value']],
    ['actorId=nonsense', ['actorId', 'invalid_value']],
    ['actorId=', ['actorId', 'invalid_value']],
    ['resourceId=1', ['resourceId', 'invalid_value']],
    ['orgId=1', ['orgId', 'invalid_value']],
    ['from=now', ['from', 'invalid_value']],
    ['from=1770710400000', ['from', 'invalid_value']],
    ['to=2026-02-30', ['to', 'invalid_value']],
    ['from=2026-02-11&to=2026-02-10', ['from', 'out_of_range']],
    ['limit=0', ['limit', 'out_of_range']],
    ['limit=201', ['limit', 'out_of_range']],
    ['limit=', ['limit', 'out_of_range']],
    ['limit=1&limit=2', ['limit', 'repeated_parameter']],
  ])('%s is 400', async (query, fault) => {
    const team = await service.newTeam();
    const answer = await service.by(team.people.admin)('GET', `${AUDIT_LOG}?${query}`);
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', fault]);
  });
});

test('an orgId narrows the log to one organization, and tells nothing of others', async () => {
  const team = await service.newTeam();
  const inA = await makeFilter(team, 'partner', team.a);
  await makeFilter(team, 'partner', team.b);
  await service.submit(team.people['partner in A']);
  const { data } = await read(team, 'partner', `?orgId=${team.a}`);
  expect(data.map(({ resourceId }) => resourceId)).toStrictEqual([inA]);
  expect((await read(team, 'partner', `?orgId=${team.a}&action=filter.delete`)).data).toStrictEqual([]);
  for (const orgId of [team.a, newId()]) {
    const answer = await service.by(team.people['admin of B'])('GET', `${AUDIT_LOG}?orgId=${orgId}`);
    expect(refusalOf(answer)).toStrictEqual([404, 'not_found']);
  }
  const member = await service.by(team.people.member)('GET', `${AUDIT_LOG}?orgId=${newId()}`);
  expect(refusalOf(member)).toStrictEqual([403, 'forbidden']);
});

describe('names', () => {
  test('are current, and gone once the resource is deleted', async () => {
    const team = await service.newTeam();
    const { admin } = team.people;
    const id = await makeFilter(team, 'admin', team.a);
    await service.by(admin)('PATCH', `${FILTERS}/${id}`, { name: 'Renamed' });
    const names = async () =>
      (await read(team, 'admin')).data.map(({ actor, resourceName }) => [actor.name, resourceName]);
    expect(await names()).toStrictEqual([
      [admin.name, 'Renamed'],
      [admin.name, 'Renamed'],
    ]);
    await service.by(admin)('DELETE', `${FILTERS}/${id}`);
    expect(await names()).toStrictEqual([
      [admin.name, null],
      [admin.name, null],
      [admin.name, null],
    ]);
  });

  test('are erased with the person', async () => {
    const team = await service.newTeam();
    const { admin } = team.people;
    const member = await service.addMember(team, { name: 'Mara Ellingsen' });
    const { id } = await service.submit(member);
    await service.by(admin)('POST', `${REQUESTS}/${id}/process`, { action: 'approve' });
    const names = async () =>
      (await read(team, 'admin', `?resourceId=${id}`)).data.map(({ actor, resourceName }) => [
        actor.name,
        resourceName,
      ]);
    expect(await names()).toStrictEqual([
      [admin.name, member.name],
      [member.name, member.name],
    ]);
    service.pass(720 * 3600);
    await service.composition.completeDeletions();
    expect(await names()).toStrictEqual([
      [null, null],
      [admin.name, null],
      [null, null],
    ]);
    const answer = await service.by(admin)('GET', `${AUDIT_LOG}?limit=200`);
    expect(answer.text).not.toContain(member.name);
  });

  test('of actors are told to all who read the entry, but nothing else about people out of reach', async () => {
    const team = await service.newTeam();
    const { system, partner: staff } = team.people;
    const apiKey = anApiKey({ userId: staff.id, name: 'Key of P' });
    await loadFleet(service.composition.backend, [apiKey]);
    await makeFilter(team, 'partner', team.a);
    service.pass(1);
    await service.as('none')('POST', FILTERS, { ...FILTER, orgId: team.a }, { 'X-API-Key': apiKey.key });
    await service.by(system)('PATCH', `/api/v1/users/${staff.id}`, { name: 'Renamed' });
    for (const by of ['admin', 'partner in A', 'partner'] as const) {
      const { data } = await read(team, by, `?orgId=${team.a}&action=filter.create`);
      expect(data.map(({ actor }) => actor)).toStrictEqual([
        { type: 'api_key', id: apiKey.id, name: 'Key of P' },
        { type: 'user', id: staff.id, name: 'Renamed' },
      ]);
      expect(JSON.stringify(data)).not.toContain(staff.email);
    }
    expect((await read(team, 'admin of B')).data).toStrictEqual([]);
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(staff.id));
    const after = await read(team, 'admin', '?action=filter.create');
    expect(after.data.map(({ actor }) => actor.name)).toStrictEqual([null, null]);
  });

  test('of resources are hidden if the reader does not reach them', async () => {
    const team = await service.newTeam();
    const provider = anIdentityProvider({
      owner: { kind: 'partner', partnerId: team.p },
      name: 'Entra of P',
    });
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await tx.identityProviders.add(provider, 'hush');
      await tx.audit(
        anAuditEntry({
          ...{ at: service.now(), orgId: team.a, partnerId: null, action: 'identity_provider.updated' },
          ...{ actor: { type: 'identity_provider', id: provider.id } },
          ...{ resourceType: 'identity_provider', resourceId: provider.id },
        }),
      );
    });
    const names = async (by: MemberName) =>
      (await read(team, by, `?resourceId=${provider.id}&orgId=${team.a}`)).data.map(
        ({ actor, resourceName }) => [actor.name, resourceName],
      );
    expect(await names('admin')).toStrictEqual([['Entra of P', null]]);
    expect(await names('partner')).toStrictEqual([['Entra of P', 'Entra of P']]);
  });

  test('find the entries of people in reach', async () => {
    const team = await service.newTeam();
    const { admin, partner } = team.people;
    const byAdmin = await makeFilter(team, 'admin', team.a);
    const byPartner = await makeFilter(team, 'partner', team.a);
    const found = async (by: MemberName, query: Readonly<Record<string, string>>) =>
      (await read(team, by, `?${new URLSearchParams(query)}`)).data.map(({ resourceId }) => resourceId);
    expect(await found('admin', { actor: ` ${admin.email.toUpperCase()} ` })).toStrictEqual([byAdmin]);
    expect(await found('admin', { actor: admin.name.slice(1) })).toContain(byAdmin);
    expect(await found('admin', { actor: partner.email })).toStrictEqual([]);
    expect(await found('partner', { actor: partner.email, orgId: team.a })).toStrictEqual([byPartner]);
    expect(await found('partner', { actor: partner.email, orgId: team.b })).toStrictEqual([]);
    expect(await found('partner', { actor: '%_' })).toStrictEqual([]);
    expect(await found('partner', { actor: partner.email, actorId: admin.id })).toStrictEqual([]);
    expect(await found('partner', { actor: admin.email, actorId: admin.id })).toStrictEqual([byAdmin]);
  });

  test('entries are found by their result', async () => {
    const team = await service.newTeam();
    const made = await makeFilter(team, 'admin', team.a);
    const unknown = newId();
    await service.by(team.people.admin)('DELETE', `${FILTERS}/${unknown}`);
    const found = async (result: string) =>
      (await read(team, 'admin', `?result=${result}`)).data.map(({ resourceId }) => resourceId);
    expect(await found('denied')).toStrictEqual([unknown]);
    expect(await found('success')).toStrictEqual([made]);
  });
});

describe('pages', () => {
  test.each([1, 2, 3, 7, 8])(
    'with %i entries follow each other, and the last has no cursor',
    async (limit) => {
      const team = await service.newTeam();
      const ids: string[] = [];
      for (let i = 0; i < 7; i++) {
        ids.unshift(await makeFilter(team, 'admin', team.a));
        // Each pair has the same instant.
        if (i % 2 === 1) service.pass(1);
      }
      const seen: (string | null)[] = [];
      const sizes: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? `?limit=${limit}` : `?limit=${limit}&cursor=${cursor}`;
        const page = await read(team, 'admin', query);
        seen.push(...page.data.map(({ resourceId }) => resourceId));
        sizes.push(page.data.length);
        cursor = page.nextCursor;
      }
      expect(seen).toStrictEqual(ids);
      expect(sizes).toHaveLength(Math.ceil(7 / limit));
    },
  );

  test('are stable while entries are added, and keep to the query', async () => {
    const team = await service.newTeam();
    const [first, second] = [
      await makeFilter(team, 'admin', team.a),
      await makeFilter(team, 'admin', team.a),
    ];
    service.pass(1);
    await service.by(team.people.admin)('DELETE', `${FILTERS}/${first}`);
    const page = await read(team, 'admin', '?limit=1&action=filter.create');
    await makeFilter(team, 'admin', team.a);
    const next = await read(team, 'admin', `?limit=1&action=filter.create&cursor=${page.nextCursor}`);
    expect([...page.data, ...next.data].map(({ resourceId }) => resourceId)).toStrictEqual([second, first]);
    expect(next.nextCursor).toBeNull();
  });

  test('refuse the cursor of another caller, and malformed ones', async () => {
    const [team, other] = [await service.newTeam(), await service.newTeam()];
    for (let i = 0; i < 3; i++) await makeFilter(team, 'admin', team.a);
    const { nextCursor } = await read(team, 'admin', '?limit=1');
    for (const cursor of [nextCursor, '', 'nonsense', `${nextCursor}x`]) {
      const answer = await service.by(other.people.admin)('GET', `/api/v1/admin/audit-log?cursor=${cursor}`);
      expect(refusalOf(answer)).toStrictEqual([400, 'invalid_cursor']);
    }
  });

  test('have 50 entries by default', async () => {
    const team = await service.newTeam();
    for (let i = 0; i < 51; i++) await makeFilter(team, 'admin', team.a);
    const page = await read(team, 'admin');
    expect([
      page.data.length,
      (await read(team, 'admin', `?cursor=${page.nextCursor}`)).data.length,
    ]).toStrictEqual([50, 1]);
  });
});

test('denied actions are in the log as well', async () => {
  const team = await service.newTeam();
  const { member, admin } = team.people;
  await service.by(member)('POST', OWN, { password: 'wrong horse' });
  await service.by(member)('POST', `${REQUESTS}/${newId()}/process`, { action: 'approve' });
  await service.by(admin)('PATCH', `${OWN}/${newId()}`, { status: 'cancelled' });
  const { data } = await read(team, 'partner');
  expect(data.map(({ action, result, details }) => [action, result, details.reason])).toStrictEqual([
    ['user.account_deletion.cancelled', 'denied', 'not_found'],
    ['user.account_deletion.approved', 'denied', 'forbidden'],
    ['user.account_deletion.requested', 'denied', 'invalid_password'],
  ]);
});

test('a decision has its note until the person is erased', async () => {
  const team = await service.newTeam();
  const { member, admin } = team.people;
  const rejected = await service.submit(member);
  await service.by(admin)('POST', `${REQUESTS}/${rejected.id}/process`, {
    action: 'reject',
    adminNote: 'wait a little',
  });
  const approved = await service.submit(member);
  await service.by(admin)('POST', `${REQUESTS}/${approved.id}/process`, {
    action: 'approve',
    adminNote: 'as asked',
  });
  const notes = async (by: MemberName) => {
    const { data } = await read(team, by, `?actorId=${admin.id}`);
    return data.map(({ details }) => details.note);
  };
  expect(await notes('admin')).toStrictEqual(['as asked', 'wait a little']);
  expect(await notes('partner')).toStrictEqual(['as asked', 'wait a little']);
  service.pass(720 * 3600);
  await service.composition.completeDeletions();
  expect(await notes('admin')).toStrictEqual([null, null]);
});

test('no answer of the log holds a password, token or secret', async () => {
  const team = await service.newTeam();
  const { member } = team.people;
  await service.by(member)('POST', OWN, { password: `${PASSWORD} but wrong`, reason: 'a secret reason' });
  await service.submit(member, 'a secret reason');
  const answer = await service.by(team.people.system)('GET', `${AUDIT_LOG}?limit=200`);
  for (const secret of [PASSWORD, 'secret reason', 'eyJ', member.totpSecret ?? '', member.email]) {
    expect(answer.text).not.toContain(secret);
  }
});
