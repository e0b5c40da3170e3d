/**
 * One replica: whether reads go there, found out beside them. It is used once a look at it was good, and no more from the
 * moment that a read or a look fails; reads that run there then are given up.
 */
import type { ReplicaState } from '#application/telemetry/replica-use.ts';
import type { PrimaryTimeline, WalBytes } from './primary-timeline.ts';
import { ReplicaLostError } from './replica-errors.ts';

/** A change of whether it is used. */
export interface ReplicaChange {
  readonly replica: string;
  readonly isUsed: boolean;
  /** Why it is not. */
  readonly reason?: string;
}

export interface ReplicaDeps {
  readonly name: string;
  /** How far it has replayed; null: it replays nothing. */
  readonly ask: () => Promise<WalBytes | null>;
  readonly timeline: PrimaryTimeline;
  readonly maxLagMs: number;
  readonly onChange: (change: ReplicaChange) => void;
}

export class Replica {
  readonly #deps: ReplicaDeps;
  readonly #reads = new Set<AbortController>();
  #isUsed: boolean | null = null;
  /** By `performance.now()`; what is missing there, the primary has had for no longer. */
  #completeUntil: number | null = null;
  #isAtEnd = false;
  #looking: Promise<void> | null = null;
  /** How far it was at the last look, and when that was. */
  #last: { readonly replayed: WalBytes; readonly at: number; readonly isForeign: boolean } | null = null;

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
  }

  get isUsed(): boolean {
    return this.#isUsed === true && this.#lagMs() <= this.#deps.maxLagMs;
  }

  /** How many reads are there. */
  get load(): number {
    return this.#reads.size;
  }

  get state(): ReplicaState {
    const lagMs = this.#completeUntil === null ? null : this.#isAtEnd ? 0 : this.#lagMs();
    return { name: this.#deps.name, isUsed: this.isUsed, lagMs };
  }

  /** Runs a read there. Throws `ReplicaLostError` if the replica is lost meanwhile. */
  async run<T>(signal: AbortSignal | undefined, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const onAbort = () => controller.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    this.#reads.add(controller);
    try {
      return await read(controller.signal);
    } catch (error) {
      throw controller.signal.reason instanceof ReplicaLostError ? controller.signal.reason : error;
    } finally {
      this.#reads.delete(controller);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** A read has failed as if nobody were there: no other one goes there before a look was good. */
  lose(error: unknown): void {
    this.#become(false, reasonOf(error));
    void this.look();
  }

  /** Looks at it; once for all who ask meanwhile. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { ask, timeline, maxLagMs } = this.#deps;
    try {
      const replayed = await ask();
      if (replayed === null) return this.#leave('it is no replica, or no more');
      if (this.#isForeign(replayed)) return this.#leave('it has what the primary never had');
      this.#completeUntil = timeline.completeUntil(replayed) ?? this.#completeUntil;
      this.#isAtEnd = timeline.isAtEnd(replayed);
      if (this.#completeUntil === null) return;
      const lagMs = this.#lagMs();
      if (lagMs <= maxLagMs) this.#become(true);
      else this.#become(false, `it is ${Math.round(lagMs)} ms behind`);
    } catch (error) {
      this.#leave(reasonOf(error));
    }
  }

  /**
   * Whether it has come further than the primary had when that was asked afterwards: it follows another one, such as the
   * one before a failover. It stays so until it moves.
   */
  #isForeign(replayed: WalBytes): boolean {
    const before = this.#last;
    const isStill = before?.isForeign === true && before.replayed === replayed;
    const isForeign =
      isStill || (before !== null && this.#deps.timeline.wasShortOf(before.replayed, before.at));
    this.#last = { replayed, at: performance.now(), isForeign };
    return isForeign;
  }

  #lagMs(): number {
    return performance.now() - (this.#completeUntil ?? Number.NEGATIVE_INFINITY);
  }

  /** What runs there is given up, as it may never end. */
  #leave(reason: string): void {
    this.#isAtEnd = false;
    this.#become(false, reason);
    for (const read of this.#reads) read.abort(new ReplicaLostError());
  }

  #become(isUsed: boolean, reason?: string): void {
    if (this.#isUsed === isUsed) return;
    this.#isUsed = isUsed;
    const replica = this.#deps.name;
    this.#deps.onChange({ replica, isUsed, ...(reason !== undefined && { reason }) });
  }
}

/** In the driver's or the server's words; the look at a replica has nothing of a request in it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [inner] = error instanceof AggregateError ? error.errors : [];
  return error.message || reasonOf(inner ?? error.name);
}
