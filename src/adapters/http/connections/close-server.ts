/** Closes a server without resetting requests in flight. */
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerSocket } from '#adapters/http/answer/answer-malformed.ts';

export function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

export function drainServer(server: Server, sockets: ReadonlySet<Socket>): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  for (const response of answersOn(sockets)) {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
}

export async function closeServer(
  server: Server,
  sockets: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
  const closed = once(server, 'close');
  await untilQueueIsEmpty(server);
  // In Node 26, `close()` of node:http and `closeIdleConnections()` treat a connection as idle before its
  // whole answer is sent, so neither may run during an answer.
  NetServer.prototype.close.call(server);
  const closeIdle = () => {
    if (!answersOn(sockets).some((response) => response.writableEnded)) server.closeIdleConnections();
  };
  // `setImmediate` lets the server first read what has arrived, so it does not reset a connection with a new request.
  const sweep = setInterval(() => setImmediate(closeIdle), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  // Stops the timer that checks for slow clients.
  server.close();
}

/**
 * Time between sweeps of idle connections. The first sweep also waits this long, so a new connection can send
 * its request.
 */
const IDLE_SWEEP_MS = 250;

/**
 * Accepts all connections that wait in the system's queue. Closing the listener would reset them, and a proxy
 * does not retry a request that changes data.
 */
async function untilQueueIsEmpty(server: Server): Promise<void> {
  let hasCome = false;
  const noteConnection = () => {
    hasCome = true;
  };
  server.on('connection', noteConnection);
  const giveUpAt = performance.now() + LONGEST_WAIT_MS;
  // From here on, each turn of the event loop accepts connections once.
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

/** After a turn this short, hardly any client can be left in the queue. */
const SHORT_TURN_MS = 0.25;

const LONGEST_WAIT_MS = 1_000;

function answersOn(sockets: ReadonlySet<Socket>): ServerResponse[] {
  return [...sockets].flatMap((socket) => (socket as ServerSocket)._httpMessage ?? []);
}
