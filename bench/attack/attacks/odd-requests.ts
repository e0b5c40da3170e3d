/** Ambiguous requests, and bodies of requests that are refused by their heads. */
import type { Attack } from '../attack.ts';
import type { Tally } from '../tally.ts';
import { repeat } from '../target/flood.ts';
import { firstStatus, head, openConnection } from '../target/raw-connection.ts';

const CLIENTS = 4;

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** All are answered 400. */
const AMBIGUOUS: readonly ((url: string) => string)[] = [
  (url) => head(url, 'GET /healthz', {}).replace('\r\n\r\n', '\r\nHost: elsewhere.example\r\n\r\n'),
  (url) => head(url, 'POST /api/v1/auth/login', { ...JSON_TYPE, 'Transfer-Encoding': 'gzip, chunked' }),
  (url) => head(url, 'POST /api/v1/auth/login', { ...JSON_TYPE, 'Transfer-Encoding': 'identity' }),
  (url) =>
    head(url, 'POST /api/v1/auth/login', {
      ...JSON_TYPE,
      'Transfer-Encoding': 'chunked',
      'Content-Length': 4,
    }),
];

export const ambiguousRequests: Attack = {
  name: 'ambiguous-requests',
  title: 'two hosts, odd transfer codings',
  flood: ({ url }, tally, signal) =>
    repeat(CLIENTS, signal, async (client, round) => {
      const request = AMBIGUOUS[(client + round) % AMBIGUOUS.length]?.(url) ?? '';
      await sayOnce(url, `${request}0\r\n\r\n`, tally, signal);
    }),
};

/** The head is refused with 401, 404, 405, 413 or 415. */
const UNWANTED: readonly ((url: string) => string)[] = [
  (url) => head(url, 'POST /api/v1/filters', { ...JSON_TYPE, 'Content-Length': 900_000 }),
  (url) => head(url, 'POST /api/v1/nothing', { ...JSON_TYPE, 'Content-Length': 900_000 }),
  (url) => head(url, 'PUT /api/v1/filters', { ...JSON_TYPE, 'Content-Length': 900_000 }),
  (url) => head(url, 'POST /api/v1/auth/login', { ...JSON_TYPE, 'Content-Length': 900_000 }),
  (url) => head(url, 'POST /api/v1/auth/login', { 'Content-Type': 'text/plain', 'Content-Length': 900_000 }),
];

/** Encoded once, because the attacker may share the machine with the service. */
const UNWANTED_BODY = Buffer.alloc(900_000, 'x');

export const unwantedBodies: Attack = {
  name: 'unwanted-bodies',
  title: 'bodies behind answers that do not wait for them',
  flood: ({ url }, tally, signal) =>
    repeat(CLIENTS, signal, async (client, round) => {
      const request = UNWANTED[(client + round) % UNWANTED.length]?.(url) ?? '';
      await sayOnce(url, Buffer.concat([Buffer.from(request), UNWANTED_BODY]), tally, signal);
    }),
};

/** Uses a new connection, to the first answer. */
async function sayOnce(
  url: string,
  request: string | Buffer,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const socket = await openConnection(url, signal);
  if (socket === null) return;
  tally.send();
  socket.write(request);
  const status = await firstStatus(socket);
  if (status !== null || !signal.aborted) tally.receive(status);
  socket.destroy();
}
