/** Inventories from scripts, over HTTP: a test for each line of contract §13 about them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import { type Answer, problemOf, refusalOf, type TestService } from '#test/api/service/service.ts';
import { newId } from '#test/support/builders.ts';
import { GZIP, PLAIN, realInventory, recorded, send, startAgentService, type Wire, ZLIB } from './agents.ts';

const INVENTORY = '/api/v1/inventory';

let service: TestService;
let editors: Editors;

beforeAll(async () => {
  service = await startAgentService();
});
afterAll(() => service.close());
beforeEach(async () => {
  editors = await addEditors(service);
});

async function post(
  document: unknown,
  { name = 'A', query = '', wire = PLAIN }: { name?: EditorName; query?: string; wire?: Partial<Wire> } = {},
): Promise<Answer> {
  const id = name === 'key without' ? 'A' : name;
  const headers = { Authorization: `Bearer ${await service.issueToken(editors.idOf(id) as never)}` };
  return send(
    service,
    document,
    { ...wire, headers: { ...headers, ...wire.headers } },
    `${INVENTORY}${query}`,
  );
}
const hostnames = async (name: EditorName = 'A') => {
  const { body } = await editors.as(name)('GET', '/api/v1/devices');
  return (body as { data: readonly { hostname: string }[] }).data.map(({ hostname }) => hostname);
};

describe('POST /inventory', () => {
  test.each<[string, Partial<Wire>]>([
    ['JSON', PLAIN],
    ['zlib', ZLIB],
    ['gzip', GZIP],
  ])('creates and updates a device as an import does, from %s', async (_, wire) => {
    const before = (await service.probe.auditEntries()).length;
    const created = await post(realInventory(), { wire });
    expect([created.status, created.body]).toStrictEqual([
      201,
      { deviceId: expect.any(String), created: true },
    ]);
    const { deviceId } = created.body as { deviceId: string };
    expect(created.headers.get('location')).toBe(`/api/v1/devices/${deviceId}`);
    const updated = await post(realInventory(), { wire });
    expect([updated.status, updated.body]).toStrictEqual([200, { deviceId, created: false }]);
    // The status follows the date of the inventory, not the time of the request.
    const device = await editors.as('A')('GET', `/api/v1/devices/${deviceId}`);
    expect(device.body).toMatchObject({ hostname: 'glpixps', status: 'offline' });
    const entries = (await service.probe.auditEntries()).slice(before);
    expect(entries).toMatchObject(
      [true, false].map((isNew) => ({
        actor: { type: 'user', id: editors.idOf('A') },
        action: 'fleet.import',
        orgId: editors.a,
        resourceId: deviceId,
        details: { created: isNew },
      })),
    );
  });

  test('accepts up to 32 MiB, and refuses more with the limit', async () => {
    const inventory = { ...realInventory(), tag: 'x'.repeat(3 * 1_048_576) };
    expect((await post(inventory)).status).toBe(201);
    const answer = await post(' '.repeat(32 * 1_048_576 + 1));
    expect([answer.status, problemOf(answer)]).toMatchObject([
      413,
      { code: 'payload_too_large', detail: expect.stringContaining('32 MiB') },
    ]);
  });

  test.each<readonly [EditorName, string, (e: Editors) => string, number]>([
    ['A', 'no organization, which means their own', () => '', 201],
    ['A', 'their own organization', ({ a }) => `?orgId=${a}`, 201],
    ['A', 'another organization', ({ b }) => `?orgId=${b}`, 403],
    ['P', 'no organization', () => '', 400],
    ['P', 'one of their organizations', ({ a }) => `?orgId=${a}`, 201],
    ['P in A', 'an organization beyond their subset', ({ b }) => `?orgId=${b}`, 403],
    ['Q', 'an organization of another partner', ({ a }) => `?orgId=${a}`, 403],
    ['system', 'any organization', ({ a }) => `?orgId=${a}`, 201],
    ['system', 'an unknown organization', () => `?orgId=${newId()}`, 400],
    ['system', 'a malformed organization', () => '?orgId=x', 400],
    ['user', 'no organization, without the permission', () => '', 403],
  ])('checks permission and reach when %s names %s', async (name, _what, queryOf, status) => {
    const answer = await post(realInventory(), { name, query: queryOf(editors) });
    expect(answer.status, answer.text).toBe(status);
    expect(await hostnames('A')).toStrictEqual(status === 201 ? ['glpixps'] : []);
    expect(await hostnames('B')).toStrictEqual([]);
  });

  test('refuses an invalid inventory with every fault, and changes nothing', async () => {
    const inventory = realInventory();
    inventory.content.softwares = [{ name: 1 }, { name: [] }];
    const answer = await post(inventory);
    expect(refusalOf(answer).slice(0, 2)).toStrictEqual([400, 'validation_failed']);
    expect(problemOf(answer).errors?.map(({ message }) => message)).toStrictEqual([
      'content.softwares[0].name must be string',
      'content.softwares[1].name must be string',
    ]);
    expect(await hostnames()).toStrictEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['a load file', { devices: [] }, 'load file'],
    ['a contact', recorded('contact.json'), 'it is a contact of an agent; agents report at /inventory'],
    ['a prolog', recorded('prolog.xml'), 'it is a prolog of an agent; agents report at /inventory'],
  ])('refuses %s', async (_, document, hint) => {
    const answer = await post(document);
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ['', 'invalid_document']]);
    expect(problemOf(answer).detail).toContain(hint);
  });

  test.each<[string, string, string]>([
    ['half a document', '{"deviceid"', 'the document is truncated'],
    ['an empty body', '', 'the document is empty'],
    ['a load file of many lines', '{"kind":"device"}\n{"kind":"device"}', 'load file'],
  ])('refuses %s as invalid JSON', async (_, document, hint) => {
    const answer = await post(document);
    expect(refusalOf(answer)).toStrictEqual([400, 'invalid_json']);
    expect(problemOf(answer).detail).toContain(hint);
  });

  test('refuses a partial inventory of an unknown device', async () => {
    const answer = await post(realInventory('computer_1_partial_softs'));
    expect(refusalOf(answer)).toStrictEqual([409, 'conflict']);
  });

  test('refuses a title of software that is too long as a quota, and changes nothing', async () => {
    await post(realInventory());
    const inventory = realInventory();
    inventory.content.hardware = { name: 'renamed' };
    inventory.content.softwares = [{ name: 'x'.repeat(1_025) }];
    const answer = await post(inventory);
    expect(refusalOf(answer)).toStrictEqual([409, 'quota_exceeded']);
    expect(problemOf(answer).detail).toContain('at most 1,024 characters');
    expect(await hostnames()).toStrictEqual(['glpixps']);
  });

  test('refuses another media type', async () => {
    const answer = await post('deviceid: 1', { wire: { ...PLAIN, contentType: 'text/yaml' } });
    expect(refusalOf(answer)).toStrictEqual([415, 'unsupported_media_type']);
  });

  test('refuses enrolment keys', async () => {
    const answer = await send(service, realInventory(), { key: `fse_${'x'.repeat(43)}` }, INVENTORY);
    expect(refusalOf(answer)).toStrictEqual([401, 'unauthenticated']);
  });
});
