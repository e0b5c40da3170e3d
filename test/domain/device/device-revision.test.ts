/** What changes the revision of a device, and what does not (Contract: §10, ETag). */
import { describe, expect, test } from 'vitest';
import type { CustomValue, Device } from '#domain/device/device.ts';
import { deviceRevision, type RevisedDevice } from '#domain/device/revise-device.ts';

const DEVICE: RevisedDevice = {
  displayName: 'Reception',
  tags: ['vip', 'floor-2'],
  custom: new Map<string, CustomValue>([
    ['rack', 'R7'],
    ['height', 42],
  ]),
  status: 'online',
};
const revisionOf = (given: Partial<RevisedDevice>) => deviceRevision({ ...DEVICE, ...given });

describe('the revision of a device', () => {
  test('is 16 hexadecimal digits', () => {
    expect(deviceRevision(DEVICE)).toMatch(/^[0-9a-f]{16}$/);
  });

  test('is the same for a copy, whatever the order of its custom values', () => {
    expect(revisionOf({ tags: [...DEVICE.tags], custom: new Map([...DEVICE.custom].toReversed()) })).toBe(
      deviceRevision(DEVICE),
    );
  });

  test.each<[string, Partial<RevisedDevice>]>([
    ['another display name', { displayName: 'reception' }],
    ['no display name', { displayName: null }],
    ['an empty display name', { displayName: '' }],
    ['one more tag', { tags: ['vip', 'floor-2', 'x'] }],
    ['tags in another order', { tags: ['floor-2', 'vip'] }],
    ['tags split differently', { tags: ['vip","floor-2'] }],
    ['one custom value fewer', { custom: new Map([['rack', 'R7']]) }],
    [
      'a custom value of another type',
      {
        custom: new Map<string, CustomValue>([
          ['rack', 'R7'],
          ['height', '42'],
        ]),
      },
    ],
    ['maintenance', { status: 'maintenance' }],
    ['decommissioned', { status: 'decommissioned' }],
    ['quarantine', { status: 'quarantined' }],
  ])('changes with %s', (_what, given) => {
    expect(revisionOf(given)).not.toBe(deviceRevision(DEVICE));
  });

  test.each<Device['status']>(['offline', 'updating', 'pending'])(
    'is the same for a device that is %s',
    (status) => {
      expect(revisionOf({ status })).toBe(deviceRevision(DEVICE));
    },
  );

  test('differs between 20,000 devices that are almost the same', () => {
    const revisions = Array.from({ length: 20_000 }, (_, i) => revisionOf({ displayName: `Reception ${i}` }));
    expect(new Set(revisions).size).toBe(revisions.length);
  });
});
