import { expect, test } from 'vitest';
import { isPublicAddress, refuseOutboundUrl } from '#domain/access/outbound-address.ts';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00::1',
])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.1'],
  ...[
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
  ],
  ...['203.0.113.9', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12:3456::1', 'ff02::1', '2001:db8::1', '3fff::1'],
  // Addresses that lead to IPv4 addresses, public or not.
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1'],
  ...['', 'localhost', '127.1', '999.1.1.1', '1:2:3'],
])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

test.each(['https://login.example.com/tenant', 'https://8.8.8.8/', 'https://[2606:4700::1111]:8443/x'])(
  '%s is allowed as an outbound URL',
  (url) => expect(refuseOutboundUrl(url)).toBeNull(),
);

test.each([
  ['no url', 'must be a URL'],
  ['http://example.com/', 'must be an https URL'],
  ['file:///etc/passwd', 'must be an https URL'],
  ['https://name:secret@example.com/', 'must not contain a name or a password'],
  ['https://127.0.0.1/', 'must not be an address of a private network'],
  ['https://0x7f.1/', 'must not be an address of a private network'],
  ['https://2130706433/', 'must not be an address of a private network'],
  ['https://[::1]/', 'must not be an address of a private network'],
  ['https://[::ffff:10.0.0.1]/', 'must not be an address of a private network'],
])('the URL %s %s', (url, refusal) => expect(refuseOutboundUrl(url)).toBe(refusal));
