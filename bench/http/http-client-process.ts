/**
 * A client over real sockets with one request at a time on each connection. It parses little of each response, because
 * the server shares the two cores.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { LoadOrder, LoadOutcome } from './http-load.ts';

process.on('message', async (order: LoadOrder) => {
  try {
    process.send?.(await run(order));
  } catch (error) {
    process.send?.({ error: String(error) } satisfies LoadOutcome);
  }
});

async function run({
  url,
  method,
  path,
  headers,
  body,
  connections,
  durationMs,
}: LoadOrder): Promise<LoadOutcome> {
  const { hostname, port, host } = new URL(url);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      await once(socket, 'connect');
      return socket;
    }),
  );
  const latenciesMs: number[] = [];
  let sample = '';
  const startedAt = performance.now();
  const deadline = startedAt + durationMs;
  await Promise.all(
    sockets.map((socket) =>
      keepAsking(socket, request, deadline, (ms, answer) => {
        latenciesMs.push(ms);
        if (sample === '') sample = answer();
      }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const socket of sockets) socket.destroy();
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0;
  return { requests: latenciesMs.length, seconds, p50Ms: at(0.5), p99Ms: at(0.99), sample };
}

/** Repeats the request until the deadline. Rejects on any status but 200. */
function keepAsking(
  socket: Socket,
  request: Buffer,
  deadline: number,
  onAnswer: (ms: number, answer: () => string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let received: Buffer = Buffer.alloc(0);
    const ask = () => {
      received = Buffer.alloc(0);
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed the connection')));
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = endOfAnswer(received);
      if (end === null || received.length < end) return;
      if (!received.subarray(0, 16).toString('latin1').startsWith('HTTP/1.1 200')) {
        reject(new Error(received.toString('utf8').slice(0, 500)));
        return;
      }
      const now = performance.now();
      const answered = received;
      onAnswer(now - sentAt, () => answered.subarray(answered.indexOf('\r\n\r\n') + 4).toString('utf8'));
      if (now < deadline) ask();
      else resolve();
    });
    ask();
  });
}

/** The end of the response; null until the head has arrived. */
function endOfAnswer(received: Buffer): number | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, headEnd))?.[1];
  if (length === undefined) throw new Error('a response without Content-Length');
  return headEnd + 4 + Number(length);
}
