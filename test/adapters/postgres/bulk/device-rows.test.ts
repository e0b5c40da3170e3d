/** A device's software as one row. */
import { expect, test } from 'vitest';
import { softwareRow } from '#adapters/postgres/bulk/device-rows.ts';
import { aDevice, newId } from '#test/support/builders.ts';

const TITLES = new Map([
  ['Zoom', 3],
  ['Edge', 2_147_483_647],
  ['7-Zip', 12],
]);

test('has the titles in the order of their ids, each once, with the last of its versions', () => {
  const device = aDevice({
    orgId: newId<'organization'>(),
    software: [
      { name: 'Edge', version: '1' },
      { name: '7-Zip', version: '24' },
      { name: 'Zoom', version: '6' },
      { name: 'Edge', version: '3' },
      { name: 'Edge', version: '2' },
      { name: '7-Zip', version: null },
    ],
  });
  expect(softwareRow(device, TITLES)).toStrictEqual({
    device_id: device.id,
    org_id: device.orgId,
    title_ids: [3, 12, 2_147_483_647],
    versions: ['6', null, '2'],
  });
});

test('is none without titles, and a fault with one that nobody knows', () => {
  const orgId = newId<'organization'>();
  expect(softwareRow(aDevice({ orgId, software: [] }), TITLES)).toBeNull();
  const unknown = aDevice({ orgId, software: [{ name: 'Edge 2', version: null }] });
  expect(() => softwareRow(unknown, TITLES)).toThrow('a software title has no id');
});
