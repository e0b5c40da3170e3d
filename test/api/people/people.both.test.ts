/** The people that each caller sees (Contract: §16, GET /users). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '#adapters/http/people/people-shapes.ts';
import {
  type DeletionService,
  type MemberName,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import { newId } from '#test/support/builders.ts';

const USERS = '/api/v1/users';

let service: DeletionService;
let team: Team;

beforeAll(async () => {
  service = await startDeletionService();
  team = await service.newTeam();
});
afterAll(() => service.close());

const REACH: Readonly<Record<Exclude<MemberName, 'member' | 'system'>, readonly MemberName[]>> = {
  admin: ['member', 'admin'],
  'admin of B': ['admin of B'],
  partner: ['member', 'admin', 'admin of B', 'partner', 'partner in A', 'partner in none'],
  'partner in A': ['member', 'admin'],
  'partner in none': [],
  'other partner': ['other partner'],
};

interface PageBody {
  readonly data: readonly Person[];
  readonly nextCursor: string | null;
}

const as = (name: MemberName, mfaAgeSeconds?: number | null) => service.by(team.people[name], mfaAgeSeconds);
const NAMES = () => Object.keys(team.people) as MemberName[];

describe('GET /users', () => {
  test.each(Object.entries(REACH))('%s sees exactly the people in reach', async (name, reached) => {
    const answer = await as(name as MemberName, null)('GET', USERS);
    expect(answer.status).toBe(200);
    const ids = (answer.body as PageBody).data.map(({ id }) => id);
    expect(new Set(ids)).toStrictEqual(new Set(reached.map((who) => team.people[who].id)));
    for (const who of NAMES()) {
      const one = await as(name as MemberName, null)('GET', `${USERS}/${team.people[who].id}`);
      expect([who, one.status]).toStrictEqual([who, reached.includes(who) ? 200 : 404]);
    }
  });

  test('answers a person with all members', async () => {
    const { id, email, name } = team.people.admin;
    const answer = await as('partner')('GET', `${USERS}/${id}`);
    const { createdAt } = answer.body as Person;
    expect(answer.body).toStrictEqual({
      ...{ id, email, name, createdAt },
      scope: 'organization',
      orgId: team.a,
      partnerId: null,
      orgIds: null,
      organization: { id: team.a, name: 'A' },
      partner: null,
      permissions: ['users:write'],
      isPlatformAdmin: false,
      status: 'active',
      mfa: { totp: true, passkeys: 0 },
      identityProvider: null,
      lastSignInAt: null,
    });
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{16}"$/);
    const subset = await as('system')('GET', `${USERS}/${team.people['partner in A'].id}`);
    expect(subset.body).toMatchObject({ scope: 'partner', partnerId: team.p, orgIds: [team.a] });
  });

  test('is 403 without users:write, and the same 404 for people out of reach and unknown ones', async () => {
    const { admin } = team.people;
    for (const path of [USERS, `${USERS}/${admin.id}`, `${USERS}/${newId()}`]) {
      expect(refusalOf(await as('member')('GET', path))).toStrictEqual([403, 'forbidden']);
    }
    const far = await as('admin of B')('GET', `${USERS}/${admin.id}`);
    const unknown = await as('admin of B')('GET', `${USERS}/${newId()}`);
    const malformed = await as('admin of B')('GET', `${USERS}/nonsense`);
    const told = ({ status, body }: Answer) => [status, { ...(body as object), requestId: '' }];
    expect([unknown, malformed].map(told)).toStrictEqual([told(far), told(far)]);
    for (const query of [
      `orgId=${team.a}`,
      `orgId=${newId()}`,
      `partnerId=${team.p}`,
      `partnerId=${newId()}`,
    ]) {
      expect(refusalOf(await as('admin of B')('GET', `${USERS}?${query}`))).toStrictEqual([404, 'not_found']);
    }
    expect((await as('partner in A')('GET', `${USERS}?partnerId=${team.p}`)).status).toBe(404);
  });

  test('answers page by page, and finds people by name and email', async () => {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const suffix: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = (await as('partner')('GET', `${USERS}?limit=2${suffix}`)).body as PageBody;
      expect(page.data.length).toBeLessThanOrEqual(2);
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(ids.length).toBe(new Set(ids).size);
    expect(new Set(ids)).toStrictEqual(new Set(REACH.partner.map((who) => team.people[who].id)));
    const { id, email } = team.people.member;
    const found = await as('partner')('GET', `${USERS}?search=${encodeURIComponent(email.toUpperCase())}`);
    expect((found.body as PageBody).data.map((person) => person.id)).toStrictEqual([id]);
    const staff = (await as('partner')('GET', `${USERS}?partnerId=${team.p}`)).body as PageBody;
    expect(staff.data).toHaveLength(3);
    const many = Array.from({ length: 51 }, (_, i) => ({ name: `Many ${i}` }));
    for (const given of many) await service.addMember(team, given);
    const fifty = (await as('admin')('GET', USERS)).body as PageBody;
    expect([fifty.data.length, fifty.nextCursor === null]).toStrictEqual([50, false]);
    const all = (await as('admin')('GET', `${USERS}?limit=200`)).body as PageBody;
    const names = all.data.map((person) => person.name.toLowerCase());
    expect(names).toStrictEqual(names.toSorted());
    for (const limit of ['0', '201', 'x']) {
      expect((await as('admin')('GET', `${USERS}?limit=${limit}`)).status).toBe(400);
    }
    const disabled = await as('partner')('GET', `${USERS}?status=disabled`);
    expect(disabled.body).toStrictEqual({ data: [], nextCursor: null });
    expect((await as('partner')('GET', `${USERS}?status=deleted&limit=0`)).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'status' }, { path: 'limit' }],
    });
  });
});
