/** Serves the application on a port of this machine, with limits for clients that are slow or never finish. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { answerClientError, answerRequestError } from './answer/answer-malformed.ts';
import { closeServer, drainServer, trackSockets } from './connections/close-server.ts';
import { finishBody } from './connections/finish-body.ts';
import { handleInTurn } from './connections/handle-in-turn.ts';
import {
  type ConnectionLimits,
  limitConnections,
  maxConnectionsOfProcess,
} from './connections/limit-connections.ts';
import { isWellFormed } from './connections/well-formed.ts';
import { makeIsTrustedProxy } from './read/client-address.ts';
import { startingApp } from './starting-app.ts';

/** Where to serve, and within which limits. */
export interface ServeOptions {
  /** A name or address of this machine, or 0.0.0.0 or :: for all of them. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Addresses and CIDR blocks of proxies, which may have any number of connections. */
  readonly trustedProxies?: readonly string[];
  /** Overrides of the defaults. */
  readonly limits?: Partial<ClientLimits>;
}

/** How long and how much a client may take; times in milliseconds. */
export interface ClientLimits extends ConnectionLimits {
  /** From the connection, or the first byte of a later request, to the end of the headers; then 408. */
  readonly headersMs: number;
  /** From the connection, or the first byte of a later request, to the end of the body; then 408. */
  readonly requestMs: number;
  /** How long a connection may wait for its next request. */
  readonly keepAliveMs: number;
  /** How often the first two are checked. */
  readonly checkEveryMs: number;
  /** Request line and headers together; beyond, 431. */
  readonly headerBytes: number;
}

/** A listening server. */
export interface RunningServer {
  /** Where it can be reached from this machine, without a trailing slash. */
  readonly url: string;
  /** From now on every answer asks its client to open a new connection for its next request. */
  drain(): void;
  /** Stops accepting, waits at most `graceMs` for requests in flight, and closes every connection. */
  close(graceMs: number): Promise<void>;
}

/** A server that has its address, and answers that the service is starting until it has something to serve. */
export interface BoundServer extends RunningServer {
  answerWith(app: Servable): void;
}

/** What is served: a Hono application, or anything else that answers requests. */
export interface Servable {
  readonly fetch: (request: Request, env: HttpBindings) => Response | Promise<Response>;
}

/** Starts serving. Rejects with a message for the operator if the address cannot be used. */
export async function serveApp(app: Servable, options: ServeOptions): Promise<RunningServer> {
  const server = await bindServer(options);
  server.answerWith(app);
  return server;
}

/** Takes the address. Rejects with a message for the operator if it cannot be used. */
export async function bindServer(options: ServeOptions): Promise<BoundServer> {
  const { host, port } = options;
  let app: Servable = startingApp;
  const limits = { connections: maxConnectionsOfProcess(), ...DEFAULT_LIMITS, ...options.limits };
  const listener = handleInTurn(
    getRequestListener((request, env) => answer(app, request, env as HttpBindings), {
      // The host of requests without one, which HTTP/1.0 allows.
      hostname: 'localhost',
      errorHandler: answerRequestError,
      // `finishBody` does that, and keeps its word to the client.
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
      // Node would answer with a bare 400; `answer` answers with a problem document.
      requireHostHeader: false,
    },
    listener,
  );
  limitConnections(server, limits, makeIsTrustedProxy(options.trustedProxies ?? []));
  server.on('clientError', answerClientError);
  // Node would answer an unknown expectation with a bare 417; ignoring it is allowed.
  server.on('checkExpectation', listener);
  const sockets = trackSockets(server);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(explainListenFailure(error, host, port), { cause: error });
  }
  // A connection that the system has no room for: its client tries again, and unheard, it would end the process.
  server.on('error', () => undefined);
  let closing: Promise<void> | undefined;
  const drain = onlyOnce(() => drainServer(server, sockets));
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

/** Slow clients are cut off within 15 seconds; idle connections outlive the usual timeouts of proxies. */
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
    // Where the next request begins is anybody's guess.
    outgoing.setHeader('Connection', 'close');
    return answerRequestError();
  }
  try {
    return await app.fetch(request, bindings);
  } finally {
    await finishBody(incoming, outgoing);
  }
}

function onlyOnce(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
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

/** The URL for a browser on this machine. */
export function toUrl(host: string, port: number): string {
  return `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : toAuthority(host)}:${port}`;
}

function toAuthority(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
