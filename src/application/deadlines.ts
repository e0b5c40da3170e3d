/**
 * Deadlines are rarely reached, so one timer serves all. A timer for each would cost more than most
 * statements that it guards.
 */

export interface Deadline {
  /** Compared with `performance.now()`. */
  readonly at: number;
  readonly onReached: () => void;
}

export class Deadlines {
  readonly #pending = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The time at which the timer fires. It is too early if the deadline that set the timer was cleared. */
  #firesAt = Number.POSITIVE_INFINITY;

  get pending(): number {
    return this.#pending.size;
  }

  /** Calls `onReached`, which must not throw, once at or after `at`. The timer does not keep the process running. */
  set(at: number, onReached: () => void): Deadline {
    const deadline: Deadline = { at, onReached };
    this.#pending.add(deadline);
    if (at < this.#firesAt) this.#arm(at);
    return deadline;
  }

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
