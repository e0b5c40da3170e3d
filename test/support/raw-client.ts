/** A client that says exactly what it is told to, well-formed or not. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What the server said, all of it. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface RawClient {
  readonly socket: Socket;
  send(text: string | Uint8Array): void;
  /** Waits for the end of the connection. Gives every answer that came, and how the connection ended. */
  ended(): Promise<{ readonly answers: readonly RawAnswer[]; readonly errorCode: string | null }>;
  /** Waits for the next answer. */
  answered(): Promise<RawAnswer>;
}

export async function connectRaw(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let errorCode: string | null = null;
  let received = Buffer.alloc(0);
  let taken = 0;
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
  });
  socket.on('error', (error: Error & { code?: string }) => {
    errorCode = error.code ?? error.message;
  });
  // Not by `once`, which rejects on the errors that are noted here.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return {
    socket,
    send: (text) => {
      socket.write(text);
    },
    ended: async () => {
      await closed;
      return { answers: parseAnswers(received.toString()), errorCode };
    },
    answered: async () => {
      for (;;) {
        const answer = parseAnswers(received.toString())[taken];
        if (answer !== undefined) {
          taken++;
          return answer;
        }
        if (socket.closed) throw new Error(`the connection ended (${errorCode}) without another answer`);
        await Promise.race([once(socket, 'data'), closed]);
      }
    },
  };
}

/** The whole answers at the head of a text, each of a declared length or without a body. */
function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = Buffer.from(text);
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return answers;
    const [start = '', ...lines] = rest.subarray(0, end).toString().split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1)];
      }),
    );
    const bodyEnd = end + 4 + Number(headers.get('Content-Length') ?? 0);
    if (rest.length < bodyEnd) return answers;
    const status = Number(start.split(' ')[1]);
    // 100 Continue announces an answer and is none.
    if (status >= 200) answers.push({ status, headers, body: rest.subarray(end + 4, bodyEnd).toString() });
    rest = rest.subarray(bodyEnd);
  }
}
