/**
 * Takes in what is left of a request's body when its answer is ready. A connection that is kept with half a body on
 * it, or reset while a client still sends, costs the client its answer, and a pool of connections its next request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How much more of a body is read and thrown away so that the connection can be kept, in bytes. */
const MAX_DRAINED_BYTES = 65_536;

/** How long that may take, in milliseconds. */
const MAX_DRAIN_MS = 1_000;

/** How long a client may go on sending after an answer that ends the connection, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * How long what it sends then is left lying after each chunk of 64 KiB, in milliseconds. Read as fast as it comes, what
 * nobody wants would take the event loop from everybody. A body of some megabytes still comes to its end.
 */
const CHUNK_REST_MS = 10;

/**
 * Resolves when the answer may be written: at once where the body has been read, else when its short rest has
 * arrived. Otherwise the answer will say `Connection: close`, and the client has time to read it.
 */
export async function finishBody(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (!hasBody(incoming) || incoming.readableEnded || incoming.destroyed) return;
  if (Number(incoming.headers['content-length'] ?? 0) <= MAX_DRAINED_BYTES && (await drain(incoming))) return;
  if (outgoing.headersSent || incoming.destroyed) return;
  outgoing.setHeader('Connection', 'close');
  linger(incoming.socket);
  takeSlowly(incoming);
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Whether the body came to its end within the bounds. */
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
 * Node ends such a connection with `destroySoon`, as soon as the answer has been sent. Whatever the client sends
 * after that is met with a reset, which discards the answer at its end.
 */
function linger(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
