/** What every fleet writer promises of a device that is loaded again. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aCustomField, aDevice, anAlert, aSite } from '#test/support/builders.ts';
import { and, type RawGroup } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { makeFleetQuestions } from './write-fleet.ts';

export function testReplacedDevice(backend: () => ContractBackend): void {
  const { hostnames } = makeFleetQuestions(backend);

  describe('FleetWriter, a device that comes again', () => {
    test('replaces all its details, and keeps its alerts', async () => {
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
  });
}
