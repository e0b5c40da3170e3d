import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface LoadOrder {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly connections: number;
  readonly durationMs: number;
}

export type LoadOutcome = LoadResult | { readonly error: string };

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The body of the first response. */
  readonly sample: string;
}

export interface HttpClient {
  /** Rejects if any response is not 200. */
  run(order: LoadOrder): Promise<LoadResult>;
  close(): void;
}

export function startHttpClient(): HttpClient {
  const child = fork(join(import.meta.dirname, 'http-client-process.ts'));
  return {
    run: async (order) => {
      child.send(order);
      const [outcome] = (await once(child, 'message')) as [LoadOutcome];
      if ('error' in outcome) throw new Error(`HTTP ${order.path}: ${outcome.error}`);
      return outcome;
    },
    close: () => child.disconnect(),
  };
}
