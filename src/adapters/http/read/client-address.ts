/** Finds the client's address, even behind trusted proxies (Contract: §2). */
import { BlockList, isIP } from 'node:net';
import { createMiddleware } from 'hono/factory';
import { respondProblem } from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';

/** Null if the request came without a socket. */
export type FindClientAddress = (c: HttpContext) => string | null;

/**
 * Finds the peer's address or, behind a trusted proxy, the right-most address in X-Forwarded-For that is not
 * a trusted proxy. Text that is not an address ends the search, because nothing to its left can be trusted.
 */
export function makeFindClientAddress(trustedProxies: readonly string[]): FindClientAddress {
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

/** Answers 400 if the socket has no address, because rate limits and the audit log need one. */
export function makeRequireAddress(findClientAddress: FindClientAddress) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const hasSocket = (c.env as typeof c.env | undefined)?.incoming !== undefined;
    if (hasSocket && findClientAddress(c) === null) {
      return respondProblem(c, { code: 'bad_request', detail: 'The connection has no address.' });
    }
    return next();
  });
}

/**
 * The returned function takes addresses as sockets give them, such as `::ffff:10.0.0.1`. Throws if an entry
 * is neither an address nor a CIDR block.
 */
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

function toAddress(entry: string): string | null {
  const bare = ADDRESS_WITH_PORT.exec(entry)?.slice(1).find(Boolean) ?? entry;
  return isIP(bare) === 0 ? null : normalize(bare);
}

const ADDRESS_WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** Turns an IPv4-mapped IPv6 address into IPv4, and drops the zone. */
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
