/**
 * Lets so many in at once, and of each caller only a share, so that one who sends slow filters waits behind
 * themselves and everybody else goes past. Turns are given in the order of arrival among those who may have one.
 */

/** Ends the turn; to be called once. */
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

  /** `size` at once, of each caller at most `share`. */
  constructor(size: number, share: number) {
    this.#size = size;
    this.#share = share;
  }

  /** A turn, or why there is none. */
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
