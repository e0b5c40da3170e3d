import { expect, test } from 'vitest';
import { nearestWord } from '#domain/text/nearest-word.ts';

const FIELDS = [
  'hostname',
  'displayName',
  'osType',
  'tags',
  'hardware.cpuCores',
  'hardware.ramTotalMb',
  'id',
];

test.each([
  ['hostname', 'hostname'],
  ['hostnmae', 'hostname'],
  ['hostnam', 'hostname'],
  ['hostnames', 'hostname'],
  ['hsotnmae', 'hostname'],
  ['HOSTNAME', 'hostname'],
  ['ostype', 'osType'],
  ['os_type', 'osType'],
  ['display_name', 'displayName'],
  ['tag', 'tags'],
  ['ie', 'id'],
  ['hardware.cpucores', 'hardware.cpuCores'],
  ['hardware.cpuCore', 'hardware.cpuCores'],
  ['hardware.ramTotalMB', 'hardware.ramTotalMb'],
  ['cpuCores', 'hardware.cpuCores'],
  ['cpucores', 'hardware.cpuCores'],
])('takes %j for %j', (word, expected) => {
  expect(nearestWord(word, FIELDS)).toBe(expected);
});

test.each(['', 'x', 'xyzzy', 'hos', 'network.ipAddress', 'Cores', 'wardware', 'hardware.'])(
  'finds nothing near %j',
  (word) => {
    expect(nearestWord(word, FIELDS)).toBeNull();
  },
);

test('prefers the nearer word, and of equals the first', () => {
  expect(nearestWord('partner', ['partners', 'partner'])).toBe('partner');
  expect(nearestWord('cat', ['bat', 'car'])).toBe('bat');
});

test('knows nothing of no words', () => {
  expect(nearestWord('hostname', [])).toBeNull();
});

test('takes an iterator, which can be walked only once', () => {
  expect(nearestWord('cpuCores', new Map([['hardware.cpuCores', 1]]).keys())).toBe('hardware.cpuCores');
});

test('finds nothing near a megabyte of text', () => {
  expect(nearestWord('a'.repeat(1_000_000), FIELDS)).toBeNull();
});
