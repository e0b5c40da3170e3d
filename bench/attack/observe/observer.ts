/** Somebody of another organization, in a process of their own: what the service is like for them. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Credential } from '../target/target.ts';

/** Whom the process is. */
export interface ObserverOrder {
  readonly url: string;
  readonly credential: Credential;
  /** The address to ask from; null leaves it to the system. */
  readonly from: string | null;
}

/** What they saw; times in milliseconds. */
export interface Observation {
  readonly previewMs: readonly number[];
  readonly profileMs: readonly number[];
  /** What was not 200: a status, or `none` where no answer came. */
  readonly refusals: readonly string[];
}

export interface Observer {
  /** What they see while the work is done. */
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
