/** Connections that say what they like, and read only what they are asked to. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Credential, credentialHeaders } from './target.ts';

/** Before the next try, in milliseconds: a loop without a pause would be felt by the attacker alone. */
export const RETRY_MS = 50;

/** Null where it cannot be opened; the signal ends it. */
export async function openConnection(url: string, signal: AbortSignal): Promise<Socket | null> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port === '' ? 80 : port), signal });
  // Being cut off is what some of them are there for.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    await sleep(RETRY_MS);
    return null;
  }
}

/** The head of a request, with the empty line at its end. */
export function head(
  url: string,
  line: string,
  headers: Readonly<Record<string, string | number>>,
  credential?: Credential,
): string {
  const all = {
    Host: new URL(url).host,
    ...(credential !== undefined && credentialHeaders(credential)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** The status of the first answer; null where the connection ends without one. */
export async function firstStatus(socket: Socket): Promise<number | null> {
  let text = '';
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += (chunk as Buffer).toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      if (status !== undefined) return Number(status);
    }
  } catch {
    // Cut off.
  }
  return null;
}

/** Resolves when the connection has ended, however it did. */
export function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}
