/**
 * Limits how much runs at once, in total and per caller, so that a caller who sends slow filters waits behind
 * themselves while everybody else proceeds. Turns go in order of arrival, skipping callers whose share is used up.
 */

/** Ends the turn. To be called exactly once. */
export type Leave = () => void;

interface Waiter {
  readonly caller: string;
  readonly resolve: (turn: Leave | 'timeout' | 'cancelled') => void;
}

export class FairGate {
  readonly #size: number;
  readonly #share: number;
  readonly #inside = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #count = 0;

  /** At most `size` turns at once, and at most `share` of them per caller. */
  constructor(size: number, share: number) {
    this.#size = size;
    this.#share = share;
  }

  /** A turn, or why there was none: `patienceMs` passed, or the signal fired. */
  async enter(
    caller: string,
    patienceMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Leave | 'timeout' | 'cancelled'> {
    if (signal?.aborted === true) return 'cancelled';
    if (this.#mayEnter(caller)) return this.#admit(caller);
    if (patienceMs <= 0) return 'timeout';
    const { promise, resolve } = Promise.withResolvers<Leave | 'timeout' | 'cancelled'>();
    const waiter: Waiter = { caller, resolve };
    this.#waiting.add(waiter);
    const giveUp = (reason: 'timeout' | 'cancelled') => {
      if (this.#waiting.delete(waiter)) resolve(reason);
    };
    const timer = setTimeout(() => giveUp('timeout'), patienceMs);
    const onAbort = () => giveUp('cancelled');
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #mayEnter(caller: string): boolean {
    return this.#count < this.#size && (this.#inside.get(caller) ?? 0) < this.#share;
  }

  #admit(caller: string): Leave {
    this.#count++;
    this.#inside.set(caller, (this.#inside.get(caller) ?? 0) + 1);
    return () => {
      this.#count--;
      const left = (this.#inside.get(caller) ?? 1) - 1;
      if (left === 0) this.#inside.delete(caller);
      else this.#inside.set(caller, left);
      this.#admitWaiting();
    };
  }

  #admitWaiting(): void {
    for (const waiter of this.#waiting) {
      if (this.#count >= this.#size) return;
      if (!this.#mayEnter(waiter.caller)) continue;
      this.#waiting.delete(waiter);
      waiter.resolve(this.#admit(waiter.caller));
    }
  }
}
