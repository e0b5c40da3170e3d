/** Serves the application on a port of this machine, with limits for clients that are slow or never finish. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { answerClientError, answerRequestError, type ServerSocket } from './answer/answer-malformed.ts';
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

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  await untilNobodyWaits(server);
  // Neither the close() of node:http nor, while an answer is being sent, closeIdleConnections(): both treat a
  // connection as idle that has not yet sent all of its answer (Node 26).
  NetServer.prototype.close.call(server);
  const closeIdle = () => {
    if (!answersOn(sockets).some((response) => response.writableEnded)) server.closeIdleConnections();
  };
  // Once what has arrived is read: a request that a proxy has just sent on an idle connection would be reset.
  const sweep = setInterval(() => setImmediate(closeIdle), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  // Stops the timer that checks for slow clients, which had to run until now.
  server.close();
}

/**
 * Until every client that has connected is let in, so that the caller may stop listening in the same breath: who is
 * connected by the system alone is reset then, and a proxy sends no change that it has sent once to another instance.
 */
async function untilNobodyWaits(server: Server): Promise<void> {
  let hasCome = false;
  const noteConnection = () => {
    hasCome = true;
  };
  server.on('connection', noteConnection);
  const giveUpAt = performance.now() + LONGEST_WAIT_MS;
  // From here on, a turn begins and ends when connections have been looked for.
  await nextTurn();
  for (;;) {
    hasCome = false;
    const turnedAt = performance.now();
    await nextTurn();
    const now = performance.now();
    if ((!hasCome && now - turnedAt < SHORT_TURN_MS) || now >= giveUpAt) break;
  }
  server.off('connection', noteConnection);
}

/** A turn of the event loop in which hardly anybody can have connected since it was looked, in milliseconds. */
const SHORT_TURN_MS = 0.25;

/** How long to look for such a turn, in milliseconds. */
const LONGEST_WAIT_MS = 1_000;

function drainServer(server: Server, sockets: ReadonlySet<Socket>): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  for (const response of answersOn(sockets)) {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
}

function onlyOnce(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

/** How often idle connections are closed, in milliseconds: whoever has just connected has so long to send a request. */
const IDLE_SWEEP_MS = 250;

/** The answers that have not been sent completely. */
function answersOn(sockets: ReadonlySet<Socket>): ServerResponse[] {
  return [...sockets].flatMap((socket) => (socket as ServerSocket)._httpMessage ?? []);
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
