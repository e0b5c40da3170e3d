/** Handles the requests of each connection one after the other, however many a client sends ahead (pipelining). */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Requests of one connection that may wait for their turn; beyond, nothing more is read from it for now. */
const MAX_WAITING = 64;

/** The requests of a connection behind the one that is being handled. */
interface Line {
  readonly waiting: (() => void)[];
  isPaused: boolean;
}

/** Calls `handle` for the next request of a connection only when the answer before has been sent. */
export function handleInTurn(handle: RequestListener): RequestListener {
  const lines = new WeakMap<IncomingMessage['socket'], Line>();

  function begin(request: IncomingMessage, response: ServerResponse, line: Line): void {
    response.once('close', () => proceed(request.socket, line));
    handle(request, response);
  }

  function proceed(socket: IncomingMessage['socket'], line: Line): void {
    const next = socket.writable ? line.waiting.shift() : undefined;
    if (line.isPaused && line.waiting.length < MAX_WAITING / 2) {
      line.isPaused = false;
      socket.resume();
    }
    if (next === undefined) lines.delete(socket);
    else next();
  }

  return (request, response) => {
    const { socket } = request;
    // Behind an answer that ended the connection, nothing is answered any more.
    if (!socket.writable) return;
    const line = lines.get(socket);
    if (line === undefined) {
      const first: Line = { waiting: [], isPaused: false };
      lines.set(socket, first);
      begin(request, response, first);
      return;
    }
    line.waiting.push(() => begin(request, response, line));
    if (line.waiting.length >= MAX_WAITING && !line.isPaused) {
      line.isPaused = true;
      socket.pause();
    }
  };
}
