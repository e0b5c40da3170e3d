/** What the request that runs asks of its reads, and whether it has committed anything. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Freshness } from '#application/ports/freshness.ts';

interface Running {
  readonly freshness: Freshness;
  hasCommitted: boolean;
}

/** Of whoever runs outside of a request, such as the worker. */
const NEVER_BEHIND: Freshness = { mayLag: false, seen: null };

export class FreshnessContext {
  readonly #running = new AsyncLocalStorage<Running>();

  get current(): Freshness {
    return this.#running.getStore()?.freshness ?? NEVER_BEHIND;
  }

  /** To be called after each commit. */
  noteCommit(): void {
    const running = this.#running.getStore();
    if (running !== undefined) running.hasCommitted = true;
  }

  async run<T>(freshness: Freshness, work: () => Promise<T>): Promise<{ result: T; hasCommitted: boolean }> {
    const running: Running = { freshness, hasCommitted: false };
    const result = await this.#running.run(running, work);
    return { result, hasCommitted: running.hasCommitted };
  }
}
