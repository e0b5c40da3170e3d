/** The devices that every device reader offers as possible duplicates. */
import { type AccessScope, canReach, NO_SCOPE } from '#domain/access/access-scope.ts';
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { KeyedDevice } from '#domain/inventory/find-duplicates.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aDevice,
  anInventory,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { reportInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const UUID = '4c4c4544003430108048b6c04f503732';

export function testReaderKeySharers(backend: () => ContractBackend): void {
  const ask = async (scope: AccessScope): Promise<readonly KeyedDevice[]> => {
    const found = await backend().deviceReader.keySharers({ scope, onBehalfOf: 'test' });
    if (!found.ok) throw new Error(`the question was refused: ${found.error.kind}`);
    return found.value;
  };

  const load = async (orgId: OrgId, given: readonly Partial<DeviceRecord>[]) => {
    const devices = given.map((one) => aDevice({ orgId, ...one }));
    await loadFleet(backend(), devices);
    return devices;
  };

  const serial = (serialNumber: string) => ({ hardware: { ...NO_HARDWARE, serialNumber } });
  const mac = (macAddress: string) => ({ network: [{ ipAddress: null, publicIp: null, macAddress }] });

  describe('DeviceReader and devices that share a key', () => {
    test.each<[string, readonly [Partial<DeviceRecord>, Partial<DeviceRecord>], Partial<KeyedDevice>]>([
      ['a host name, in any case', [{ hostname: 'PC-Ä' }, { hostname: 'pc-ä' }], { hostname: 'pc-ä' }],
      [
        'a serial number, in any case',
        [serial('Ünïx-1'), serial('ÜNÏX-1')],
        { keys: { serials: ['ünïx-1'], uuids: [], macs: [] } },
      ],
      [
        'a UUID',
        [{ systemUuid: UUID }, { systemUuid: UUID }],
        { keys: { serials: [], uuids: [UUID], macs: [] } },
      ],
      [
        'a MAC address, in any spelling',
        [mac('44:85:00:2b:90:bc'), mac('4485.002B.90BC')],
        { keys: { serials: [], uuids: [], macs: ['44:85:00:2b:90:bc'] } },
      ],
    ])('gives two devices with all their keys if they share %s', async (_what, pair, expected) => {
      const { orgId } = await createTenant(backend());
      const devices = await load(orgId, pair);
      const found = await ask(orgScope(orgId));
      expect(found.map(({ id }) => id).toSorted()).toStrictEqual(devices.map(({ id }) => id).toSorted());
      for (const one of found) expect(one).toMatchObject({ orgId, ...expected });
    });

    test('gives a device with a former key that another device has now', async () => {
      const { orgId } = await createTenant(backend());
      const report = async (hostname: string, serialNumber: string, inventoryId: string) => {
        const inventory = anInventory({ hostname, ...serial(serialNumber) }, { inventoryId });
        const stored = await reportInventory(backend(), orgId, inventory, SOME_INSTANT);
        if (!stored.ok) throw new Error(`the report was refused: ${stored.error}`);
        return stored.value.deviceId;
      };
      const one = await report('one', 'S1', 'agent');
      expect(await report('one', 'To be filled by O.E.M.', 'agent')).toBe(one);
      const [two] = await load(orgId, [{ hostname: 'two', ...serial('s1') }]);
      const found = await ask(orgScope(orgId));
      expect(new Map(found.map(({ id, keys }) => [id, keys.serials]))).toStrictEqual(
        new Map([
          [one, ['s1']],
          [two?.id, ['s1']],
        ]),
      );
    });

    test('gives devices in reach, and compares only within an organization', async () => {
      const tenant = await createTenant(backend(), 2);
      const [a, b] = tenant.orgIds as [OrgId, OrgId];
      const stranger = await createTenant(backend());
      const sharers = await load(a, [{ hostname: 'same' }, { hostname: 'same' }]);
      await load(b, [{ hostname: 'same', ...serial('S1') }]);
      await load(stranger.orgId, [{ hostname: 'same' }, { hostname: 'same' }]);
      for (const scope of [
        ...[
          orgScope(a),
          orgScope(b),
          partnerScope(tenant.partnerId, [a, b]),
          partnerScope(tenant.partnerId, [b]),
        ],
        ...[partnerScope(tenant.partnerId, []), SYSTEM_SCOPE, NO_SCOPE],
      ]) {
        const found = await ask(scope);
        expect(found.filter(({ orgId }) => !canReach(scope, orgId))).toStrictEqual([]);
        const isReached = canReach(scope, a);
        for (const { id } of sharers) expect(found.some((one) => one.id === id)).toBe(isReached);
      }
    });
  });
}
