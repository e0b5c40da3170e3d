import { expect, test } from 'vitest';
import { copyDevice } from '#adapters/memory/tables/device-table.ts';
import type { CustomValue } from '#domain/device/device.ts';
import { aDevice, newId } from '#test/support/builders.ts';

function deviceWith(custom: ReadonlyMap<string, CustomValue>) {
  const { kind: _kind, ...device } = aDevice({ orgId: newId(), custom });
  return { ...device, pendingPatchCount: 0, criticalAlertCount: 0 };
}

test('a copy equals the original and shares no part with it', () => {
  const device = {
    ...deviceWith(new Map<string, CustomValue>([['list', ['a', { b: null }]]])),
    tags: ['vpn'],
    network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: null }],
    volumes: [{ name: 'C:', filesystem: null, totalGb: 1, freeGb: null }],
    software: [{ name: 'Zoom', version: null }],
    patches: [{ title: 'KB1', status: 'failed' as const }],
  };
  const copy = copyDevice(device);
  expect(copy).toStrictEqual(device);
  const parts = [
    'tags',
    'hardware',
    'metrics',
    'network',
    'volumes',
    'software',
    'patches',
    'custom',
  ] as const;
  expect(parts.filter((part) => copy[part] === device[part])).toStrictEqual([]);
  expect(copy.network[0]).not.toBe(device.network[0]);
  expect(copy.software[0]).not.toBe(device.software[0]);
  expect(copy.custom.get('list')).not.toBe(device.custom.get('list'));
});

test('a custom value may be thirty thousand levels deep', () => {
  let value: CustomValue = 'deep';
  for (let level = 0; level < 30_000; level++) value = [value];
  const copy = copyDevice(deviceWith(new Map([['deep', value]]))).custom.get('deep');
  expect(JSON.stringify(copy) === JSON.stringify(value)).toBe(true);
});
