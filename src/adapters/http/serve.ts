/** Serves an application with limits for clients that are slow or never finish. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { answerClientError, answerRequestError, answerWhileStarting } from './answer/answer-malformed.ts';
import { closeServer, drainServer, trackSockets } from './connections/close-server.ts';
import { finishBody } from './connections/finish-body.ts';
import { handleInTurn } from './connections/handle-in-turn.ts';
import {
  type ConnectionLimits,
  limitConnections,
  maxConnectionsOfProcess,
} from './connections/limit-connections.ts';
import { makeIsTrustedProxy } from './read/client-address.ts';

/** For a host's Node server, such as that of Express or Fastify. */
export { getRequestListener };

export interface ServeOptions {
  /** A name or address of this machine. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Addresses and CIDR blocks. A trusted proxy may open any number of connections. */
  readonly trustedProxies?: readonly string[];
  readonly limits?: Partial<ClientLimits>;
}

export interface ClientLimits extends ConnectionLimits {
  /**
   * Limits the time until the headers are complete. It starts with the connection or, for a later request,
   * its first byte.
   */
  readonly headersMs: number;
  /** Limits the time until the body is complete. It starts together with `headersMs`. */
  readonly requestMs: number;
  readonly keepAliveMs: number;
  readonly checkEveryMs: number;
  /** Request line and headers together. */
  readonly headerBytes: number;
}

export interface RunningServer {
  /** For clients on this machine, without a trailing slash. */
  readonly url: string;
  drain(): void;
  /** Waits at most `graceMs` for requests in flight. */
  close(graceMs: number): Promise<void>;
}

/** Until `answerWith` is called, every answer says that the service is starting. */
export interface BoundServer extends RunningServer {
  answerWith(app: Servable): void;
}

export interface Servable {
  readonly fetch: (request: Request, env: HttpBindings) => Response | Promise<Response>;
}

/** Rejects with a message for the operator if the address cannot be used. */
export async function serveApp(app: Servable, options: ServeOptions): Promise<RunningServer> {
  const server = await bindServer(options);
  server.answerWith(app);
  return server;
}

/** Binds the address before an application exists. */
export async function bindServer(options: ServeOptions): Promise<BoundServer> {
  const { host, port } = options;
  let app: Servable = { fetch: answerWhileStarting };
  const limits = { connections: maxConnectionsOfProcess(), ...DEFAULT_LIMITS, ...options.limits };
  const listener = handleInTurn(
    getRequestListener((request, env) => answer(app, request, env as HttpBindings), {
      // The host of requests that name none, which HTTP/1.0 allows.
      hostname: 'localhost',
      errorHandler: answerRequestError,
      // `finishBody` cleans up instead, and lets the client read its answer.
      autoCleanupIncoming: false,
    }),
  );
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: limits.headerBytes,
      // Otherwise Node would answer with a bare 400. `isWellFormed` checks the host.
      requireHostHeader: false,
    },
    listener,
  );
  limitConnections(server, limits, makeIsTrustedProxy(options.trustedProxies ?? []));
  server.on('clientError', answerClientError);
  // Otherwise Node would answer with a bare 417. HTTP allows ignoring an unknown expectation.
  server.on('checkExpectation', listener);
  const sockets = trackSockets(server);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(explainListenFailure(error, host, port), { cause: error });
  }
  // This error means that the system has no room for another connection; the client will retry. Unhandled, it
  // would end the process.
  server.on('error', () => undefined);
  let closing: Promise<void> | undefined;
  let isDraining = false;
  const drain = () => {
    if (!isDraining) drainServer(server, sockets);
    isDraining = true;
  };
  return {
    url: toUrl(host, (server.address() as AddressInfo).port),
    answerWith: (next) => {
      app = next;
    },
    drain,
    close: (graceMs) => {
      drain();
      closing ??= closeServer(server, sockets, graceMs);
      return closing;
    },
  };
}

/** `keepAliveMs` is longer than proxies usually keep idle connections, so no proxy sends a request on a closed one. */
const DEFAULT_LIMITS: Omit<ClientLimits, 'connections'> = {
  headersMs: 10_000,
  requestMs: 14_000,
  keepAliveMs: 65_000,
  checkEveryMs: 1_000,
  headerBytes: 16_384,
  connectionsPerAddress: 1_000,
  stallMs: 30_000,
};

async function answer(app: Servable, request: Request, bindings: HttpBindings): Promise<Response> {
  const { incoming, outgoing } = bindings;
  if (!isWellFormed(incoming)) {
    // The end of a malformed request is unknown, so no request can follow it.
    outgoing.setHeader('Connection', 'close');
    return answerRequestError();
  }
  try {
    return await app.fetch(request, bindings);
  } finally {
    await finishBody(incoming, outgoing);
  }
}

/**
 * A request must have one host, which only HTTP/1.0 allows to be absent (RFC 9112, 3.2). Its only transfer
 * coding may be `chunked` (6.1). Node accepts other requests, which a proxy might split differently.
 */
function isWellFormed({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  // `headers` contains only the first host.
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return false;
  // Node joins repeated headers, so they do not equal `chunked` either.
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked';
}

function explainListenFailure(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const address = `${toAuthority(host)}:${port}`;
  const reason = LISTEN_FAILURES[code];
  return reason === undefined ? `Cannot listen on ${address} (${code || String(error)})` : reason(address);
}

const LISTEN_FAILURES: Readonly<Record<string, (address: string) => string>> = {
  EADDRINUSE: (address) =>
    `${address} is in use by another program; stop it, or choose another port with PORT`,
  EACCES: (address) =>
    `${address} requires privileges that this process does not have; choose a PORT above 1023`,
  EADDRNOTAVAIL: (address) =>
    `${address} is not an address of this machine; choose another with HOST, such as 127.0.0.1`,
  ENOTFOUND: (address) => `${address} cannot be resolved; choose another host with HOST, such as 127.0.0.1`,
};

export function toUrl(host: string, port: number): string {
  return `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : toAuthority(host)}:${port}`;
}

function toAuthority(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
