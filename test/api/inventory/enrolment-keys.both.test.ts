/** Enrolment keys over HTTP: a test for each line of contract §13 about them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENROLMENT_KEY_FORMAT } from '#domain/access/enrolment-key.ts';
import type { OrgId } from '#domain/ids.ts';
import { type AuthService, startAuthService } from '#test/api/service/auth-service.ts';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import { type Answer, problemOf, refusalOf } from '#test/api/service/service.ts';
import { aSite, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { UUID_V7 } from '#test/support/shapes.ts';
import { loadFleet } from '#test/support/tenant.ts';

const KEYS = '/api/v1/enrolment-keys';

interface KeyBody {
  readonly id: string;
  readonly orgId: string;
  readonly siteId: string | null;
  readonly name: string;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly key?: string;
}

let service: AuthService;
let editors: Editors;
let token: string;

/** The access token of a new user who signed in with a second factor. */
async function signIn(membership: object, permissions: readonly string[] = ['devices:write']) {
  const enrolled = await service.addEnrolledUser({ membership: membership as never, permissions });
  return (await service.signInWithMfa(enrolled)).accessToken;
}

beforeAll(async () => {
  service = await startAuthService();
  editors = await addEditors(service);
  token = await signIn({ scope: 'organization', orgId: editors.a });
});
afterAll(() => service.close());

const create = (body: object = {}, as = token) => service.ask('POST', KEYS, { name: 'Rollout', ...body }, as);
const list = async (as = token) =>
  ((await service.ask('GET', KEYS, undefined, as)).body as { data: readonly KeyBody[] }).data;
const remove = (id: string, as = token) => service.ask('DELETE', `${KEYS}/${id}`, undefined, as);

function keyOf({ status, text, body }: Answer): KeyBody {
  if (status !== 201) throw new Error(`no key was answered: ${status} ${text}`);
  return body as KeyBody;
}

async function addSite(orgId: OrgId) {
  const site = aSite({ orgId });
  await loadFleet(service.composition.backend, [site]);
  return site.id;
}

/** All audit log entries after the first `count`. */
const entriesAfter = async (count: number) =>
  (await service.probe.auditEntries())
    .slice(count)
    .map(({ action, result, orgId, resourceType, resourceId, details }) => ({
      ...{ action, result, orgId, resourceType, resourceId, details },
    }));
const countEntries = async () => (await service.probe.auditEntries()).length;

describe('POST /enrolment-keys', () => {
  test('answers 201 with the key, shows it only once, and audits neither the key nor its name', async () => {
    const before = await countEntries();
    const siteId = await addSite(editors.a);
    const sinceLoad = (await countEntries()) - before;
    const expiresAt = new Date(service.now() + 1_000).toISOString();
    const created = keyOf(await create({ name: ' For Jo ', siteId, expiresAt }));
    const { key, ...summary } = created;
    expect(key).toMatch(ENROLMENT_KEY_FORMAT);
    expect(summary).toStrictEqual({
      id: expect.stringMatching(UUID_V7),
      orgId: editors.a,
      siteId,
      name: 'For Jo',
      expiresAt,
      createdAt: new Date(service.now()).toISOString(),
    });
    expect((await list())[0]).toStrictEqual(summary);
    expect(await entriesAfter(before + sinceLoad)).toStrictEqual([
      {
        action: 'enrolment_key.created',
        result: 'success',
        orgId: editors.a,
        resourceType: 'enrolment_key',
        resourceId: created.id,
        details: { siteId },
      },
    ]);
    expect(JSON.stringify(await service.probe.auditEntries())).not.toMatch(/fse_|For Jo/);
  });

  test('needs recently verified MFA, and refuses API keys', async () => {
    const before = await countEntries();
    const refused = [
      refusalOf(await editors.as('A')('POST', KEYS, { name: 'x' })),
      refusalOf(await editors.as('key without')('POST', KEYS, { name: 'x' })),
      refusalOf(await editors.as('user')('POST', KEYS, { name: 'x' })),
    ];
    expect(refused).toStrictEqual([
      [403, 'mfa_enrollment_required'],
      [403, 'forbidden'],
      [403, 'forbidden'],
    ]);
    expect(await entriesAfter(before)).toMatchObject(
      ['mfa_enrollment_required', 'forbidden', 'forbidden'].map((reason) => ({
        action: 'enrolment_key.created',
        result: 'denied',
        details: { reason },
      })),
    );
  });

  test.each<readonly [string, object, string]>([
    ['no name', { name: undefined }, 'name'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a name with NUL', { name: 'a\u0000' }, 'name'],
    ['an expiry that has passed', { expiresAt: new Date(SOME_INSTANT).toISOString() }, 'expiresAt'],
    ['an expiry after the year 9999', { expiresAt: '9999-12-31T23:59-14:00' }, 'expiresAt'],
    ['a number as expiry', { expiresAt: 5 }, 'expiresAt'],
    ['a malformed site', { siteId: 'x' }, 'siteId'],
    ['a malformed organization', { orgId: 7 }, 'orgId'],
  ])('refuses %s', async (_, body, path) => {
    const before = await list();
    expect(refusalOf(await create(body))).toStrictEqual([400, 'validation_failed', [path, 'invalid_value']]);
    expect(await list()).toStrictEqual(before);
  });

  test('names every fault at once', async () => {
    expect(refusalOf(await create({ name: '', siteId: 1, expiresAt: '' })).slice(2)).toHaveLength(3);
  });

  test('refuses a site of another organization as it refuses an unknown one', async () => {
    for (const siteId of [await addSite(editors.b), newId()]) {
      const answer = await create({ siteId });
      expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ['siteId', 'unknown_site']]);
    }
  });

  test('refuses users of one organization a key for another', async () => {
    const before = await list();
    expect(refusalOf(await create({ orgId: editors.b }))).toStrictEqual([403, 'forbidden']);
    expect(await list()).toStrictEqual(before);
  });

  test('gives users of a partner a key for the organization that they name, if they reach it', async () => {
    const staff = await signIn({ scope: 'partner', partnerId: editors.p, orgIds: null });
    expect(keyOf(await create({ orgId: editors.b }, staff)).orgId).toBe(editors.b);
    expect(refusalOf(await create({}, staff))).toStrictEqual([
      400,
      'validation_failed',
      ['orgId', 'value_required'],
    ]);
    const strangers = await signIn({ scope: 'partner', partnerId: editors.q, orgIds: null });
    expect(refusalOf(await create({ orgId: editors.a }, strangers))).toStrictEqual([403, 'forbidden']);
    const system = await signIn({ scope: 'system' });
    expect(refusalOf(await create({ orgId: newId() }, system))).toStrictEqual([
      400,
      'validation_failed',
      ['orgId', 'unknown_organization'],
    ]);
  });
});

describe('GET and DELETE /enrolment-keys', () => {
  test('are for holders of devices:write', async () => {
    const { id } = keyOf(await create());
    for (const name of ['user', 'key without'] as const) {
      expect(refusalOf(await editors.as(name)('GET', KEYS))).toStrictEqual([403, 'forbidden']);
      expect(refusalOf(await editors.as(name)('DELETE', `${KEYS}/${id}`))).toStrictEqual([403, 'forbidden']);
    }
    expect((await list()).map((key) => key.id)).toContain(id);
  });

  test('a revoked key disappears, is audited, and cannot be revoked again', async () => {
    const { id } = keyOf(await create());
    const before = await countEntries();
    expect((await remove(id)).status).toBe(204);
    expect((await list()).map((key) => key.id)).not.toContain(id);
    expect(refusalOf(await remove(id))).toStrictEqual([404, 'not_found']);
    const entry = { orgId: editors.a, resourceType: 'enrolment_key', resourceId: id };
    const action = 'enrolment_key.revoked';
    expect(await entriesAfter(before)).toStrictEqual([
      { ...entry, action, result: 'success', details: { siteId: null } },
      { ...entry, action, result: 'denied', details: { reason: 'not_found' } },
    ]);
  });

  test.each<EditorName>(['B', 'Q'])('%s neither sees nor revokes a key of A', async (name) => {
    const { id } = keyOf(await create());
    const seen = (await editors.as(name)('GET', KEYS)).body as { data: readonly KeyBody[] };
    expect(seen.data.filter(({ orgId }) => orgId === editors.a)).toStrictEqual([]);
    const [theirs, unknown, malformed] = [
      await editors.as(name)('DELETE', `${KEYS}/${id}`),
      await editors.as(name)('DELETE', `${KEYS}/${newId()}`),
      await editors.as(name)('DELETE', `${KEYS}/x`),
    ];
    for (const answer of [theirs, unknown, malformed]) {
      expect([answer.status, problemOf(answer).detail]).toStrictEqual([
        404,
        'There is no such enrolment key, or you have no access to it.',
      ]);
    }
    expect((await list()).map((key) => key.id)).toContain(id);
  });
});
