/** What every fleet writer promises. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { FleetCounts, FleetFault } from '#application/ports/fleet-writer.ts';
import type { DeviceRecord, FleetRecord } from '#domain/fleet/fleet-record.ts';
import { ok, type Result } from '#domain/result.ts';
import {
  aCustomField,
  aDevice,
  aFilter,
  anAlert,
  anApiKey,
  anOrganization,
  aPartner,
  aScript,
  aSite,
  aUser,
  located,
  newId,
  ONLINE_CONDITIONS,
  orgScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and, findHostnames, type RawGroup } from '#test/support/filters.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import type { ContractBackend } from './contract-backend.ts';

/** A tenant with one of everything that belongs to an organization. */
interface Furnished extends Tenant {
  readonly site: Extract<FleetRecord, { kind: 'site' }>;
  readonly device: DeviceRecord;
  readonly records: readonly FleetRecord[];
}

const NO_RECORDS: FleetCounts = {
  partner: 0,
  organization: 0,
  site: 0,
  user: 0,
  apiKey: 0,
  customField: 0,
  device: 0,
  script: 0,
  alert: 0,
  filter: 0,
};

export function testFleetWriter(backend: () => ContractBackend): void {
  const write = (...records: readonly FleetRecord[]) => backend().fleetWriter(located(records));

  /** Where the faults are; of their words it is only promised that there are some. */
  const placesOf = (outcome: Result<FleetCounts, readonly FleetFault[]>) =>
    outcome.ok
      ? []
      : outcome.error
          .filter(({ message }) => message !== '')
          .map(({ line, member }) => `${line} ${member}`)
          .toSorted();

  const furnish = async (): Promise<Furnished> => {
    const tenant = await createTenant(backend());
    const { orgId, userId } = tenant;
    const site = aSite({ orgId });
    const device = aDevice({ orgId, siteId: site.id, hostname: 'desk' });
    const records = [
      site,
      device,
      aCustomField({ owner: { kind: 'organization', orgId }, key: 'seats' }),
      aScript({ owner: { kind: 'organization', orgId } }),
      anAlert({ orgId, deviceId: device.id }),
      aFilter({ orgId, createdBy: userId }),
    ];
    await loadFleet(backend(), records);
    return { ...tenant, site, device, records };
  };

  const hostnames = (tenant: Tenant, group: RawGroup) =>
    findHostnames(backend(), orgScope(tenant.orgId), group);
  const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');

  describe('FleetWriter', () => {
    test('puts records of every kind in and counts them', async () => {
      const partner = aPartner();
      const { id: orgId } = anOrganization({ partnerId: partner.id });
      const owner = { kind: 'organization', orgId } as const;
      const user = aUser({ membership: { scope: 'organization', orgId } });
      const device = aDevice({ orgId, hostname: 'desk' });
      const key = anApiKey({ userId: user.id });
      const filter = aFilter({ orgId, createdBy: user.id, name: 'Everything', description: 'as it says' });
      const outcome = await write(
        partner,
        anOrganization({ id: orgId, partnerId: partner.id }),
        aSite({ orgId }),
        user,
        key,
        aCustomField({ owner, key: 'a' }),
        aCustomField({ owner, key: 'b' }),
        device,
        aDevice({ orgId }),
        aDevice({ orgId }),
        aScript({ owner }),
        aScript({ owner: { kind: 'partner', partnerId: partner.id } }),
        anAlert({ orgId, deviceId: device.id }),
        filter,
      );
      expect(outcome).toStrictEqual(
        ok({
          partner: 1,
          organization: 1,
          site: 1,
          user: 1,
          apiKey: 1,
          customField: 2,
          device: 3,
          script: 2,
          alert: 1,
          filter: 1,
        }),
      );
      expect(await backend().organizationExists(orgId)).toBe(true);
      expect((await backend().principals.findUser(user.id))?.scope).toStrictEqual({
        kind: 'organization',
        orgId,
      });
      expect((await backend().principals.findApiKey(sha256(key.key)))?.grant.id).toBe(key.id);
      expect((await backend().customFields(orgScope(orgId))).map((field) => field.key)).toStrictEqual([
        'a',
        'b',
      ]);
      const [listed] = await backend().filters.list(orgScope(orgId));
      expect(listed).toStrictEqual({
        id: filter.id,
        orgId,
        name: 'Everything',
        description: 'as it says',
        conditionsJson: JSON.stringify(ONLINE_CONDITIONS),
        createdBy: user.id,
        createdAt: listed?.createdAt,
        updatedAt: listed?.createdAt,
        version: 1,
      });
    });

    test('takes a source with nothing in it', async () => {
      expect(await write()).toStrictEqual(ok(NO_RECORDS));
    });

    test('takes an asynchronous source', async () => {
      const partner = aPartner();
      const source = async function* () {
        yield* located([anOrganization({ partnerId: partner.id })]);
        await Promise.resolve();
        yield* located([partner]);
      };
      expect(await backend().fleetWriter(source())).toStrictEqual(
        ok({ ...NO_RECORDS, partner: 1, organization: 1 }),
      );
    });

    test('takes a record that refers to one that comes later, whatever their kinds', async () => {
      const partner = aPartner();
      const organization = anOrganization({ partnerId: partner.id });
      const orgId = organization.id;
      const user = aUser({ membership: { scope: 'partner', partnerId: partner.id, orgIds: [orgId] } });
      const site = aSite({ orgId });
      const device = aDevice({ orgId, siteId: site.id, hostname: 'desk', custom: new Map([['seats', 5]]) });
      const field = aCustomField({
        owner: { kind: 'partner', partnerId: partner.id },
        key: 'seats',
        type: 'number',
      });
      const outcome = await write(
        aFilter({
          orgId,
          createdBy: user.id,
          conditions: and({ field: 'custom.seats', operator: 'greaterThan', value: 1 }),
        }),
        anAlert({ orgId, deviceId: device.id }),
        aScript({ owner: { kind: 'organization', orgId } }),
        anApiKey({ userId: user.id, orgId }),
        device,
        field,
        user,
        site,
        organization,
        partner,
      );
      expect(placesOf(outcome)).toStrictEqual([]);
      const tenant = { partnerId: partner.id, orgId, orgIds: [orgId], userId: user.id };
      const found = and(
        { field: 'alerts.critical', operator: 'equals', value: true },
        { field: 'siteId', operator: 'equals', value: site.id },
        { field: 'custom.seats', operator: 'equals', value: 5 },
      );
      expect(await hostnames(tenant, found)).toStrictEqual(['desk']);
    });

    test('takes thousands of records and tells how far it has come', async () => {
      const { orgId } = await createTenant(backend());
      const source = function* () {
        for (let i = 0; i < 3000; i++) yield* located([aDevice({ orgId })]);
      };
      const told: number[] = [];
      const outcome = await backend().fleetWriter(source(), (records) => told.push(records));
      expect(outcome).toStrictEqual(ok({ ...NO_RECORDS, device: 3000 }));
      expect(told.at(-1)).toBe(3000);
      expect(told).toStrictEqual([...new Set(told)].toSorted((a, b) => a - b));
    });

    test('leaves things as they are when the same fleet is loaded again', async () => {
      const tenant = await furnish();
      const look = async () => ({
        filters: await backend().filters.list(orgScope(tenant.orgId)),
        fields: await backend().customFields(orgScope(tenant.orgId)),
        critical: await hostnames(tenant, and({ field: 'alerts.critical', operator: 'equals', value: true })),
        devices: await hostnames(tenant, and({ field: 'hostname', operator: 'isNotNull' })),
      });
      const before = await look();
      expect(placesOf(await write(...tenant.records))).toStrictEqual([]);
      expect(await look()).toStrictEqual(before);
      expect(before.devices).toStrictEqual(['desk']);
      expect(before.critical).toStrictEqual(['desk']);
    });

    test('changes what has the same id', async () => {
      const tenant = await furnish();
      const { orgId, userId } = tenant;
      const [before] = await backend().filters.list(orgScope(orgId));
      const field = aCustomField({ owner: { kind: 'organization', orgId }, key: 'seats_2', type: 'number' });
      await loadFleet(
        backend(),
        tenant.records.map((record): FleetRecord => {
          if (record.kind === 'filter')
            return { ...record, name: 'Renamed', conditions: and({ field: 'tags', operator: 'isEmpty' }) };
          if (record.kind === 'customField') return { ...field, id: record.id };
          if (record.kind === 'device') return { ...record, hostname: 'renamed' };
          return record;
        }),
      );
      const after = await backend().filters.list(orgScope(orgId));
      expect(after).toStrictEqual([
        {
          id: before?.id,
          orgId,
          name: 'Renamed',
          description: null,
          conditionsJson: JSON.stringify(and({ field: 'tags', operator: 'isEmpty' })),
          createdBy: userId,
          createdAt: before?.createdAt,
          updatedAt: after[0]?.updatedAt,
          version: 2,
        },
      ]);
      expect(after[0]?.updatedAt).toBeGreaterThan(before?.updatedAt ?? 0);
      expect(
        (await backend().customFields(orgScope(orgId))).map(({ key, type }) => [key, type]),
      ).toStrictEqual([['seats_2', 'number']]);
      expect(await hostnames(tenant, and({ field: 'hostname', operator: 'isNotNull' }))).toStrictEqual([
        'renamed',
      ]);
    });

    test('replaces a device with all that is its own, and leaves its alerts', async () => {
      const tenant = await createTenant(backend());
      const { orgId } = tenant;
      const site = aSite({ orgId });
      const device = aDevice({
        orgId,
        siteId: site.id,
        hostname: 'desk',
        displayName: 'Desk',
        osType: 'linux',
        tags: ['vpn'],
        isHeadless: true,
        uptimeSeconds: 5,
        rebootRequired: true,
        hardware: { ...aDevice({ orgId }).hardware, model: 'OptiPlex' },
        metrics: { cpuPercent: 1, ramPercent: 2, diskPercent: 3 },
        network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: 'AA:BB' }],
        software: [{ name: 'Zoom', version: '1' }],
        patches: [{ id: null, title: 'KB1', status: 'pending' }],
        custom: new Map([['note', 'kept']]),
      });
      const field = aCustomField({ owner: { kind: 'organization', orgId }, key: 'note' });
      const isThere = (key: string) => and({ field: key, operator: 'isNotNull' });
      const is = (key: string, value: unknown) => and({ field: key, operator: 'equals', value });
      const traces: readonly RawGroup[] = [
        and({ field: 'siteId', operator: 'equals', value: site.id }),
        ...['displayName', 'isHeadless', 'uptimeSeconds', 'hardware.model'].map(isThere),
        ...['metrics.cpuPercent', 'network.ipAddress', 'network.macAddress', 'custom.note'].map(isThere),
        is('osType', 'linux'),
        is('system.rebootRequired', true),
        is('patches.pending', true),
        is('software.installed', 'zoom'),
        and({ field: 'tags', operator: 'isNotEmpty' }),
      ];
      const countTraces = async () =>
        (await Promise.all(traces.map((trace) => hostnames(tenant, trace)))).filter(
          (found) => found.length > 0,
        ).length;
      await loadFleet(backend(), [site, field, device, anAlert({ orgId, deviceId: device.id })]);
      expect(await countTraces()).toBe(traces.length);
      await loadFleet(backend(), [aDevice({ orgId, id: device.id, hostname: 'desk' })]);
      expect(await countTraces()).toBe(0);
      expect(await hostnames(tenant, is('alerts.critical', true))).toStrictEqual(['desk']);
    });

    test('is not touched by what is done to a record afterwards', async () => {
      const tenant = await createTenant(backend());
      const tags = ['vpn'];
      const custom = new Map([['note', 'kept']]);
      const hardware = { ...aDevice(tenant).hardware };
      const device = aDevice({ orgId: tenant.orgId, hostname: 'desk', tags, custom, hardware });
      const field = aCustomField({ owner: { kind: 'organization', orgId: tenant.orgId }, key: 'note' });
      await loadFleet(backend(), [field, device]);
      tags.push('changed');
      custom.set('note', 'changed');
      hardware.model = 'changed';
      const changed = ['custom.note', 'hardware.model'].map((key) =>
        hostnames(tenant, and({ field: key, operator: 'equals', value: 'changed' })),
      );
      const tagged = hostnames(tenant, and({ field: 'tags', operator: 'contains', value: 'changed' }));
      expect(await Promise.all([...changed, tagged])).toStrictEqual([[], [], []]);
    });
  });

  describe('FleetWriter, faults', () => {
    /** The records after a good one, on lines 2 and up, and the places of the faults in them. */
    type Case = readonly [
      string,
      (own: Furnished, other: Furnished) => readonly FleetRecord[],
      readonly string[],
    ];

    const cases: readonly Case[] = [
      [
        'an organization of an unknown partner',
        () => [anOrganization({ partnerId: newId() })],
        ['2 organization.partnerId'],
      ],
      ['a site of an unknown organization', () => [aSite({ orgId: newId() })], ['2 site.orgId']],
      [
        'a user of an unknown organization',
        () => [aUser({ membership: { scope: 'organization', orgId: newId() } })],
        ['2 user.orgId'],
      ],
      [
        'a user of an unknown partner',
        () => [aUser({ membership: { scope: 'partner', partnerId: newId(), orgIds: null } })],
        ['2 user.partnerId'],
      ],
      [
        'a user whose subset has unknown organizations',
        ({ partnerId, orgId }) => [
          aUser({ membership: { scope: 'partner', partnerId, orgIds: [newId(), orgId, newId()] } }),
        ],
        ['2 user.orgIds[0]', '2 user.orgIds[2]'],
      ],
      [
        "a user whose subset has another partner's organization",
        ({ partnerId, orgId }, other) => [
          aUser({ membership: { scope: 'partner', partnerId, orgIds: [orgId, other.orgId] } }),
        ],
        ['2 user.orgIds[1]'],
      ],
      ['an API key of an unknown user', () => [anApiKey({ userId: newId() })], ['2 apiKey.userId']],
      [
        'an API key for an unknown organization',
        ({ userId }) => [anApiKey({ userId, orgId: newId() })],
        ['2 apiKey.orgId'],
      ],
      [
        'a custom field of an unknown organization',
        () => [aCustomField({ owner: { kind: 'organization', orgId: newId() }, key: 'a' })],
        ['2 customField.orgId'],
      ],
      [
        'a custom field of an unknown partner',
        () => [aCustomField({ owner: { kind: 'partner', partnerId: newId() }, key: 'a' })],
        ['2 customField.partnerId'],
      ],
      ['a device of an unknown organization', () => [aDevice({ orgId: newId() })], ['2 device.orgId']],
      [
        'a device at an unknown site',
        ({ orgId }) => [aDevice({ orgId, siteId: newId() })],
        ['2 device.siteId'],
      ],
      [
        "a device at another organization's site",
        ({ orgId }, other) => [aDevice({ orgId, siteId: other.site.id })],
        ['2 device.siteId'],
      ],
      [
        'a script of an unknown organization',
        () => [aScript({ owner: { kind: 'organization', orgId: newId() } })],
        ['2 script.orgId'],
      ],
      [
        'a script of an unknown partner',
        () => [aScript({ owner: { kind: 'partner', partnerId: newId() } })],
        ['2 script.partnerId'],
      ],
      ['an alert of an unknown organization', () => [anAlert({ orgId: newId() })], ['2 alert.orgId']],
      [
        'an alert about an unknown device',
        ({ orgId }) => [anAlert({ orgId, deviceId: newId() })],
        ['2 alert.deviceId'],
      ],
      [
        "an alert about another organization's device",
        ({ orgId }, other) => [anAlert({ orgId, deviceId: other.device.id })],
        ['2 alert.deviceId'],
      ],
      [
        'a filter of an unknown organization',
        ({ userId }) => [aFilter({ orgId: newId(), createdBy: userId })],
        ['2 filter.orgId'],
      ],
      [
        'a filter by an unknown user',
        ({ orgId }) => [aFilter({ orgId, createdBy: newId() })],
        ['2 filter.createdBy'],
      ],
      [
        'every fault of a filter',
        ({ orgId, userId }) => [
          aFilter({
            orgId,
            createdBy: userId,
            conditions: and(
              { field: 'hostnam', operator: 'equals', value: 'x' },
              { field: 'status', operator: 'contains', value: 'on' },
              { field: 'hostname', operator: 'matches', value: 'a(' },
            ),
          }),
        ],
        ['2 filter.conditions.conditions[0].field', '2 filter.conditions.conditions[1].operator'],
      ],
      [
        'a filter with a regular expression that is refused',
        ({ orgId, userId }) => [
          aFilter({
            orgId,
            createdBy: userId,
            conditions: and({ field: 'hostname', operator: 'matches', value: 'a(' }),
          }),
        ],
        ['2 filter.conditions.conditions[0].value'],
      ],
      [
        "a filter on another organization's custom field",
        ({ orgId, userId }, other) => [
          aCustomField({ owner: { kind: 'organization', orgId: other.orgId }, key: 'theirs' }),
          aFilter({
            orgId,
            createdBy: userId,
            conditions: and({ field: 'custom.theirs', operator: 'isNull' }),
          }),
        ],
        ['3 filter.conditions.conditions[0].field'],
      ],
      [
        'a filter on a custom field that the same fleet changes',
        ({ orgId, userId, records }) => [
          ...records
            .filter(({ kind }) => kind === 'customField')
            .map((field) => ({ ...field, type: 'boolean' }) as FleetRecord),
          aFilter({
            orgId,
            createdBy: userId,
            conditions: and({ field: 'custom.seats', operator: 'contains', value: 'x' }),
          }),
        ],
        ['3 filter.conditions.conditions[0].operator'],
      ],
      [
        'two records with one id',
        ({ orgId }) => {
          const device = aDevice({ orgId });
          return [device, aDevice({ orgId }), { ...device }];
        },
        ['4 device.id'],
      ],
      [
        'two users with one email, in whatever case',
        () => {
          const user = aUser();
          return [user, aUser({ email: user.email.toUpperCase() })];
        },
        ['3 user.email'],
      ],
      [
        'two API keys that are the same',
        ({ userId }) => {
          const key = anApiKey({ userId });
          return [key, anApiKey({ userId, key: key.key })];
        },
        ['3 apiKey.key'],
      ],
      [
        'a second custom field of one owner with one key',
        ({ orgId }) => [aCustomField({ owner: { kind: 'organization', orgId }, key: 'seats' })],
        ['2 customField.key'],
      ],
      [
        'two patches with one id, of one device or of two',
        ({ orgId }) => {
          const patch = { id: newId<'patch'>(), title: 'KB1', status: 'pending' } as const;
          return [aDevice({ orgId, patches: [patch, { ...patch }] }), aDevice({ orgId, patches: [patch] })];
        },
        ['2 device.patches[1].id', '3 device.patches[0].id'],
      ],
      [
        "another organization's site",
        ({ orgId }, other) => [aSite({ id: other.site.id, orgId })],
        ['2 site.id'],
      ],
      [
        "another organization's device",
        ({ orgId }, other) => [aDevice({ id: other.device.id, orgId })],
        ['2 device.id'],
      ],
      [
        "another organization's alert, script, filter and custom field",
        ({ orgId, userId }, other) =>
          other.records.flatMap((record): readonly FleetRecord[] => {
            const owner = { kind: 'organization', orgId } as const;
            if (record.kind === 'alert') return [anAlert({ id: record.id, orgId })];
            if (record.kind === 'script') return [aScript({ id: record.id, owner })];
            if (record.kind === 'filter') return [aFilter({ id: record.id, orgId, createdBy: userId })];
            if (record.kind === 'customField') return [aCustomField({ id: record.id, owner, key: 'other' })];
            return [];
          }),
        ['2 customField.id', '3 script.id', '4 alert.id', '5 filter.id'],
      ],
      [
        'a script that goes from an organization to its partner',
        ({ partnerId, records }) =>
          records
            .filter(({ kind }) => kind === 'script')
            .map(({ id }) => aScript({ id: id as never, owner: { kind: 'partner', partnerId } })),
        ['2 script.id'],
      ],
      [
        'one fault in each of several records',
        ({ orgId }) => [aDevice({ orgId: newId() }), aDevice({ orgId }), anAlert({ orgId: newId() })],
        ['2 device.orgId', '4 alert.orgId'],
      ],
    ];

    test.each(cases)('names %s by line and member, and writes nothing', async (_what, recordsOf, places) => {
      const [own, other] = [await furnish(), await furnish()];
      const good = anOrganization({ partnerId: own.partnerId });
      const outcome = await write(good, ...recordsOf(own, other));
      expect(placesOf(outcome)).toStrictEqual(places);
      expect(await backend().organizationExists(good.id)).toBe(false);
    });

    test("names another device's patch and another user's API key that are there already", async () => {
      const own = await furnish();
      const { orgId, userId } = own;
      const patch = { id: newId<'patch'>(), title: 'KB1', status: 'pending' } as const;
      const user = aUser();
      const key = anApiKey({ userId: user.id });
      await loadFleet(backend(), [aDevice({ orgId, patches: [patch] }), user, key]);
      const outcome = await write(aDevice({ orgId, patches: [patch] }), anApiKey({ id: key.id, userId }));
      expect(placesOf(outcome)).toStrictEqual(['1 device.patches[0].id', '2 apiKey.id']);
    });

    test('takes a patch and an API key again that are there already', async () => {
      const { orgId } = await createTenant(backend());
      const patch = { id: newId<'patch'>(), title: 'KB1', status: 'pending' } as const;
      const device = aDevice({ orgId, patches: [patch] });
      const user = aUser();
      const key = anApiKey({ userId: user.id });
      await loadFleet(backend(), [device, user, key]);
      expect(placesOf(await write(device, user, key))).toStrictEqual([]);
    });

    test('names the email of a user who is there already', async () => {
      const user = aUser();
      await loadFleet(backend(), [user]);
      expect(placesOf(await write(aUser({ email: user.email.toUpperCase() })))).toStrictEqual([
        '1 user.email',
      ]);
    });

    test('lets two users swap their emails', async () => {
      const [one, two] = [aUser(), aUser()];
      await loadFleet(backend(), [one, two]);
      expect(placesOf(await write({ ...one, email: two.email }, { ...two, email: one.email }))).toStrictEqual(
        [],
      );
      expect(await backend().accounts.findUserByEmail(one.email)).toBe(two.id);
      expect(await backend().accounts.findUserByEmail(two.email)).toBe(one.id);
    });

    test('lets one of two users with one email in when both come at once', async () => {
      const user = aUser();
      const outcomes = await Promise.all([write(user), write(aUser({ email: user.email }))]);
      expect(outcomes.map(placesOf).toSorted((a, b) => a.length - b.length)).toStrictEqual([
        [],
        ['1 user.email'],
      ]);
    });

    test('puts two fleets that come at once in, both of them', async () => {
      const tenant = await createTenant(backend());
      const fleets = ['a', 'b'].map((name) =>
        [1, 2, 3].map((i) => aDevice({ orgId: tenant.orgId, hostname: `${name}${i}` })),
      );
      await Promise.all(fleets.map((devices) => loadFleet(backend(), devices)));
      expect(await hostnames(tenant, and({ field: 'hostname', operator: 'isNotNull' }))).toStrictEqual([
        'a1',
        'a2',
        'a3',
        'b1',
        'b2',
        'b3',
      ]);
    });

    test('names a place by the line and member that it was given', async () => {
      const record = aDevice({ orgId: newId() });
      const outcome = await backend().fleetWriter([{ record, line: 4711, member: 'devices[12]' }]);
      expect(placesOf(outcome)).toStrictEqual(['4711 devices[12].orgId']);
    });

    test('names a hundred faults at most', async () => {
      const outcome = await write(...Array.from({ length: 150 }, () => aDevice({ orgId: newId() })));
      expect(placesOf(outcome)).toHaveLength(100);
    });

    test('changes nothing of what was there', async () => {
      const tenant = await furnish();
      const [before] = await backend().filters.list(orgScope(tenant.orgId));
      const outcome = await write(
        { ...tenant.device, hostname: 'renamed' },
        ...tenant.records
          .filter((record) => record.kind === 'filter')
          .map((record) => ({ ...record, name: 'Renamed' })),
        aDevice({ orgId: newId() }),
      );
      expect(placesOf(outcome)).toStrictEqual(['3 device.orgId']);
      expect(await hostnames(tenant, and({ field: 'hostname', operator: 'isNotNull' }))).toStrictEqual([
        'desk',
      ]);
      expect(await backend().filters.list(SYSTEM_SCOPE)).toContainEqual(before);
    });

    test('rethrows what the source throws, and writes nothing', async () => {
      const { partnerId } = await createTenant(backend());
      const good = anOrganization({ partnerId });
      const failure = new Error('the file ended in the middle');
      const source = async function* () {
        yield* located([good]);
        throw failure;
      };
      await expect(backend().fleetWriter(source())).rejects.toBe(failure);
      expect(await backend().organizationExists(good.id)).toBe(false);
    });

    test('takes the next fleet after one that was refused', async () => {
      const { partnerId } = await createTenant(backend());
      const good = anOrganization({ partnerId });
      await write(aDevice({ orgId: newId() }));
      expect(placesOf(await write(good))).toStrictEqual([]);
      expect(await backend().organizationExists(good.id)).toBe(true);
    });
  });
}
