/**
 * When the primary was where in its log. A replica that has replayed a position is no further behind than the time since
 * the primary was there; so lag is measured by one clock, and a primary on which nothing happens is not taken for a
 * replica that lags, as `pg_last_xact_replay_timestamp` would have it.
 */
import type { Position } from '#application/ports/freshness.ts';

/** A position in the log, in bytes. */
export type WalBytes = bigint;

export function toWalBytes(position: Position | string): WalBytes {
  const [high = '', low = ''] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

interface Place {
  readonly bytes: WalBytes;
  /** When it was last asked for, and still here; by `performance.now()`. */
  readonly at: number;
}

export class PrimaryTimeline {
  /** Oldest first. */
  #places: Place[] = [];
  readonly #keptMs: number;

  /** Remembers where the primary was in the last `keptMs`. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** Where the primary was; `at` is a time before it was asked. */
  note(bytes: WalBytes, at: number): void {
    const last = this.#places.at(-1);
    // Another primary has taken over that had not come as far: what was known of the former one says nothing.
    if (last !== undefined && bytes < last.bytes) this.#places = [];
    else if (last?.bytes === bytes) this.#places.pop();
    this.#places.push({ bytes, at });
    for (let oldest = this.#places[0]; oldest !== undefined; oldest = this.#places[0]) {
      if (at - oldest.at <= this.#keptMs) break;
      this.#places.shift();
    }
  }

  /** The latest time, by `performance.now()`, from before which nothing is missing there; null if none is known. */
  completeUntil(bytes: WalBytes): number | null {
    return this.#places.findLast((place) => place.bytes <= bytes)?.at ?? null;
  }

  /** Whether the primary had not come as far when it was last asked, and that was after this time. */
  wasShortOf(bytes: WalBytes, at: number): boolean {
    const last = this.#places.at(-1);
    return last !== undefined && last.at > at && last.bytes < bytes;
  }

  /** Whether the primary was no further when it was last asked. */
  isAtEnd(bytes: WalBytes): boolean {
    const last = this.#places.at(-1);
    return last !== undefined && last.bytes <= bytes;
  }
}
