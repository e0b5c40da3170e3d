/** Ends a server: whoever is connected is told to go, those who wait are let in, and what is under way has its time. */
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerSocket } from '#adapters/http/answer/answer-malformed.ts';

/** The connections that there are at any time. */
export function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** From now on every answer asks its client to open a new connection for its next request. */
export function drainServer(server: Server, sockets: ReadonlySet<Socket>): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  for (const response of answersOn(sockets)) {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
}

/** Stops accepting, waits at most `graceMs` for requests in flight, and closes every connection. */
export async function closeServer(
  server: Server,
  sockets: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
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

/** How often idle connections are closed, in milliseconds: whoever has just connected has so long to send a request. */
const IDLE_SWEEP_MS = 250;

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

/** The answers that have not been sent completely. */
function answersOn(sockets: ReadonlySet<Socket>): ServerResponse[] {
  return [...sockets].flatMap((socket) => (socket as ServerSocket)._httpMessage ?? []);
}
