/** Rights to create, rename and delete organizations, partners and sites (Contract: §16). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type DeletionService,
  type MemberName,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import { aDevice, aFilter, aSite, aUser, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const API = '/api/v1';

let service: DeletionService;
let team: Team;

beforeAll(async () => {
  service = await startDeletionService();
});
beforeEach(async () => {
  team = await service.newTeam();
});
afterAll(() => service.close());

const as = (name: MemberName, mfaAgeSeconds?: number | null) => service.by(team.people[name], mfaAgeSeconds);
const idOf = ({ status, text, body }: Answer): string => {
  if (status !== 201) throw new Error(`nothing was created: ${status} ${text}`);
  return (body as { readonly id: string }).id;
};
const FORBIDDEN = [403, 'forbidden'];
const UNKNOWN = [404, 'not_found'];
const TAKEN = [409, 'name_taken'];

describe('organizations', () => {
  test('are created by staff of a whole partner or of the system, who reach them at once', async () => {
    const created = await as('partner')('POST', `${API}/organizations`, { name: '  Varhaug ' });
    const id = idOf(created);
    expect(created.body).toStrictEqual({ id, partnerId: team.p, name: 'Varhaug' });
    const listed = await as('partner')('GET', `${API}/organizations`);
    expect(listed.text).toContain(id);
    const named = { name: 'Kestrel Lane', partnerId: team.p };
    expect((await as('system')('POST', `${API}/organizations`, named)).status).toBe(201);
    expect((await as('system')('POST', `${API}/organizations`, { name: 'x' })).status).toBe(400);
    for (const partnerId of [team.p, newId()]) {
      const refused = await as('other partner')('POST', `${API}/organizations`, { name: 'x', partnerId });
      expect(refusalOf(refused)).toStrictEqual(FORBIDDEN);
    }
    expect(
      refusalOf(await as('system')('POST', `${API}/organizations`, { name: 'x', partnerId: newId() })),
    ).toStrictEqual(FORBIDDEN);
    for (const name of ['admin', 'partner in A', 'member'] as const) {
      expect(refusalOf(await as(name)('POST', `${API}/organizations`, { name: 'x' }))).toStrictEqual(
        FORBIDDEN,
      );
    }
    expect(refusalOf(await as('partner', null)('POST', `${API}/organizations`, { name: 'x' }))).toStrictEqual(
      [401, 'mfa_required'],
    );
  });

  test('have names that are unique within the partner, whatever their case and outer spaces', async () => {
    const post = (name: unknown) => as('partner')('POST', `${API}/organizations`, { name });
    const id = idOf(await post('Ærø Ægir'));
    for (const name of ['Ærø Ægir', ' æRØ ægIR  ']) expect(refusalOf(await post(name))).toStrictEqual(TAKEN);
    expect((await as('other partner')('POST', `${API}/organizations`, { name: 'Ærø Ægir' })).status).toBe(
      201,
    );
    for (const name of ['', '  ', 7, undefined, 'two\nlines', 'x'.repeat(201)]) {
      expect((await post(name)).status).toBe(400);
    }
    const rename = (by: MemberName, name: string) => as(by)('PATCH', `${API}/organizations/${id}`, { name });
    expect(refusalOf(await rename('partner', 'a'))).toStrictEqual(TAKEN);
    expect(refusalOf(await rename('other partner', 'x'))).toStrictEqual(UNKNOWN);
    expect((await rename('partner', 'ÆRØ ÆGIR')).body).toStrictEqual({
      id,
      partnerId: team.p,
      name: 'ÆRØ ÆGIR',
    });
    // Staff of a subset of organizations cannot see the other one.
    const own = await as('partner in A')('PATCH', `${API}/organizations/${team.a}`, { name: 'b' });
    expect(refusalOf(own)).toStrictEqual(TAKEN);
    expect((await as('admin')('PATCH', `${API}/organizations/${team.a}`, { name: 'Anew' })).status).toBe(200);
  });

  test('get a name once, even if five are created with it at once', async () => {
    const asks = Array.from({ length: 5 }, () =>
      as('partner')('POST', `${API}/organizations`, { name: 'Once' }),
    );
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.sort()).toStrictEqual([201, 409, 409, 409, 409]);
  });

  test('are deleted only if they are empty; their sites and enrolment keys go with them', async () => {
    const remove = (by: MemberName, id: string) => as(by)('DELETE', `${API}/organizations/${id}`);
    const create = async (name: string) =>
      idOf(await as('partner')('POST', `${API}/organizations`, { name })) as Team['a'];
    const id = await create('Empty');
    await service.composition.backend.fleetWriter([]);
    await as('partner')('POST', `${API}/sites`, { orgId: id, name: 'Quay' });
    const keeper = await service.addMember(team, {
      membership: { scope: 'partner', partnerId: team.p, orgIds: null },
      permissions: ['devices:write'],
    });
    const keyId = idOf(
      await service.by(keeper)('POST', `${API}/enrolment-keys`, { orgId: id, name: 'Laptops' }),
    );
    const keys = () => service.by(keeper)('GET', `${API}/enrolment-keys`);
    expect((await keys()).text).toContain(keyId);
    expect(refusalOf(await remove('other partner', id))).toStrictEqual(UNKNOWN);
    expect(refusalOf(await remove('admin', team.a))).toStrictEqual(FORBIDDEN);
    expect(refusalOf(await remove('partner', team.a))).toStrictEqual([409, 'not_empty']);
    expect((await remove('partner', id)).status).toBe(204);
    expect((await remove('partner', id)).status).toBe(404);
    expect((await as('partner')('GET', `${API}/organizations`)).text).not.toContain(id);
    expect((await keys()).text).not.toContain(keyId);

    const { id: createdBy } = team.people.system;
    for (const [name, recordOf] of [
      ['device', (orgId: Team['a']) => aDevice({ orgId })],
      ['person', (orgId: Team['a']) => aUser({ membership: { scope: 'organization', orgId } })],
      ['filter', (orgId: Team['a']) => aFilter({ orgId, createdBy })],
    ] as const) {
      const full = await create(name);
      await loadFleet(service.composition.backend, [recordOf(full)]);
      expect([name, ...refusalOf(await remove('partner', full))]).toStrictEqual([name, 409, 'not_empty']);
    }
  });

  test('can be deleted once their people are erased; deletion requests stay with the partner', async () => {
    const id = idOf(await as('partner')('POST', `${API}/organizations`, { name: 'Left' })) as Team['a'];
    const person = await service.addMember(team, { membership: { scope: 'organization', orgId: id } });
    const request = await service.submit(person);
    expect((await service.decide(team.people.partner, request.id, { action: 'approve' })).status).toBe(200);
    service.pass(31 * 86_400);
    await service.composition.completeDeletions();
    expect((await as('partner')('DELETE', `${API}/organizations/${id}`)).status).toBe(204);
    const kept = await as('partner')('GET', `${API}/admin/account-deletion-requests/${request.id}`);
    expect(kept.body).toMatchObject({ id: request.id, status: 'completed', orgId: null });
  });
});

describe('partners', () => {
  test('are managed by system scope alone', async () => {
    for (const name of ['partner', 'admin', 'partner in A'] as const) {
      expect(refusalOf(await as(name)('GET', `${API}/partners`))).toStrictEqual(FORBIDDEN);
      expect(refusalOf(await as(name)('POST', `${API}/partners`, { name: 'x' }))).toStrictEqual(FORBIDDEN);
      expect(refusalOf(await as(name)('PATCH', `${API}/partners/${team.p}`, { name: 'x' }))).toStrictEqual(
        FORBIDDEN,
      );
    }
    const unique = `Northgate ${newId()}`;
    const id = idOf(await as('system')('POST', `${API}/partners`, { name: unique }));
    expect(
      refusalOf(await as('system')('POST', `${API}/partners`, { name: unique.toUpperCase() })),
    ).toStrictEqual(TAKEN);
    const renamed = await as('system')('PATCH', `${API}/partners/${id}`, { name: `${unique} IT` });
    expect(renamed.body).toStrictEqual({ id, name: `${unique} IT` });
    expect(refusalOf(await as('system')('PATCH', `${API}/partners/${newId()}`, { name: 'x' }))).toStrictEqual(
      UNKNOWN,
    );
    expect((await as('system')('GET', `${API}/partners`)).text).toContain(`${unique} IT`);
  });
});

describe('sites', () => {
  test('are created, renamed and deleted in reach; their devices stay, without a site', async () => {
    const created = await as('partner in A')('POST', `${API}/sites`, { orgId: team.a, name: 'Quay' });
    const id = idOf(created);
    expect(created.body).toStrictEqual({ id, orgId: team.a, name: 'Quay' });
    expect(refusalOf(await as('admin')('POST', `${API}/sites`, { name: ' qUAY' }))).toStrictEqual(TAKEN);
    for (const orgId of [team.a, newId()]) {
      expect(refusalOf(await as('admin of B')('POST', `${API}/sites`, { orgId, name: 'x' }))).toStrictEqual(
        FORBIDDEN,
      );
      expect(
        refusalOf(await as('partner')('POST', `${API}/sites`, { orgId: newId(), name: 'x' })),
      ).toStrictEqual(FORBIDDEN);
    }
    expect(
      refusalOf(await as('system')('POST', `${API}/sites`, { orgId: newId(), name: 'x' })),
    ).toStrictEqual(FORBIDDEN);
    expect((await as('partner')('POST', `${API}/sites`, { name: 'x' })).status).toBe(400);
    expect(refusalOf(await as('admin of B')('PATCH', `${API}/sites/${id}`, { name: 'x' }))).toStrictEqual(
      UNKNOWN,
    );
    expect(refusalOf(await as('admin of B')('DELETE', `${API}/sites/${id}`))).toStrictEqual(UNKNOWN);
    expect((await as('admin')('PATCH', `${API}/sites/${id}`, { name: 'Pier' })).body).toMatchObject({
      name: 'Pier',
    });

    const site = aSite({ orgId: team.a });
    const device = aDevice({ orgId: team.a, siteId: site.id });
    await loadFleet(service.composition.backend, [site, device]);
    expect((await as('admin')('DELETE', `${API}/sites/${site.id}`)).status).toBe(204);
    const left = await as('admin')('GET', `${API}/devices/${device.id}`);
    expect(left.body).toMatchObject({ id: device.id, siteId: null });
    await as('admin')('PATCH', `${API}/organizations/${team.a}`, { name: 'Anew' });
    const entries = await service.recordedOf(team, team.people.admin);
    const changes = entries.filter(({ result }) => result === 'success');
    expect(changes.map(({ action, details }) => [action, details])).toStrictEqual([
      ['site.updated', { fields: ['name'] }],
      ['site.deleted', { name: site.name }],
      ['organization.updated', { fields: ['name'] }],
    ]);
    expect(entries.at(-2)).toMatchObject({
      ...{ action: 'site.deleted', result: 'success', orgId: team.a, resourceId: site.id },
      details: { name: site.name },
    });
  });
});
