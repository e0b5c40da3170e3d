/** Agents and their answers, after recorded conversations: a test for each line of contract §13. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeviceStatus } from '#domain/device/device.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { TestService } from '#test/api/service/service.ts';
import { aDevice, aSite, movableClock, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import {
  addReporter,
  basic,
  devicesOf,
  GZIP,
  get,
  PLAIN,
  type Reporter,
  realInventory,
  recorded,
  send,
  startAgentService,
  type Wire,
  ZLIB,
} from './agents.ts';

const { clock, moveTo } = movableClock();
let service: TestService;

beforeAll(async () => {
  service = await startAgentService({ clock });
});
afterAll(() => service.close());

const CONTACT = JSON.parse(recorded('contact.json'));
const full = () => JSON.stringify(realInventory());
const partial = () => JSON.stringify(realInventory('computer_1_partial_softs'));

describe('a conversation', () => {
  test('begins in XML, continues in JSON, and ends with a device', async () => {
    const reporter = await addReporter(service);
    const prolog = await reporter.report(recorded('prolog.xml'));
    expect([prolog.status, prolog.body]).toStrictEqual([200, { status: 'ok' }]);
    expect(prolog.headers.get('content-type')).toBe('application/json');
    const inventory = await reporter.report(full());
    expect([inventory.status, inventory.body]).toStrictEqual([200, { status: 'ok' }]);
    expect(await devicesOf(service, reporter)).toMatchObject([
      { hostname: 'glpixps', status: 'online', lastSeenAt: new Date(clock()).toISOString() },
    ]);
    const contact = await reporter.report({ ...CONTACT, deviceid: realInventory().deviceid });
    expect([contact.status, contact.body]).toStrictEqual([
      200,
      {
        status: 'ok',
        expiration: '15m',
        tasks: { inventory: { server: 'glpi', version: '11.0.0' } },
        disabled: [
          'collect',
          'deploy',
          'esx',
          'inventory',
          'netdiscovery',
          'netinventory',
          'remoteinventory',
          'wakeonlan',
        ],
      },
    ]);
  });

  test.each<[string, Pick<Wire, 'contentType' | 'encode'>]>([
    ['zlib', ZLIB],
    ['gzip in another case', GZIP],
    ['JSON', PLAIN],
    ['JSON with its character set', { ...PLAIN, contentType: 'application/JSON; charset=utf-8' }],
  ])('works in %s', async (_, wire) => {
    const reporter = await addReporter(service);
    expect((await reporter.report(full(), wire)).body).toStrictEqual({ status: 'ok' });
    expect(await devicesOf(service, reporter)).toHaveLength(1);
  });

  test('begins in application/xml if the agent does not compress', async () => {
    const { report } = await addReporter(service);
    const answer = await report(recorded('prolog.xml'), { ...PLAIN, contentType: 'application/xml' });
    expect(answer.body).toStrictEqual({ status: 'ok' });
  });

  test('begins with "pending" for a GLPI Agent, which refuses "ok" without an expiration', async () => {
    const { report } = await addReporter(service);
    const headers = { 'User-Agent': 'GLPI-Agent_v1.12-dev', 'GLPI-Agent-ID': newId() };
    expect((await report(recorded('prolog.xml'), { headers })).body).toStrictEqual({ status: 'pending' });
  });

  test('begins with a message for the log of a FusionInventory Agent, which only speaks XML', async () => {
    const { report } = await addReporter(service);
    const headers = { 'User-Agent': 'FusionInventory-Agent_v2.6' };
    expect((await report(recorded('prolog.xml'), { headers })).body).toStrictEqual({
      status: 'ok',
      message: expect.stringContaining('GLPI Agent 1.0'),
    });
  });

  test('has no jobs for other tasks', async () => {
    const { key } = await addReporter(service);
    const query = '?action=getConfig&task%5BCollect%5D=2.9&machineid=host-2026-11-21-23-41-28';
    expect((await get(service, query, key)).body).toStrictEqual({});
    expect(await get(service, '?action=setLog', key)).toMatchObject({
      status: 400,
      body: { status: 'error', message: expect.stringContaining('getConfig') },
    });
  });

  test('asks for a full inventory until the organization has one', async () => {
    const { report } = await addReporter(service);
    const another = await addReporter(service);
    const contact = { ...CONTACT, deviceid: realInventory().deviceid };
    const isNew = { message: expect.stringContaining('full inventory'), disabled: OTHER_TASKS };
    expect((await report(contact)).body).toMatchObject(isNew);
    expect((await report(partial())).status).toBe(409);
    expect((await report(contact)).body).toMatchObject(isNew);
    await report(full());
    const { body } = await report(contact);
    expect(body).not.toHaveProperty('message');
    expect(body).toMatchObject({ disabled: expect.arrayContaining(['inventory']) });
    expect((await another.report(contact)).body).toMatchObject(isNew);
  });
});

const OTHER_TASKS = CONTACT['installed-tasks'].filter((task: string) => task !== 'inventory');

describe('a contact', () => {
  const tasksOf = async ({ report }: Reporter, deviceid = realInventory().deviceid) => {
    const { status, body } = await report({ ...CONTACT, deviceid });
    expect([status, body]).toMatchObject([200, { status: 'ok', expiration: '15m' }]);
    return (body as { readonly disabled: readonly string[] }).disabled;
  };
  const wait = (minutes: number) => moveTo(clock() + minutes * 60_000);

  test('asks for an inventory once a day, and disables the task in between', async () => {
    const reporter = await addReporter(service);
    expect(await tasksOf(reporter)).toStrictEqual(OTHER_TASKS);
    await reporter.report(full());
    const asked = [];
    for (let quarter = 1; quarter <= 4 * 50; quarter++) {
      wait(15);
      const isAsked = !(await tasksOf(reporter)).includes('inventory');
      if (!isAsked) continue;
      asked.push(quarter / 4);
      // Agents leave out what has not changed.
      expect((await reporter.report(partial())).status).toBe(200);
    }
    expect(asked).toStrictEqual([24, 48]);
  });

  test('updates when and from which address the device was seen, and nothing else', async () => {
    const reporter = await addReporter(service);
    await reporter.report(full(), { from: '203.0.113.7' });
    const details = async () => {
      const [device] = await devicesOf(service, reporter);
      return (await service.asUser(reporter.userId)('GET', `/api/v1/devices/${device?.id}`)).body as object;
    };
    const before = await details();
    wait(15);
    const contact = { ...CONTACT, deviceid: realInventory().deviceid };
    await reporter.report(contact, { from: '203.0.113.7' });
    const lastSeenAt = new Date(clock()).toISOString();
    expect(await details()).toStrictEqual({ ...before, lastSeenAt });
    await reporter.report(contact, { from: '198.51.100.4' });
    expect(await details()).toStrictEqual({ ...before, lastSeenAt, lastSeenIp: '198.51.100.4' });
  });

  test.each<[DeviceStatus, DeviceStatus]>([
    ['offline', 'online'],
    ['maintenance', 'maintenance'],
    ['decommissioned', 'decommissioned'],
  ])('of a device that is %s leaves it %s', async (before, after) => {
    const reporter = await addReporter(service);
    await reporter.report(full());
    const [device] = await devicesOf(service, reporter);
    const { orgId } = reporter;
    await loadFleet(service.composition.backend, [
      aDevice({ id: device?.id as DeviceId, orgId, status: before }),
    ]);
    wait(15);
    await tasksOf(reporter);
    expect(await devicesOf(service, reporter)).toMatchObject([
      { status: after, lastSeenAt: new Date(clock()).toISOString() },
    ]);
  });

  test('finds a device of its organization on any site', async () => {
    const tenant = await addReporter(service);
    const site = aSite({ orgId: tenant.orgId });
    await loadFleet(service.composition.backend, [site]);
    const onSite = await addReporter(service, { orgId: tenant.orgId, siteId: site.id });
    await onSite.report(full());
    wait(15);
    expect(await tasksOf(tenant)).toContain('inventory');
    expect(await devicesOf(service, tenant)).toMatchObject([
      { siteId: site.id, lastSeenAt: new Date(clock()).toISOString() },
    ]);
  });

  test('asks for an inventory if two clones share its deviceid, and marks neither as seen', async () => {
    const reporter = await addReporter(service);
    const clone = (serial: string) => {
      const { content, ...rest } = realInventory();
      return { ...rest, content: { ...content, bios: { ssn: serial } } };
    };
    await reporter.report(clone('SN-A1'));
    await reporter.report(clone('SN-B2'));
    const seen = new Set((await devicesOf(service, reporter)).map(({ lastSeenAt }) => lastSeenAt));
    wait(15);
    expect(await tasksOf(reporter)).toStrictEqual(OTHER_TASKS);
    const after = await devicesOf(service, reporter);
    expect(after).toHaveLength(2);
    for (const { lastSeenAt } of after) expect(seen).toContain(lastSeenAt);
  });
});

describe('a report', () => {
  test('creates and updates its device on the site of the key, and is audited the first time', async () => {
    const before = (await service.probe.auditEntries()).length;
    const tenant = await addReporter(service);
    const site = aSite({ orgId: tenant.orgId });
    await loadFleet(service.composition.backend, [site]);
    const onSite = await addReporter(service, { orgId: tenant.orgId, siteId: site.id });
    await onSite.report(full(), { headers: { 'X-Request-Id': 'first' } });
    const [device] = await devicesOf(service, tenant);
    expect(device).toMatchObject({ siteId: site.id });
    moveTo(clock() + 3_600_000);
    await onSite.report(full(), { headers: { 'X-Request-Id': 'second' } });
    expect(await devicesOf(service, tenant)).toStrictEqual([
      { ...device, lastSeenAt: new Date(clock()).toISOString() },
    ]);
    const entries = (await service.probe.auditEntries()).slice(before);
    expect(entries.filter(({ resourceType }) => resourceType === 'device')).toStrictEqual([
      {
        id: expect.any(String),
        at: clock() - 3_600_000,
        actor: { type: 'enrolment_key', id: onSite.keyId },
        orgId: tenant.orgId,
        partnerId: null,
        action: 'device.enrolled',
        result: 'success',
        resourceType: 'device',
        resourceId: device?.id,
        details: {},
        requestId: 'first',
        ip: null,
      },
    ]);
  });

  test('sets the address at which its device was last seen', async () => {
    const tenant = await addReporter(service);
    await tenant.report(full(), { from: '203.0.113.7' });
    await tenant.report(partial(), { from: '::ffff:198.51.100.4' });
    const [device] = await devicesOf(service, tenant);
    const { body } = await service.asUser(tenant.userId)('GET', `/api/v1/devices/${device?.id}`);
    expect(body).toMatchObject({ lastSeenIp: '198.51.100.4' });
  });

  test('that is partial updates what it carries', async () => {
    const reporter = await addReporter(service);
    await reporter.report(full());
    const [device] = await devicesOf(service, reporter);
    expect((await reporter.report(partial())).body).toStrictEqual({ status: 'ok' });
    const after = await service.asUser(reporter.userId)('GET', `/api/v1/devices/${device?.id}`);
    const { software } = realSoftware('computer_1_partial_softs');
    expect(after.body).toMatchObject({ hostname: 'glpixps' });
    expect(
      (after.body as { software: readonly { name: string }[] }).software.map(({ name }) => name),
    ).toEqual(expect.arrayContaining([...software]));
  });

  test('that is partial is refused for an unknown machine and stores nothing', async () => {
    const reporter = await addReporter(service);
    expect(await reporter.report(partial())).toMatchObject({
      status: 409,
      body: { status: 'error', message: expect.stringContaining('glpi-agent --full') },
    });
    expect(await devicesOf(service, reporter)).toStrictEqual([]);
  });

  test('with a software title of more than 1,024 characters exceeds a quota and stores nothing', async () => {
    const reporter = await addReporter(service);
    const document = realInventory();
    const inventory = {
      ...document,
      content: { ...document.content, softwares: [{ name: 'x'.repeat(1_025) }] },
    };
    const answer = await reporter.report(JSON.stringify(inventory));
    expect(answer).toMatchObject({
      status: 409,
      body: { status: 'error', message: expect.stringContaining('at most 1,024 characters') },
    });
    expect(await devicesOf(service, reporter)).toStrictEqual([]);
  });

  test('does not take a device out of maintenance', async () => {
    const reporter = await addReporter(service);
    const device = aDevice({ orgId: reporter.orgId, status: 'maintenance', lastSeenAt: SOME_INSTANT });
    const serialNumber = '640HP72';
    const hardware = { ...device.hardware, serialNumber };
    await loadFleet(service.composition.backend, [{ ...device, hardware }]);
    await reporter.report(full());
    expect(await devicesOf(service, reporter)).toMatchObject([
      { id: device.id, status: 'maintenance', lastSeenAt: new Date(clock()).toISOString() },
    ]);
  });

  test('of one machine to two organizations makes two devices', async () => {
    const [one, two] = [await addReporter(service), await addReporter(service)];
    await one.report(full());
    await two.report(full());
    const ids = [...(await devicesOf(service, one)), ...(await devicesOf(service, two))].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });
});

function realSoftware(name: string): { readonly software: readonly string[] } {
  const { softwares } = realInventory(name).content as { softwares: readonly { name: string }[] };
  return { software: softwares.map((each) => each.name) };
}

describe('the key', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['no credentials', {}],
    ['another scheme', { Authorization: 'Bearer x' }],
    ['invalid base64', { Authorization: 'Basic ???' }],
    ['no password', { Authorization: `Basic ${Buffer.from('any').toString('base64')}` }],
    ['an unknown key', { Authorization: basic(`fse_${'x'.repeat(43)}`) }],
    ['a key of another form', { Authorization: basic(`fsk_${'x'.repeat(43)}`) }],
  ])('is required, so a request with %s is refused', async (_, headers) => {
    for (const answer of [
      await send(service, full(), { headers }),
      await get(service, '?action=getConfig'),
    ]) {
      expect(answer).toMatchObject({
        status: 401,
        body: { status: 'error', message: expect.stringContaining('enrolment key') },
      });
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Fleetsift inventory"');
    }
  });

  test('is the password, with any user name', async () => {
    const { key } = await addReporter(service);
    for (const user of ['', 'any', 'dömäne\\jo']) {
      const headers = { Authorization: basic(key, user) };
      expect((await send(service, CONTACT, { headers })).status).toBe(200);
    }
    const headers = { Authorization: basic(key).replace('Basic', 'bAsIc ') };
    expect((await send(service, CONTACT, { headers })).status).toBe(200);
  });

  test('is valid until it expires', async () => {
    const reporter = await addReporter(service, { expiresAt: clock() + 1_000 });
    expect((await reporter.report(full())).status).toBe(200);
    moveTo(clock() + 1_000);
    expect((await reporter.report(CONTACT)).status).toBe(401);
  });

  test('is invalid as soon as it is revoked', async () => {
    const reporter = await addReporter(service);
    expect((await reporter.report(CONTACT)).status).toBe(200);
    const { backend } = service.composition;
    await backend.unitOfWork({ kind: 'system' }, (tx) => tx.enrolmentKeys.revoke(reporter.keyId, clock()));
    expect((await reporter.report(full())).status).toBe(401);
    expect(await devicesOf(service, reporter)).toStrictEqual([]);
  });
});
