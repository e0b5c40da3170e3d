/** Checks the addresses of webhooks and identity providers (Contract: §17). */
import { parseAddress } from './network.ts';

/**
 * False for private, loopback, link-local, multicast, reserved and documentation addresses. Also false for
 * IPv6 addresses that lead to an IPv4 address: mapped, NAT64, 6to4 and Teredo.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if ('bytes' in parsed) {
    return !address.includes(':') && !isWithinAny(PRIVATE_IPV4, toBits(parsed.bytes, 8));
  }
  const bits = toBits(parsed.groups, 16);
  // Only 2000::/3 is global unicast.
  return bits.startsWith('001') && !isWithinAny(SPECIAL_IPV6, bits);
}

/** Null if the URL is allowed. A host name still has to resolve to public addresses. */
export function refuseOutboundUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return 'must be a URL';
  if (url.protocol !== 'https:') return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a name or a password';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = parseAddress(host) !== null;
  return isLiteral && !isPublicAddress(host) ? 'must not be an address of a private network' : null;
}

const PRIVATE_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
].map(prefixOf);

const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(prefixOf);

/** The leading bits that all addresses of a block share. */
function prefixOf(block: string): string {
  const [address = '', length = ''] = block.split('/');
  const parsed = parseAddress(address);
  if (parsed === null) throw new Error(`${block} is not a block of addresses`);
  const bits = 'bytes' in parsed ? toBits(parsed.bytes, 8) : toBits(parsed.groups, 16);
  return bits.slice(0, Number(length));
}

function toBits(parts: readonly number[], width: number): string {
  return parts.map((part) => part.toString(2).padStart(width, '0')).join('');
}

function isWithinAny(prefixes: readonly string[], bits: string): boolean {
  return prefixes.some((prefix) => bits.startsWith(prefix));
}
