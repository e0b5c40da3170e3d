/**
 * Reads the rest of a request's body once its answer is ready. An unread rest would break the next request on
 * the connection, and a client that is reset while it sends would lose its answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_DRAINED_BYTES = 65_536;

const MAX_DRAIN_MS = 1_000;

/** Milliseconds that a client may keep sending after an answer that ends the connection. */
const LINGER_MS = 2_000;

/** The pause after each discarded 64 KiB, so unwanted bytes do not block the event loop. */
const CHUNK_REST_MS = 10;

const UNREAD_REST_MS = 20;

/**
 * Resolves when the answer may be written. If much of the body is left, the answer gets `Connection: close`, and the
 * client gets time to read it.
 */
export async function finishBody(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (!hasBody(incoming) || incoming.readableEnded || incoming.destroyed) return;
  if (Number(incoming.headers['content-length'] ?? 0) <= MAX_DRAINED_BYTES && (await drain(incoming))) return;
  // Slows down clients that send many bodies too long to drain.
  await sleep(UNREAD_REST_MS);
  if (outgoing.headersSent || incoming.destroyed) return;
  outgoing.setHeader('Connection', 'close');
  linger(incoming.socket);
  takeSlowly(incoming);
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function drain(incoming: IncomingMessage): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let bytes = 0;
  const settle = (isWhole: boolean) => {
    clearTimeout(timer);
    incoming.off('data', onData).off('end', onEnd).off('close', onClose);
    resolve(isWhole);
  };
  const onEnd = () => settle(true);
  const onClose = () => settle(false);
  const onData = (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_DRAINED_BYTES) settle(false);
  };
  const timer = setTimeout(onClose, MAX_DRAIN_MS);
  incoming.on('data', onData).once('end', onEnd).once('close', onClose).resume();
  return promise;
}

function takeSlowly(incoming: IncomingMessage): void {
  incoming
    .on('data', () => {
      incoming.pause();
      setTimeout(() => incoming.resume(), CHUNK_REST_MS);
    })
    .resume();
}

/**
 * Node calls `destroySoon` once the answer is sent. While the client still sends, that would reset the
 * connection and discard the answer.
 */
function linger(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
