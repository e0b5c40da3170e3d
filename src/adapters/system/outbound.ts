/** Requests to servers that customers name: https and public addresses only (Contract: §17). */
import { lookup as lookUpName } from 'node:dns';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress, refuseOutboundUrl } from '#domain/access/outbound-address.ts';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/**
 * Follows no redirect. Rejects with an {@link OutboundError} if the address is refused, the server is not reached, or
 * the answer is too late or too long.
 */
export type AskOutbound = (url: string, request: OutboundRequest) => Promise<OutboundAnswer>;

/** The message is a clause about the server, such as "it could not be reached". */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
}

export interface OutboundDeps {
  /** Allows any address, and http (Contract: §17, OUTBOUND_PRIVATE). */
  readonly allowsPrivate: boolean;
  readonly timeoutMs: number;
  /** With 0, the body is not read. */
  readonly maxBytes: number;
  readonly lookup?: LookupFunction;
}

export function makeAskOutbound({
  allowsPrivate,
  timeoutMs,
  maxBytes,
  lookup = lookUpName as unknown as LookupFunction,
}: OutboundDeps): AskOutbound {
  return async (url, { method, headers, body, signal }) => {
    const refusal = allowsPrivate ? null : refuseOutboundUrl(url);
    if (refusal !== null) throw new OutboundError(`its address ${refusal}`);
    const deadline = AbortSignal.timeout(timeoutMs);
    const send = url.startsWith('http:') ? requestPlain : requestSecure;
    const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>();
    const asked = send(
      url,
      {
        method,
        headers: { ...headers },
        // Each request opens a new connection: a shared one might have been opened under other rules.
        agent: false,
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        // Checks at the lookup, so the connection goes to the checked address.
        ...(!allowsPrivate && { lookup: publicOnly(lookup) }),
      },
      (incoming) => void readAnswer(incoming, maxBytes).then(resolve, reject),
    );
    asked.on('error', reject);
    asked.end(body);
    try {
      return await promise;
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (deadline.aborted)
        throw new OutboundError(`it did not answer within ${timeoutMs / 1_000} seconds`, { cause: error });
      throw new OutboundError('it could not be reached', { cause: error });
    }
  };
}

function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0);
      const own = ownAddresses();
      const addresses = (Array.isArray(found) ? found : []).filter(
        ({ address }) => isPublicAddress(address) && !own.has(address),
      );
      const [first] = addresses;
      if (first === undefined) {
        return callback(new OutboundError('its name leads to an address of a private network'), '', 0);
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** This machine may have public addresses, which customers must not reach through the service. */
function ownAddresses(): ReadonlySet<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address)),
  );
}

async function readAnswer(incoming: IncomingMessage, maxBytes: number): Promise<OutboundAnswer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (maxBytes === 0) incoming.on('error', () => {}).destroy();
  else
    for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBytes) {
        incoming.destroy();
        throw new OutboundError(`it answered more than ${maxBytes} bytes`);
      }
      chunks.push(chunk);
    }
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return { status: incoming.statusCode ?? 0, headers, body: Buffer.concat(chunks, size) };
}
