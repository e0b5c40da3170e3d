import type { Memberships } from '#application/ports/live/memberships.ts';
import type { FilterId } from '#domain/ids.ts';

/** Time between two polls if no notifications arrive; a pooler does not pass them on. */
const POLL_MS = 200;

/** Minimum time between two polls, however many notifications arrive. */
const SHORTEST_GAP_MS = 10;

/** The head of a filter that was never evaluated. Its readers keep waiting. */
const NO_FEED = Number.NEGATIVE_INFINITY;

interface Waiter {
  readonly filterId: FilterId;
  readonly after: number;
  readonly wake: () => void;
}

/** Waits for changes of feeds. One query serves all waiting readers of the process. */
export class FeedPoll {
  readonly #memberships: Pick<Memberships, 'heads' | 'listen'>;
  readonly #waiters = new Set<Waiter>();
  #isRunning = false;

  constructor(memberships: Pick<Memberships, 'heads' | 'listen'>) {
    this.#memberships = memberships;
  }

  /** Resolves when the feed has a change after `after`, when `ms` have passed, or when the signal aborts. */
  async wait(filterId: FilterId, after: number, ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const waiter = { filterId, after, wake };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake);
    this.#waiters.add(waiter);
    void this.#poll();
    await promise;
    this.#waiters.delete(waiter);
    clearTimeout(timer);
    signal?.removeEventListener('abort', wake);
  }

  async #poll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    let wake = () => {};
    let isNews = false;
    const unlisten = this.#memberships.listen('changes', () => {
      isNews = true;
      wake();
    });
    while (this.#waiters.size > 0) {
      try {
        isNews = false;
        const heads = await this.#memberships.heads([
          ...new Set(this.#waiters.values().map(({ filterId }) => filterId)),
        ]);
        for (const { filterId, after, wake } of this.#waiters)
          if ((heads.get(filterId) ?? NO_FEED) > after) wake();
      } catch {
        // The woken readers read the feed next, and get the error themselves.
        for (const { wake } of this.#waiters) wake();
      }
      await sleep(SHORTEST_GAP_MS);
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, isNews ? 0 : POLL_MS);
      await promise;
      clearTimeout(timer);
    }
    unlisten();
    this.#isRunning = false;
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
