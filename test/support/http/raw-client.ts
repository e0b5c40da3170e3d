/** A client that sends exactly the given bytes, whether valid HTTP or not. */
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One complete answer of the server. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface RawEnd {
  readonly answers: readonly RawAnswer[];
  /** The bytes after the last complete answer. */
  readonly rest: string;
  /** The error that ended the connection, if any. */
  readonly errorCode: string | null;
}

export interface RawClient {
  readonly socket: Socket;
  send(text: string | Uint8Array): void;
  /** Waits for the next complete answer. */
  answered(): Promise<RawAnswer>;
  /** Waits for the end of the connection. */
  ended(): Promise<RawEnd>;
}

/** @param options `allowHalfOpen` keeps the client's side open after the server has closed the other side */
export async function connectRaw(url: string, options: { allowHalfOpen?: boolean } = {}): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect({ ...options, port: Number(port), host: hostname });
  const answers = new AnswerReader();
  const news = new EventEmitter().setMaxListeners(0);
  let taken = 0;
  let errorCode: string | null = null;
  socket.on('data', (chunk: Buffer) => {
    answers.add(chunk);
    news.emit('news');
  });
  socket.on('error', (error: Error & { code?: string }) => {
    errorCode = error.code ?? error.message;
  });
  socket.on('close', () => news.emit('news'));
  await once(socket, 'connect');
  return {
    socket,
    send: (text) => {
      socket.write(text);
    },
    answered: async () => {
      for (;;) {
        const answer = answers.whole[taken];
        if (answer !== undefined) {
          taken++;
          return answer;
        }
        if (socket.closed) throw new Error(`the connection ended (${errorCode}) without another answer`);
        await once(news, 'news');
      }
    },
    ended: async () => {
      while (!socket.closed) await once(news, 'news');
      return { answers: answers.whole, rest: answers.rest(), errorCode };
    },
  };
}

/** Reads answers with a declared length, or without a body, from a stream of bytes. */
class AnswerReader {
  readonly whole: RawAnswer[] = [];
  #chunks: Buffer[] = [];
  #size = 0;
  /** With fewer bytes, the answer is known to be incomplete. */
  #needed = 0;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size > 0 && this.#size >= this.#needed && this.#take());
  }

  rest(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  /** Reads one answer; false if the answer is not complete yet. */
  #take(): boolean {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd === -1) return false;
    const [start = '', ...lines] = bytes.subarray(0, headEnd).toString().split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1)];
      }),
    );
    const end = headEnd + 4 + Number(headers.get('Content-Length') ?? 0);
    this.#needed = end;
    if (bytes.length < end) return false;
    const status = Number(start.split(' ')[1]);
    // 100 Continue only announces an answer.
    if (status >= 200) this.whole.push({ status, headers, body: bytes.toString('utf8', headEnd + 4, end) });
    this.#chunks = [bytes.subarray(end)];
    this.#size = bytes.length - end;
    this.#needed = 0;
    return true;
  }
}
