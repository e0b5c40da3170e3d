/** The replicas of one primary, looked at side by side, and what was read where. */
import { setTimeout as delay } from 'node:timers/promises';
import type { PassedOverReason, ReplicaUse } from '#application/telemetry/replica-use.ts';
import type { PrimaryTimeline, WalBytes } from './primary-timeline.ts';
import type { Replica } from './replica.ts';

/** How often each server is asked, in milliseconds; more often where little lag is allowed. */
const LONGEST_INTERVAL_MS = 250;

export interface ReplicaSetDeps {
  readonly replicas: readonly Replica[];
  readonly timeline: PrimaryTimeline;
  /** How far the primary has come. */
  readonly askPrimary: () => Promise<WalBytes | null>;
  readonly maxLagMs: number;
}

export class ReplicaSet {
  readonly #deps: ReplicaSetDeps;
  readonly #stopping = new AbortController();
  readonly #reads = { primary: 0, replica: 0 };
  readonly #passedOver = { unreachable: 0, behind: 0, conflict: 0, failed: 0 };
  #watching: Promise<unknown> | null = null;

  constructor(deps: ReplicaSetDeps) {
    this.#deps = deps;
  }

  /** Begins to look at the servers, unless that has begun; until a first look was good, no replica is used. */
  watch(): void {
    if (this.#watching !== null || this.#stopping.signal.aborted) return;
    const { replicas, maxLagMs } = this.#deps;
    const intervalMs = Math.min(LONGEST_INTERVAL_MS, maxLagMs / 4);
    // Replicas are looked at half an interval after the primary, when they have what it had.
    this.#watching = Promise.all([
      this.#repeat(intervalMs, 0, () => this.#notePrimary()),
      ...replicas.map((replica) => this.#repeat(intervalMs, intervalMs / 2, () => replica.look())),
    ]);
  }

  /** The replica with the fewest reads; null if none is fit. */
  choose(): Replica | null {
    let least: Replica | null = null;
    for (const replica of this.#deps.replicas) {
      if (replica.isUsed && (least === null || replica.load < least.load)) least = replica;
    }
    return least;
  }

  noteRead(server: 'primary' | 'replica'): void {
    this.#reads[server]++;
  }

  notePassedOver(reason: PassedOverReason): void {
    this.#passedOver[reason]++;
  }

  get use(): ReplicaUse {
    return {
      replicas: this.#deps.replicas.map(({ state }) => state),
      reads: { ...this.#reads },
      passedOver: { ...this.#passedOver },
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
  }

  async #notePrimary(): Promise<void> {
    const at = performance.now();
    // Without it, no replica can be shown to be fresh, and none is used.
    const flushed = await this.#deps.askPrimary().catch(() => null);
    if (flushed !== null) this.#deps.timeline.note(flushed, at);
  }

  async #repeat(intervalMs: number, firstAfterMs: number, step: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    for (let pause = firstAfterMs; !signal.aborted; pause = intervalMs) {
      await delay(pause, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await step();
    }
  }
}
