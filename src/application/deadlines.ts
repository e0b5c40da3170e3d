/**
 * Deadlines of what is under way: hundreds at a time, of which hardly any is ever reached. They share one timer, as one
 * for each costs more than most of what it guards.
 */

/** To be taken back by whoever was in time. */
export interface Deadline {
  /** By `performance.now()`. */
  readonly at: number;
  readonly onReached: () => void;
}

export class Deadlines {
  readonly #pending = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer fires; too early where the deadline that it was set for has been taken back. */
  #firesAt = Number.POSITIVE_INFINITY;

  /** How many have neither been reached nor taken back. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Calls `onReached` once, no earlier than `at` by `performance.now()`; it must not throw. Keeps no process running. */
  set(at: number, onReached: () => void): Deadline {
    const deadline: Deadline = { at, onReached };
    this.#pending.add(deadline);
    if (at < this.#firesAt) this.#arm(at);
    return deadline;
  }

  /** From now on, it is not reached. */
  clear(deadline: Deadline): void {
    this.#pending.delete(deadline);
  }

  #arm(at: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = at;
    this.#timer = setTimeout(() => this.#fire(), Math.max(0, Math.ceil(at - performance.now())));
    this.#timer.unref();
  }

  #fire(): void {
    const now = performance.now();
    this.#firesAt = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    const reached: Deadline[] = [];
    for (const deadline of this.#pending) {
      if (deadline.at <= now) reached.push(deadline);
      else if (deadline.at < next) next = deadline.at;
    }
    if (next < this.#firesAt) this.#arm(next);
    for (const deadline of reached) if (this.#pending.delete(deadline)) deadline.onReached();
  }
}
