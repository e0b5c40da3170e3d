/** The networks of client addresses, for rate limits (Contract: §2). */
import { DAY_MS } from '#domain/time.ts';

/** How long a network counts as a person's own after their last sign-in from it. */
export const OWN_NETWORK_MS = 90 * DAY_MS;

/**
 * The /24 of an IPv4 address, the /64 of an IPv6 address, such as `192.0.2.0/24` or `2001:db8:0:1::/64`. Other text
 * stays as it is.
 */
export function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  return 'bytes' in parsed
    ? `${parsed.bytes.slice(0, 3).join('.')}.0/24`
    : `${formatGroups([...parsed.groups.slice(0, 4), 0, 0, 0, 0])}/64`;
}

/** The IPv4 address, or the /64 of an IPv6 address, because one host can use a whole /64. Other text stays as it is. */
export function clientOf(address: string): string {
  const parsed = parseAddress(address);
  return parsed !== null && 'bytes' in parsed ? parsed.bytes.join('.') : networkOf(address);
}

/** The network of one subscriber: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function siteOf(address: string): string {
  const parsed = parseAddress(address);
  return parsed !== null && 'groups' in parsed
    ? `${formatGroups([...parsed.groups.slice(0, 3), 0, 0, 0, 0, 0])}/48`
    : networkOf(address);
}

/** IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`) count as IPv4. */
export type Address = { readonly bytes: readonly number[] } | { readonly groups: readonly number[] };

export function parseAddress(text: string): Address | null {
  const bytes = parseIpv4(text);
  if (bytes !== null) return { bytes };
  // Drops a zone, such as `%eth0`, because it has a meaning only on its own machine.
  const groups = parseIpv6(text.replace(/%.*$/s, ''));
  if (groups === null) return null;
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? { bytes: [high >> 8, high & 0xff, low >> 8, low & 0xff] } : { groups };
}

function parseIpv4(text: string): readonly number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

function parseIpv6(text: string): readonly number[] | null {
  const halves = text.split('::');
  // An IPv6 address may end in IPv4 notation (`::ffff:192.0.2.1`), but must not have it before `::`.
  if (halves.length > 2 || (halves.length === 2 && halves[0]?.includes('.'))) return null;
  const [head, tail] = halves.map(parseGroups);
  if (head === undefined || head === null || tail === null) return null;
  if (tail === undefined) return head.length === 8 ? head : null;
  const missing = 8 - head.length - tail.length;
  return missing < 1 ? null : [...head, ...Array<number>(missing).fill(0), ...tail];
}

function parseGroups(text: string): readonly number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    const [a, b, c, d] = i === parts.length - 1 ? (parseIpv4(part) ?? []) : [];
    if (a !== undefined && b !== undefined && c !== undefined && d !== undefined) {
      groups.push((a << 8) | b, (c << 8) | d);
    } else if (/^[\da-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

/** RFC 5952: lower case, and `::` for the first of the longest runs of zeros. */
function formatGroups(groups: readonly number[]): string {
  const text = groups.map((group) => group.toString(16)).join(':');
  const [longest] = [...text.matchAll(/\b0(?::0)+\b/g)].sort((a, b) => b[0].length - a[0].length);
  if (longest === undefined) return text;
  const head = text.slice(0, longest.index).replace(/:$/, '');
  const tail = text.slice(longest.index + longest[0].length).replace(/^:/, '');
  return `${head}::${tail}`;
}
