/** A caller of another organization, in a separate process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Credential } from '../target/target.ts';

export interface ObserverOrder {
  readonly url: string;
  readonly credential: Credential;
  /** Null for the system's choice. */
  readonly from: string | null;
}

/** Times are in milliseconds. */
export interface Observation {
  readonly previewMs: readonly number[];
  readonly profileMs: readonly number[];
  /** A status other than 200, or `none` without an answer. */
  readonly refusals: readonly string[];
}

export interface Observer {
  /** Observes while the work is done. */
  during(work: () => Promise<void>): Promise<Observation>;
  close(): void;
}

export async function startObserver(order: ObserverOrder): Promise<Observer> {
  const child = fork(join(import.meta.dirname, 'observer-process.ts'));
  child.send(order);
  const [answer] = (await once(child, 'message')) as ['ready' | { readonly fault: string }];
  if (answer !== 'ready') {
    child.disconnect();
    throw new Error(answer.fault);
  }
  return {
    during: async (work) => {
      child.send('begin');
      try {
        await work();
      } finally {
        child.send('end');
      }
      const [observation] = (await once(child, 'message')) as [Observation];
      return observation;
    },
    close: () => child.disconnect(),
  };
}
