import { expect, test } from 'vitest';
import { machineKeys, macKey, macSpellings } from '#domain/inventory/machine-keys.ts';

const serialOf = (serialNumber: string) =>
  machineKeys({ serialNumbers: [serialNumber], systemUuids: [], macAddresses: [] }).serials[0];
const uuidOf = (systemUuid: string) =>
  machineKeys({ serialNumbers: [], systemUuids: [systemUuid], macAddresses: [] }).uuids[0];

test.each([
  ...['', ' ', 'To be filled by O.E.M.', 'To Be Filled By OEM', 'O.E.M.', 'Default string', 'default'],
  ...['System Serial Number', 'Chassis Serial Number', 'Serial Number', 'Not Specified', 'Not Applicable'],
  ...[
    'N/A',
    'NA',
    'None',
    'null',
    'unknown',
    'INVALID',
    'xxxxxxxx',
    '0',
    '00000000',
    '1111111',
    '...',
    '---',
  ],
  ...['FFFFFFFF', '0000-0000', '123456789', '0123456789', 'No Asset Tag', 'Not Provided'],
])('%j is no serial number', (text) => {
  expect(serialOf(text)).toBeUndefined();
});

test.each([
  ['640HP72', '640hp72'],
  ['VMware-56 4d 4c 1f 00 00', 'vmware-56 4d 4c 1f 00 00'],
  ['0000001', '0000001'],
  ['ORACLE-VM-1', 'oracle-vm-1'],
  ['XXL-00', 'xxl-00'],
  ['System-7', 'system-7'],
])('%s is a serial number', (text, key) => {
  expect(serialOf(text)).toBe(key);
});

test.each([
  '',
  'Not Settable',
  'Not Present',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '{ffffffff-ffff-ffff-ffff-ffffffffffff}',
  '03000200-0400-0500-0006-000700080009',
  '00020003-0004-0005-0006-000700080009',
  '12345678-1234-5678-90AB-CDDEEFAABBCC',
])('%j is no UUID', (text) => {
  expect(uuidOf(text)).toBeUndefined();
});

test('a UUID is the same with and without dashes and braces, in upper and lower case', () => {
  const key = '4c4c454400343010 8048b6c04f503732'.replace(' ', '');
  for (const text of [
    '4c4c4544-0034-3010-8048-b6c04f503732',
    '4C4C4544-0034-3010-8048-B6C04F503732',
    '{4c4c4544-0034-3010-8048-b6c04f503732}',
    '4c4c454400343010 8048b6c04f503732'.replace(' ', ''),
  ]) {
    expect(uuidOf(text)).toBe(key);
  }
});

test.each([
  ['af8d3fcfa6fe4784', 'of a phone'],
  ['3f1c9a0be2d4', 'of a container'],
  ['564d-host-101', 'of a host with the number of a guest'],
])('the id %s (%s) is taken unchanged', (text) => {
  expect(uuidOf(text)).toBe(text);
});

test.each([
  ['44:85:00:2B:90:BC', '44:85:00:2b:90:bc'],
  ['44-85-00-2b-90-bc', '44:85:00:2b:90:bc'],
  ['4485002b90bc', '44:85:00:2b:90:bc'],
  ['4485.002B.90BC', '44:85:00:2b:90:bc'],
])('%s is read as the address %s', (text, key) => {
  expect(macKey(text)).toBe(key);
  expect(macSpellings(key)).toContain(text);
});

test('every spelling of an address is read as that address', () => {
  const spellings = macSpellings('44:85:00:2b:90:bc');
  expect(new Set(spellings).size).toBe(8);
  expect(new Set(spellings.map(macKey))).toStrictEqual(new Set(['44:85:00:2b:90:bc']));
});

test.each([
  ['', 'empty'],
  ['44:85:00:2b:90', 'too short'],
  ['44:85:00:2b:90:bc:01', 'too long'],
  ['44:85-00:2b:90:bc', 'with mixed separators'],
  ['44:85:00:2b:90:Bc', 'in mixed case'],
  ['00:00:00:00:00:00', 'unset'],
  ['ff:ff:ff:ff:ff:ff', 'broadcast'],
  ['01:00:5e:00:00:fb', 'multicast'],
  ['02:42:ac:11:00:02', 'of a container'],
  ['52:54:00:fa:20:0e', 'of libvirt'],
  ['0a:00:27:00:00:00', 'of VirtualBox on the host'],
  ['08:00:27:1b:2c:3d', 'of VirtualBox in a guest'],
  ['00:50:56:c0:00:08', 'of VMware'],
  ['00:15:5d:01:02:03', 'of Hyper-V'],
  ['00:ff:12:34:56:78', 'of TAP-Windows'],
  ['00:05:9a:3c:7a:00', 'of AnyConnect'],
])('the address %j (%s) does not identify a machine', (address) => {
  expect(macKey(address)).toBeNull();
});
