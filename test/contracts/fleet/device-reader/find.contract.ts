/** What every device reader promises of one device: all that belongs to it, in order, and nothing else. */
import type { CustomValue } from '#domain/device/device.ts';
import { MAX_LISTED } from '#domain/device/device-row.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aDevice,
  anAlert,
  aSite,
  newId,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { deviceOf } from './ask-reader.ts';

export function testReaderFind(backend: () => ContractBackend): void {
  describe('DeviceReader.find', () => {
    test('gives the device with all that belongs to it', async () => {
      const { orgId } = await createTenant(backend());
      const site = aSite({ orgId, name: 'Dock 7' });
      const custom = new Map<string, CustomValue>([
        ['note', 'Ω "quoted"'],
        ['deep', { list: [1, { a: null }], other: 0.1 }],
        ['none', null],
      ]);
      const device = aDevice({
        orgId,
        siteId: site.id,
        hostname: 'Srv-1',
        displayName: 'Büro 🖨',
        status: 'quarantined',
        osType: 'macos',
        osVersion: '15.1',
        osBuild: '24B83',
        architecture: 'arm64',
        agentVersion: '1.2',
        enrolledAt: SOME_INSTANT,
        lastSeenAt: SOME_INSTANT + 1,
        lastSeenIp: '192.0.2.1',
        tags: ['b', 'a', 'b'],
        deviceRole: 'nas',
        lastUser: 'sam',
        isHeadless: false,
        uptimeSeconds: 1.5,
        watchdogStatus: 'failover',
        quarantinedAt: SOME_INSTANT + 2,
        rebootRequired: true,
        hardware: {
          manufacturer: 'Maker',
          model: 'M',
          serialNumber: 'S',
          cpuModel: 'C',
          gpuModel: 'G',
          cpuCores: 8,
          ramTotalMb: 16_384,
          diskTotalGb: 512.5,
        },
        metrics: { cpuPercent: 1, ramPercent: 2, diskPercent: 3.25 },
        network: [
          { ipAddress: '10.0.0.2', publicIp: null, macAddress: 'b' },
          { ipAddress: '10.0.0.1', publicIp: '192.0.2.9', macAddress: null },
        ],
        volumes: [
          { name: '/', filesystem: 'ext4', totalGb: 10.5, freeGb: 0 },
          { name: '/a', filesystem: null, totalGb: null, freeGb: null },
        ],
        software: [
          { name: 'zoo', version: '1' },
          { name: 'Zip', version: null },
          { name: '🖨', version: '3' },
          { name: '～', version: '4' },
          { name: 'zoo', version: '10' },
          { name: 'zoo', version: '2' },
          { name: 'zoo', version: null },
          { name: 'zoo', version: 'n/a' },
          { name: 'zoo', version: '2' },
          { name: 'zoo', version: '2.0' },
        ],
        patches: [
          { id: null, title: 'b', status: 'failed' },
          { id: null, title: 'b', status: 'pending' },
          { id: null, title: 'B', status: 'installed' },
        ],
        custom,
      });
      const alert = (given: Partial<Parameters<typeof anAlert>[0]>) =>
        anAlert({ orgId, deviceId: device.id, ...given });
      const [second, first, third] = [
        alert({ severity: 'high', title: 'Hot', message: 'Very', createdAt: SOME_INSTANT }),
        alert({ createdAt: SOME_INSTANT + 7 }),
        alert({ severity: 'high', createdAt: SOME_INSTANT - 1 }),
      ];
      const others = [alert({ status: 'resolved' }), alert({ status: 'acknowledged' }), anAlert({ orgId })];
      await loadFleet(backend(), [site, device, third, second, first, ...others]);
      const shown = ({ id, title, message, severity, status, createdAt }: typeof first) => ({
        id,
        title,
        message,
        severity,
        status,
        createdAt,
      });
      expect(await backend().deviceReader.find(orgScope(orgId), device.id)).toStrictEqual({
        device: {
          ...deviceOf(device),
          software: [
            { name: 'Zip', version: null },
            ...['n/a', '1', '2', '2.0', '10'].map((version) => ({ name: 'zoo', version })),
            { name: '～', version: '4' },
            { name: '🖨', version: '3' },
          ],
          patches: [
            { title: 'B', status: 'installed' },
            { title: 'b', status: 'pending' },
            { title: 'b', status: 'failed' },
          ],
          criticalAlertCount: 1,
        },
        organization: { id: orgId, name: `Contoso ${orgId}` },
        site: { id: site.id, name: 'Dock 7' },
        alerts: [shown(first), shown(second), shown(third)],
        totals: { network: 2, volumes: 2, software: 8, patches: 3, alerts: 3 },
      });
    });

    test('gives a device that never reported anything', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId });
      await loadFleet(backend(), [device]);
      expect(await backend().deviceReader.find(SYSTEM_SCOPE, device.id)).toStrictEqual({
        device: deviceOf(device),
        organization: { id: orgId, name: `Contoso ${orgId}` },
        site: null,
        alerts: [],
        totals: { network: 0, volumes: 0, software: 0, patches: 0, alerts: 0 },
      });
    });

    test('gives the first thousand of each list, and how many there are', async () => {
      const { orgId } = await createTenant(backend());
      const each = <T>(make: (n: string) => T) =>
        Array.from({ length: MAX_LISTED + 2 }, (_, n) => make(String(n).padStart(5, '0')));
      const device = aDevice({
        orgId,
        network: each((n) => ({ ipAddress: n, publicIp: null, macAddress: null })),
        volumes: each((name) => ({ name, filesystem: null, totalGb: null, freeGb: null })),
        software: each((name) => ({ name, version: null })),
        patches: each((title) => ({ id: null, title, status: 'failed' })),
      });
      const alerts = each((title) => anAlert({ orgId, deviceId: device.id, title }));
      await loadFleet(backend(), [device, ...alerts]);
      const found = await backend().deviceReader.find(orgScope(orgId), device.id);
      const { network, volumes, software, patches } = found?.device ?? device;
      const first = each((n) => n).slice(0, MAX_LISTED);
      expect(network.map(({ ipAddress }) => ipAddress)).toStrictEqual(first);
      expect(volumes.map(({ name }) => name)).toStrictEqual(first);
      expect(software.map(({ name }) => name)).toStrictEqual(first);
      expect(patches?.map(({ title }) => title)).toStrictEqual(first);
      expect(found?.alerts).toHaveLength(MAX_LISTED);
      const count = MAX_LISTED + 2;
      expect(found?.totals).toStrictEqual({
        network: count,
        volumes: count,
        software: count,
        patches: count,
        alerts: count,
      });
    });

    test('gives a copy of the device', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, tags: ['kept'], custom: new Map([['list', ['kept']]]) });
      await loadFleet(backend(), [device]);
      const find = () => backend().deviceReader.find(orgScope(orgId), device.id);
      const { tags, custom } = (await find())?.device ?? deviceOf(device);
      (tags as string[]).push('added');
      (custom.get('list') as string[]).push('added');
      expect((await find())?.device).toStrictEqual(deviceOf(device));
    });

    test('finds nothing for an id that no device has', async () => {
      expect(await backend().deviceReader.find(SYSTEM_SCOPE, newId())).toBe(null);
    });
  });
}
