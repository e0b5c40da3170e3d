/** Connections with free choice of what is sent and read. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Credential, credentialHeaders } from './target.ts';

/** The pause before the next try, in milliseconds. A loop without one would slow only the attacker. */
export const RETRY_MS = 50;

/** Null if it cannot be opened. The signal ends it. */
export async function openConnection(url: string, signal: AbortSignal): Promise<Socket | null> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port === '' ? 80 : port), signal });
  // Some attacks expect to be cut off.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    await sleep(RETRY_MS);
    return null;
  }
}

/** Includes the empty line at the end. */
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

/** Null if the connection ends without an answer. */
export async function firstStatus(socket: Socket): Promise<number | null> {
  let text = '';
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += (chunk as Buffer).toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      if (status !== undefined) return Number(status);
    }
  } catch {
    // The server has cut it off.
  }
  return null;
}

/** Also resolves if the connection fails. */
export function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}
