/** A proxy to the test server that can hold back all requests, like a database that is too busy. */
import { connect, createServer, type Socket } from 'node:net';

export interface PausableProxy {
  /** The address of the server through the proxy. */
  readonly url: string;
  /** From now on nothing reaches the server. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

export async function startPausableProxy(serverUrl: string): Promise<PausableProxy> {
  const url = new URL(serverUrl);
  const [host, port] = [url.hostname, Number(url.port || 5432)];
  const pairs = new Map<Socket, Socket>();
  let isPaused = false;
  const server = createServer((socket) => {
    const upstream = connect(port, host);
    pairs.set(socket, upstream);
    upstream.pipe(socket);
    if (!isPaused) socket.pipe(upstream);
    for (const end of [socket, upstream]) {
      end.on('error', () => undefined);
      end.on('close', () => {
        pairs.delete(socket);
        socket.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return {
    url: url.href,
    pause: () => {
      isPaused = true;
      for (const [socket, upstream] of pairs) socket.unpipe(upstream).pause();
    },
    resume: () => {
      isPaused = false;
      for (const [socket, upstream] of pairs) socket.pipe(upstream);
    },
    close: async () => {
      for (const socket of pairs.keys()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
