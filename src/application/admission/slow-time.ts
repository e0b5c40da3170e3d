/**
 * How much slow work a tenant has had lately: what its turns have lasted beyond a quick one's time. Nothing says
 * beforehand how long an evaluation takes, and one that runs cannot be set aside; so whoever has run up slow time is
 * given fewer turns at once, until it has worn off.
 */

/** How a tenant whose turns last long is held to fewer of them. */
export interface SlowLimits {
  /** Milliseconds that a turn may last and be quick. */
  readonly afterMs: number;
  /** Milliseconds of slow time that a tenant may have and still be given every turn. */
  readonly allowanceMs: number;
  /** Units that a tenant beyond its allowance may hold; at least 1. */
  readonly perTenant: number;
}

/** Slow time that wears off, for each millisecond: less than one slow turn after the other adds. */
const WORN_OFF = 0.5;

/** The most that is kept of it, in allowances: whoever has stopped is soon served as before. */
const MAX_ALLOWANCES = 5;

export class SlowTime {
  readonly #limits: SlowLimits;
  readonly #running = new Set<{ readonly begunAt: number }>();
  /** Of turns that have ended, as of `#at`. */
  #ended = 0;
  #at = 0;

  constructor(limits: SlowLimits) {
    this.#limits = limits;
  }

  /** A turn begins, by a clock that never steps, in milliseconds; to be called with the time at its end. */
  begin(now: number): (now: number) => void {
    const turn = { begunAt: now };
    this.#running.add(turn);
    return (end) => {
      this.#running.delete(turn);
      const most = MAX_ALLOWANCES * this.#limits.allowanceMs;
      this.#ended = Math.min(this.#endedBy(end) + this.#slowPart(turn, end), most);
      this.#at = end;
    };
  }

  /** Whether the tenant is to have fewer turns. */
  isBeyond(now: number): boolean {
    let sum = this.#endedBy(now);
    for (const turn of this.#running) sum += this.#slowPart(turn, now);
    return sum > this.#limits.allowanceMs;
  }

  /** Whether there is nothing to remember. */
  isOver(now: number): boolean {
    return this.#running.size === 0 && this.#endedBy(now) === 0;
  }

  #endedBy(now: number): number {
    return Math.max(0, this.#ended - (now - this.#at) * WORN_OFF);
  }

  #slowPart({ begunAt }: { readonly begunAt: number }, now: number): number {
    return Math.max(0, now - begunAt - this.#limits.afterMs);
  }
}
