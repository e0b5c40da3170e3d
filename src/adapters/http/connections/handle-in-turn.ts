import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** When this many requests wait on a connection, reading from it pauses. */
const MAX_WAITING = 64;

interface Line {
  readonly waiting: (() => void)[];
  isPaused: boolean;
}

/** Handles a pipelined request only once the previous answer on its connection is sent. */
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
    // An earlier answer has ended the connection, so this request is dropped.
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
