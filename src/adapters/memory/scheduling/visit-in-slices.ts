/** Visits many things in slices that take turns with other work, within a time limit. */
import type { FairQueue } from './fair-queue.ts';
import { waitInQueue } from './wait-in-queue.ts';
import { SLICE_MS } from './yield-to-event-loop.ts';

export interface SlicedVisit {
  readonly queue: FairQueue;
  /** The caller whose turns the slices take. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
  /** In the time of `elapsedMs`. */
  readonly deadline: number;
  /** Monotonic clock, in milliseconds. */
  readonly elapsedMs: () => number;
}

/** Null if everything was visited; otherwise the reason why not. */
export async function visitInSlices<T>(
  things: Iterator<T, unknown>,
  visit: (thing: T) => void,
  { queue, onBehalfOf, signal, deadline, elapsedMs }: SlicedVisit,
): Promise<{ readonly kind: 'timeout' | 'cancelled' } | null> {
  for (;;) {
    await waitInQueue(queue, onBehalfOf, deadline - elapsedMs(), signal);
    if (signal?.aborted) return { kind: 'cancelled' };
    if (elapsedMs() >= deadline) return { kind: 'timeout' };
    const sliceEnd = Math.min(elapsedMs() + SLICE_MS, deadline);
    do {
      const next = things.next();
      if (next.done) return null;
      visit(next.value);
    } while (elapsedMs() < sliceEnd);
  }
}
