/**
 * A look asks how far a replica has replayed. Success admits reads until a read or a look fails. Failure
 * abandons running reads.
 */
import type { ReplicaChange, ReplicaState } from '#application/telemetry/database-use.ts';
import { type PrimaryTimeline, ReplicaLostError, type WalBytes } from './freshness.ts';

export interface ReplicaDeps {
  readonly name: string;
  /** Returns how far the server has replayed; null if it replays nothing. */
  readonly ask: () => Promise<WalBytes | null>;
  readonly timeline: PrimaryTimeline;
  readonly maxLagMs: number;
  readonly onChange: (change: ReplicaChange) => void;
}

export class Replica {
  readonly #deps: ReplicaDeps;
  readonly #reads = new Set<AbortController>();
  #isUsed: boolean | null = null;
  /** A time of `performance.now()`. The replica has all changes made before it. */
  #completeUntil: number | null = null;
  #isAtEnd = false;
  #looking: Promise<void> | null = null;
  #last: { readonly replayed: WalBytes; readonly at: number; readonly isForeign: boolean } | null = null;

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
  }

  get isUsed(): boolean {
    return this.#isUsed === true && this.#lagMs() <= this.#deps.maxLagMs;
  }

  get load(): number {
    return this.#reads.size;
  }

  get state(): ReplicaState {
    const lagMs = this.#completeUntil === null ? null : this.#isAtEnd ? 0 : this.#lagMs();
    return { name: this.#deps.name, isUsed: this.isUsed, lagMs };
  }

  /** Throws `ReplicaLostError` if the replica is lost meanwhile. */
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

  /** Call this if a read could not reach the replica. No other read uses it before a successful look. */
  lose(error: unknown): void {
    this.#become(false, reasonOf(error));
    void this.look();
  }

  /** Concurrent callers share one look. Never rejects. */
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
   * Whether the replica had a position that the primary, asked later, had not reached. Such a replica follows
   * another primary, for example the old one after a failover. It stays foreign until its position changes.
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

  /** Abandons running reads, because they may never end. */
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

/** A look contains no request data, so the error's message may be shown. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [inner] = error instanceof AggregateError ? error.errors : [];
  return error.message || reasonOf(inner ?? error.name);
}
