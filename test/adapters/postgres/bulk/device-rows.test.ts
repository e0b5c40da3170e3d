/** A device's software as one row. */
import { expect, test } from 'vitest';
import { softwareRow } from '#adapters/postgres/bulk/device-rows.ts';
import { entryKey } from '#domain/device/installed-software.ts';
import { aDevice, newId } from '#test/support/builders.ts';

const TITLES = new Map([
  ['Zoom', 3],
  ['Edge', 2_147_483_647],
  ['7-Zip', 12],
  ...[
    ['Edge', '1', -9],
    ['Edge', '2', -2],
    ['Edge', '3', -1],
    ['7-Zip', '24', -4],
    ['Zoom', '6', -5],
  ].map(
    ([name, version, id]) =>
      [entryKey({ name: String(name), version: String(version) }), Number(id)] as const,
  ),
]);

test('a row has titles and versions in the order of their ids, each once', () => {
  const device = aDevice({
    orgId: newId<'organization'>(),
    software: [
      { name: 'Edge', version: '1' },
      { name: '7-Zip', version: '24' },
      { name: 'Zoom', version: '6' },
      { name: 'Edge', version: '3' },
      { name: 'Edge', version: '2' },
      { name: 'Edge', version: '1' },
      { name: '7-Zip', version: null },
    ],
  });
  expect(softwareRow(device, TITLES)).toStrictEqual({
    device_id: device.id,
    org_id: device.orgId,
    title_ids: [-9, -5, -4, -2, -1, 3, 12, 2_147_483_647],
  });
});

test('a device without software has no row, and an unknown title is an error', () => {
  const orgId = newId<'organization'>();
  expect(softwareRow(aDevice({ orgId, software: [] }), TITLES)).toBeNull();
  const unknown = aDevice({ orgId, software: [{ name: 'Edge 2', version: null }] });
  expect(() => softwareRow(unknown, TITLES)).toThrow('a software title has no id');
});
