/** The address of the client, behind trusted proxies too (Contract: §2). */
import { BlockList, isIP } from 'node:net';
import type { HttpContext } from '#adapters/http/http-env.ts';

/** The client's address, or null if the request came without a socket. */
export type FindClientAddress = (c: HttpContext) => string | null;

/**
 * The socket's peer or, if that is a trusted proxy, the right-most address in X-Forwarded-For that is not one. The
 * search stops at anything that is not an address: what stands to its left cannot be trusted.
 *
 * @param trustedProxies addresses and CIDR blocks; throws on anything else
 */
export function makeFindClientAddress(trustedProxies: readonly string[]): FindClientAddress {
  if (trustedProxies.length === 0) return peerOf;
  const isTrusted = makeIsTrustedProxy(trustedProxies);
  return (c) => {
    const peer = peerOf(c);
    if (peer === null || !isTrusted(peer)) return peer;
    const forwarded = c.req.raw.headers.get('x-forwarded-for')?.split(',') ?? [];
    let client = peer;
    for (const entry of forwarded.reverse()) {
      const address = toAddress(entry.trim());
      if (address === null) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client;
  };
}

/** Whether an address, as a socket has it, is one of these addresses and CIDR blocks; throws on anything else. */
export function makeIsTrustedProxy(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const trusted = toBlockList(trustedProxies);
  return (address) => {
    const plain = normalize(address);
    return trusted.check(plain, familyOf(plain));
  };
}

function peerOf(c: HttpContext): string | null {
  const address = (c.env as typeof c.env | undefined)?.incoming?.socket.remoteAddress;
  return address === undefined ? null : normalize(address);
}

/** The address in an entry, which may have a port; null if it is not an address. */
function toAddress(entry: string): string | null {
  const bare = ADDRESS_WITH_PORT.exec(entry)?.slice(1).find(Boolean) ?? entry;
  return isIP(bare) === 0 ? null : normalize(bare);
}

const ADDRESS_WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** IPv4 addresses unwrapped from IPv6, and without a zone, which only has a meaning on its own machine. */
function normalize(address: string): string {
  const zone = address.indexOf('%');
  const bare = (zone === -1 ? address : address.slice(0, zone)).toLowerCase();
  return bare.startsWith('::ffff:') && bare.includes('.') ? bare.slice('::ffff:'.length) : bare;
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits, ...rest] = entry.trim().split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) === 0 || rest.length > 0 || (bits !== undefined && !isPrefixLength(bits, longest))) {
      throw new Error(`"${entry}" is neither an address nor a CIDR block such as 10.0.0.0/8 or fd00::/8`);
    }
    if (bits === undefined) list.addAddress(normalize(address), familyOf(normalize(address)));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

function isPrefixLength(bits: string, longest: number): boolean {
  return /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
