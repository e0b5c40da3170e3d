import { expect, test } from 'vitest';
import { type MergeableDevice, mergeDevices } from '#domain/device/merge-devices.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import { machineKeys } from '#domain/inventory/machine-keys.ts';
import { newId } from '#test/support/builders.ts';

const orgId = newId<'organization'>();

function device(given: Partial<MergeableDevice> = {}): MergeableDevice {
  return {
    ...{ id: newId<'device'>(), orgId, hostname: 'pc', displayName: null, status: 'online' },
    ...{ tags: [], custom: new Map(), enrolledAt: null, lastSeenAt: null },
    keys: machineKeys({ serialNumbers: [], systemUuids: [], macAddresses: [] }),
    ...given,
  };
}

const definitions = new Map<string, CustomFieldDefinition>(
  (['text', 'number'] as const).map((type) => [
    type,
    { key: type, label: type, type, choices: [], owner: 'organization', orgIds: [orgId] },
  ]),
);

const merge = (kept: Partial<MergeableDevice>, gone: Partial<MergeableDevice>) =>
  mergeDevices(device(kept), device(gone), definitions);

test('the device that stays keeps its status and display name, and takes over a missing name', () => {
  const { device: named } = merge({ displayName: 'Mine', status: 'maintenance' }, { displayName: 'Theirs' });
  expect(named).toMatchObject({ displayName: 'Mine', status: 'maintenance' });
  expect(merge({}, { displayName: 'Theirs', status: 'offline' }).device).toMatchObject({
    displayName: 'Theirs',
    status: 'online',
  });
});

test('the merged device has the tags of both devices, each once, its own first', () => {
  expect(merge({ tags: ['b', 'a'] }, { tags: ['c', 'a'] }).device.tags).toStrictEqual(['b', 'a', 'c']);
});

test('the merged device keeps its custom values, and takes the other’s if its own do not fit', () => {
  const { custom } = merge(
    {
      custom: new Map<string, string>([
        ['text', 'mine'],
        ['number', 'not a number'],
        ['undefined', 'kept'],
      ]),
    },
    {
      custom: new Map<string, string | number>([
        ['text', 'theirs'],
        ['number', 4],
        ['undefined', 'lost'],
        ['new', 1],
      ]),
    },
  ).device;
  expect(Object.fromEntries(custom)).toStrictEqual({ text: 'mine', number: 4, undefined: 'kept', new: 1 });
  const unfit = merge({}, { custom: new Map([['number', 'four']]) }).device;
  expect(unfit.custom.size).toBe(0);
});

test.each([
  [null, null, null],
  [5, null, 5],
  [null, 5, 5],
  [7, 5, 5],
  [5, 7, 5],
])('devices enrolled at %j and %j merge into one enrolled at %j', (kept, gone, expected) => {
  expect(merge({ enrolledAt: kept }, { enrolledAt: gone }).device.enrolledAt).toBe(expected);
});

test.each([
  [null, null, false],
  [5, null, false],
  [null, 5, true],
  [5, 5, false],
  [5, 6, true],
])('a device seen at %j takes the reports of one seen at %j: %j', (kept, gone, expected) => {
  expect(merge({ lastSeenAt: kept }, { lastSeenAt: gone }).takesReports).toBe(expected);
});
