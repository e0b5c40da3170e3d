import { expect, test } from 'vitest';
import { DEVICE_ROLES, DEVICE_STATUSES } from '#domain/device/device.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { OPERATORS } from '#domain/filter/catalog/operator.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';

const FIELDS = [...CORE_CATALOG.keys(), 'custom.asset_tag', 'custom.bar'];

test.each([
  ['hostname', 'hostname'],
  ['hostnmae', 'hostname'],
  ['hostnam', 'hostname'],
  ['hostnames', 'hostname'],
  ['hsotnmae', 'hostname'],
  ['HOSTNAME', 'hostname'],
  ['ostype', 'osType'],
  ['os_type', 'osType'],
  ['os.type', 'osType'],
  ['display_name', 'displayName'],
  ['display name', 'displayName'],
  ['tag', 'tags'],
  ['lastSeen', 'lastSeenAt'],
  ['last_seen', 'lastSeenAt'],
  ['hardware.cpucores', 'hardware.cpuCores'],
  ['hardware.cpuCore', 'hardware.cpuCores'],
  ['hardwear.cpuCores', 'hardware.cpuCores'],
  ['hardware.ramTotalMB', 'hardware.ramTotalMb'],
  ['cpuCores', 'hardware.cpuCores'],
  ['cpucores', 'hardware.cpuCores'],
  ['cpuCore', 'hardware.cpuCores'],
  ['model', 'hardware.model'],
  ['custom.assetTag', 'custom.asset_tag'],
  ['custom.asset_tags', 'custom.asset_tag'],
])('suggests for %j the field key %j', (word, expected) => {
  expect(nearestWord(word, FIELDS)).toBe(expected);
});

test.each([
  '',
  'x',
  'foo',
  'xyzzy',
  'hos',
  'os',
  'ie',
  'type',
  'site',
  'wardware',
  'hardware.',
  'hardware.foo',
  'custom.foo',
  'custom.far_tag',
  'metrics.netPercent',
  'network.hostname',
  'name',
  'osName',
])('suggests no field key for %j', (word) => {
  expect(nearestWord(word, FIELDS)).toBeNull();
});

test.each([
  ['Online', DEVICE_STATUSES, 'online'],
  ['decomissioned', DEVICE_STATUSES, 'decommissioned'],
  ['access-point', DEVICE_ROLES, 'access_point'],
  ['printers', DEVICE_ROLES, 'printer'],
  ['greaterThanOrEqual', OPERATORS, 'greaterThanOrEquals'],
  ['not_equals', OPERATORS, 'notEquals'],
  ['hasAyn', OPERATORS, 'hasAny'],
  ['active', DEVICE_STATUSES, null],
  ['laptop', DEVICE_ROLES, null],
  ['is', OPERATORS, null],
  ['foo', OPERATORS, null],
])('reads %j as one of %j: %j', (word, known, expected) => {
  expect(nearestWord(word, known)).toBe(expected);
});

test('prefers the same word in another case, then the same last part, then the fewest edits', () => {
  expect(nearestWord('MODEL', ['mode', 'hardware.model', 'model'])).toBe('model');
  expect(nearestWord('MODEL', ['mode', 'hardware.model'])).toBe('hardware.model');
  expect(nearestWord('partner', ['partners', 'partner'])).toBe('partner');
});

test('takes the first of equally near words', () => {
  expect(nearestWord('cat', ['bat', 'car'])).toBe('bat');
});

test('suggests nothing if no words are known', () => {
  expect(nearestWord('hostname', [])).toBeNull();
});

test('takes an iterator, which can be walked only once', () => {
  expect(nearestWord('cpuCores', new Map([['hardware.cpuCores', 1]]).keys())).toBe('hardware.cpuCores');
});

test('suggests nothing for a megabyte of text', () => {
  expect(nearestWord('a'.repeat(1_000_000), FIELDS)).toBeNull();
  expect(nearestWord('.'.repeat(1_000_000), FIELDS)).toBeNull();
});
