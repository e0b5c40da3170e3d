/** What every exporter promises of rows: which devices, in which order, with which values. */
import fc from 'fast-check';
import { loadCatalog } from '#application/filters/check-conditions.ts';
import { type AccessScope, canReach, reachableOrgIds } from '#domain/access/access-scope.ts';
import { NO_HARDWARE } from '#domain/device/device.ts';
import { comparePreviewOrder } from '#domain/device/device-row.ts';
import {
  columnReader,
  type ExportValue,
  fieldColumn,
  OWN_COLUMN_KEYS,
  ownColumn,
} from '#domain/export/export-column.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { ONLINE } from '#test/contracts/filters/device-matcher/ask-matcher.ts';
import { beforeAll, describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aCustomField,
  aDevice,
  anAlert,
  anOrganization,
  aPartner,
  aSite,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
} from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { type RandomWorld, randomWorld } from '#test/support/random/random-worlds.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { makeExporterQuestions } from './ask-exporter.ts';

/** Any seed; no other suite uses the ids of its world. */
const SEED = 20_261_122;

export function testExporterRows(backend: () => ContractBackend): void {
  const { requestFor, collect, collectFirst } = makeExporterQuestions(backend);

  describe('DeviceExporter and the rows of a device', () => {
    test('gives every field of the device', async () => {
      const partner = aPartner();
      const organization = anOrganization({ partnerId: partner.id, name: 'Contoso "Süd"' });
      const orgId = organization.id;
      const site = aSite({ orgId, name: 'Haus, 1' });
      const device = aDevice({
        orgId,
        siteId: site.id,
        hostname: 'Srv-1',
        displayName: 'a,"b" (c)\\\\d\n',
        lastUser: '',
        tags: ['vip', 'a "b"\\', '', '{x}'],
        uptimeSeconds: 1e21,
        isHeadless: false,
        lastSeenAt: SOME_INSTANT + 123,
        hardware: { ...NO_HARDWARE, model: ' ', ramTotalMb: 0.1 },
        network: [
          { ipAddress: '10.0.0.2', publicIp: null, macAddress: 'AA' },
          { ipAddress: null, publicIp: null, macAddress: 'BB' },
          { ipAddress: '10.0.0.1', publicIp: null, macAddress: 'CC' },
        ],
        software: [
          { name: 'zoom', version: null },
          { name: '🖨 tool', version: '2' },
          { name: '～tool', version: '1' },
          { name: 'Chrome', version: '1' },
        ],
        patches: [{ id: newId(), title: 'KB1', status: 'pending' }],
        custom: new Map<string, string | number>([
          ['rack', 'R7'],
          ['due', '2026-03-01'],
          ['stray', 5],
        ]),
      });
      const define = (key: string, type: 'text' | 'date' | 'number') =>
        aCustomField({ owner: { kind: 'organization', orgId }, key, type });
      await loadFleet(backend(), [
        ...[partner, organization, site, device, anAlert({ orgId, deviceId: device.id })],
        ...[define('rack', 'text'), define('due', 'date'), define('none', 'number')],
      ]);
      const expected = {
        id: device.id,
        organization: 'Contoso "Süd"',
        site: 'Haus, 1',
        siteId: site.id,
        hostname: 'Srv-1',
        displayName: 'a,"b" (c)\\\\d\n',
        lastUser: '',
        osType: null,
        tags: ['vip', 'a "b"\\', '', '{x}'],
        'tags.name': ['vip', 'a "b"\\', '', '{x}'],
        uptimeSeconds: 1e21,
        isHeadless: false,
        lastSeenAt: SOME_INSTANT + 123,
        daysSinceLastSeen: SOME_INSTANT + 123,
        daysSinceEnrolled: null,
        'hardware.model': ' ',
        'hardware.ramTotalMb': 0.1,
        'network.ipAddress': ['10.0.0.2', '10.0.0.1'],
        'network.publicIp': [],
        'network.macAddress': ['AA', 'BB', 'CC'],
        'software.installed': ['Chrome', 'zoom', '～tool', '🖨 tool'],
        'patches.pending': true,
        'alerts.critical': true,
        'system.rebootRequired': false,
        'custom.rack': 'R7',
        'custom.due': Date.UTC(2026, 2, 1),
        'custom.none': null,
      };
      const fields = Object.keys(expected);
      const rows = await collect(await requestFor(orgScope(orgId), fields));
      expect(rows.map((row) => Object.fromEntries(fields.map((key, i) => [key, row[i]])))).toStrictEqual([
        expected,
      ]);
    });

    test('gives a single column, whatever its values', async () => {
      const { orgId } = await createTenant(backend());
      const names = [null, '', ' ', '"', ',', '()', '\\', 'a'];
      await loadFleet(
        backend(),
        names.map((displayName) => aDevice({ orgId, displayName })),
      );
      expect(await collectFirst(await requestFor(orgScope(orgId), ['displayName']))).toStrictEqual(names);
    });

    test('gives the columns in the order of each request', async () => {
      const { orgId } = await createTenant(backend());
      await loadFleet(backend(), [aDevice({ orgId, hostname: 'a', lastUser: 'b' })]);
      const scope = orgScope(orgId);
      expect(await collect(await requestFor(scope, ['lastUser', 'orgId', 'hostname']))).toStrictEqual([
        ['b', orgId, 'a'],
      ]);
      expect(await collect(await requestFor(scope, ['hostname', 'lastUser']))).toStrictEqual([['a', 'b']]);
    });

    test('is not affected by changes to rows that were given', async () => {
      const { orgId } = await createTenant(backend());
      await loadFleet(backend(), [aDevice({ orgId, tags: ['a'] })]);
      const request = await requestFor(orgScope(orgId), ['tags', 'software.installed', 'network.ipAddress']);
      for (const list of (await collect(request)).flat()) (list as string[]).push('changed');
      expect(await collect(request)).toStrictEqual([[['a'], [], []]]);
    });
  });

  describe('DeviceExporter and all the rows', () => {
    let world: RandomWorld;

    beforeAll(async () => {
      [world] = fc.sample(randomWorld(250), { seed: SEED, numRuns: 1 }) as [RandomWorld];
      await loadFleet(backend(), world.records);
    });

    test('gives what the evaluator reads, for every field and scope, in the order of a preview', async () => {
      const names = new Map(
        world.records.flatMap((record) =>
          record.kind === 'organization' || record.kind === 'site'
            ? [[record.id as string, record.name]]
            : [],
        ),
      );
      for (const scope of world.scopes.filter((each) => reachableOrgIds(each) !== null)) {
        const catalog = await loadCatalog(backend().customFields, scope);
        const columns = [
          ...OWN_COLUMN_KEYS.map(ownColumn),
          ...[...catalog.values()].flatMap((entry) =>
            entry.kind === 'field' ? (fieldColumn(entry.field) ?? []) : [],
          ),
        ];
        const readers = columns.map((column) =>
          columnReader(column, {
            organization: (id) => names.get(id) ?? null,
            site: (id) => names.get(id) ?? null,
          }),
        );
        const expected = world.devices
          .filter(({ orgId }) => canReach(scope, orgId))
          .toSorted(comparePreviewOrder)
          .map((device) => readers.map((read) => unsigned(read(device))));
        const fields = columns.map(({ key }) => key);
        const rows = await collect(await requestFor(scope, fields));
        expect(rows.map((row) => row.map(unsigned))).toStrictEqual(expected);
      }
    });

    test('gives the matching devices in the order of a preview, whatever the filter reads', async () => {
      const filters = [
        ONLINE,
        and({ field: 'hostname', operator: 'contains', value: 'a' }),
        and({ field: 'software.installed', operator: 'contains', value: 'o' }),
        and({ field: 'software.notInstalled', operator: 'contains', value: 'o' }),
        and({ field: 'hardware.cpuCores', operator: 'greaterThan', value: 2 }),
        and({ field: 'network.ipAddress', operator: 'startsWith', value: '1' }),
        and({ field: 'lastSeenAt', operator: 'withinLast', value: { amount: 30, unit: 'days' } }),
      ];
      const seen = new Set<number>();
      for (const scope of world.scopes.filter((each) => reachableOrgIds(each) !== null)) {
        for (const group of filters) {
          const request = await requestFor(
            scope,
            ['id', 'hardware.model', 'software.installed', 'site'],
            group,
          );
          const found = await backend().matcher.preview(request, 100);
          if (!found.ok) throw new Error(found.error.kind);
          const { totalCount, devices } = found.value;
          const ids = await collectFirst(request);
          expect([ids.length, ids.slice(0, 100)]).toStrictEqual([totalCount, devices.map(({ id }) => id)]);
          seen.add(totalCount);
        }
      }
      // The numbers of matches differ enough to mean something.
      expect(seen.size).toBeGreaterThan(10);
    });
  });

  describe('DeviceExporter and tenants', () => {
    test('gives nothing of an organization out of reach, in any scope', async () => {
      const tenant = await createTenant(backend(), 3);
      const stranger = await createTenant(backend());
      const [one, two, three] = tenant.orgIds as [
        typeof tenant.orgId,
        typeof tenant.orgId,
        typeof tenant.orgId,
      ];
      await loadFleet(
        backend(),
        [...tenant.orgIds, stranger.orgId].map((orgId) => aDevice({ orgId, hostname: 'twin' })),
      );
      const all = and({ field: 'orgId', operator: 'in', value: [...tenant.orgIds, stranger.orgId] });
      const orgIdsFor = async (scope: AccessScope) =>
        collectFirst(await requestFor(scope, ['orgId', 'organization', 'hardware.model', 'site'], all));
      expect(await orgIdsFor(orgScope(two))).toStrictEqual([two]);
      expect(await orgIdsFor(partnerScope(tenant.partnerId, [one, three]))).toStrictEqual([one, three]);
      expect(await orgIdsFor(partnerScope(tenant.partnerId, []))).toStrictEqual([]);
      expect(await orgIdsFor(orgScope(newId()))).toStrictEqual([]);
      expect(await orgIdsFor({ kind: 'none' })).toStrictEqual([]);
      expect(await orgIdsFor({ kind: 'system' })).toStrictEqual([one, two, three, stranger.orgId]);
    });

    test('reads custom values as the organization of each device defines them', async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [typeof tenant.orgId, typeof tenant.orgId];
      const dropdown = (orgId: typeof tenant.orgId, choice: string) =>
        aCustomField({
          owner: { kind: 'organization', orgId },
          key: 'tier',
          type: 'dropdown',
          choices: [choice],
        });
      const device = (orgId: typeof tenant.orgId, tier: string) =>
        aDevice({ orgId, hostname: tier, custom: new Map([['tier', tier]]) });
      await loadFleet(backend(), [
        ...[dropdown(one, 'gold'), dropdown(two, 'lead')],
        ...[device(one, 'gold'), device(one, 'lead'), device(two, 'gold'), device(two, 'lead')],
      ]);
      const scope = partnerScope(tenant.partnerId, [one, two]);
      expect(await collect(await requestFor(scope, ['hostname', 'custom.tier']))).toStrictEqual([
        ['gold', 'gold'],
        ['gold', null],
        ['lead', null],
        ['lead', 'lead'],
      ]);
    });
  });
}

/** Negative zero is printed like zero, and PostgreSQL keeps it in some columns only. */
function unsigned(value: ExportValue): ExportValue {
  return value === 0 ? 0 : value;
}
