/** Serves metrics on a separate port, so no proxy in front of the service exposes them by accident. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

export interface MetricsServer {
  readonly url: string;
  answerWith(metrics: Pick<Metrics, 'print' | 'contentType'>): void;
  close(): Promise<void>;
}

export interface MetricsAddress {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

/** Rejects with a message for the operator if the port cannot be used. */
export async function bindMetrics({ host, port }: MetricsAddress): Promise<MetricsServer> {
  let metrics: Pick<Metrics, 'print' | 'contentType'> | null = null;
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => {
    const isAsked = request.url?.split('?')[0] === '/metrics';
    if (!isAsked || request.method !== 'GET') {
      response.writeHead(isAsked ? 405 : 404, { Allow: 'GET' }).end('This port serves only GET /metrics.\n');
      return;
    }
    if (metrics === null) {
      response.writeHead(503, { 'Retry-After': '1' }).end('The service is starting.\n');
      return;
    }
    const { print, contentType } = metrics;
    print().then(
      (text) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      () => response.writeHead(500).end('The metrics could not be collected.\n'),
    );
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(`Cannot serve metrics on ${host}:${port} (${code}); choose another METRICS_PORT`, {
      cause: error,
    });
  }
  // This error means that the system has no room for another connection; the client will retry. Unhandled, it
  // would end the process.
  server.on('error', () => undefined);
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`,
    answerWith: (shown) => {
      metrics = shown;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
