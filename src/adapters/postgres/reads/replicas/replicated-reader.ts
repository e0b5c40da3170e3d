/** If a replica fails to answer a read, the primary answers it, and the caller notices nothing. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { classifyFailure, DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import { ReadRefused } from '#adapters/postgres/reads/running/read-refusal.ts';
import type { ReadOptions, ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import type { Freshness } from '#application/ports/freshness.ts';
import type { PassedOverReason, ReplicaUse } from '#application/telemetry/database-use.ts';
import { type PrimaryTimeline, ReplicaBehindError, ReplicaLostError, type WalBytes } from './freshness.ts';
import type { Replica } from './replica.ts';

interface Running {
  readonly freshness: Freshness;
  hasCommitted: boolean;
}

/** Applies to work outside requests, such as the worker's. */
const NEVER_BEHIND: Freshness = { mayLag: false, seen: null };

export class FreshnessContext {
  readonly #running = new AsyncLocalStorage<Running>();

  get current(): Freshness {
    return this.#running.getStore()?.freshness ?? NEVER_BEHIND;
  }

  /** Must be called after each commit. */
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

/** Servers are asked at least this often, and more often if the limit on lag is small. */
const LONGEST_INTERVAL_MS = 250;

interface ReplicaSetDeps {
  readonly replicas: readonly Replica[];
  readonly timeline: PrimaryTimeline;
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

  /** Idempotent. No replica is used before its first successful look. */
  watch(): void {
    if (this.#watching !== null || this.#stopping.signal.aborted) return;
    const { replicas, maxLagMs } = this.#deps;
    const intervalMs = Math.min(LONGEST_INTERVAL_MS, maxLagMs / 4);
    // Replicas are asked half an interval after the primary, when they should have reached its position.
    this.#watching = Promise.all([
      this.#repeat(intervalMs, 0, () => this.#notePrimary()),
      ...replicas.map((replica) => this.#repeat(intervalMs, intervalMs / 2, () => replica.look())),
    ]);
  }

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
    // Without the primary's position, no replica can be shown to be fresh, so after a while none is used.
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

interface ReplicatedReaderDeps {
  readonly primary: ScopedReader;
  readonly onReplicas: ReadonlyMap<Replica, ScopedReader>;
  readonly replicas: ReplicaSet;
  readonly context: FreshnessContext;
  readonly timeoutMs: number;
}

type Run<T> = (reader: ScopedReader, options: ReadOptions) => Promise<T>;

export function makeReplicatedReader(deps: ReplicatedReaderDeps): ScopedReader {
  const { primary, onReplicas, replicas, context, timeoutMs } = deps;

  async function run<T>(options: ReadOptions, read: Run<T>): Promise<T> {
    const { mayLag, seen } = context.current;
    const replica = mayLag ? replicas.choose() : null;
    const reader = replica === null ? undefined : onReplicas.get(replica);
    if (replica === null || reader === undefined) {
      replicas.noteRead('primary');
      return read(primary, options);
    }
    const beganAt = performance.now();
    try {
      const result = await replica.run(options.signal, (signal) =>
        read(reader, { ...options, signal, seen }),
      );
      replicas.noteRead('replica');
      return result;
    } catch (error) {
      const reason = reasonOf(error, performance.now() - beganAt < timeoutMs);
      if (reason === 'unreachable') replica.lose(error);
      if (reason === null || options.isRepeatable?.() === false) throw error;
      replicas.notePassedOver(reason);
      replicas.noteRead('primary');
      return read(primary, startedLater(options, performance.now() - beganAt));
    }
  }

  return {
    read: (statement, options) => run(options, (reader, own) => reader.read(statement, own)),
    inSnapshot: (options, work) => run(options, (reader, own) => reader.inSnapshot(own, work)),
    // Every server judges patterns alike, so the primary suffices.
    withPatterns: primary.withPatterns,
    use: () => [
      ...primary.use(),
      ...[...onReplicas].flatMap(([{ state }, reader]) =>
        reader.use().map((use) => ({ ...use, replica: state.name })),
      ),
    ],
    close: async () => {
      await Promise.all([primary, ...onReplicas.values()].map((reader) => reader.close()));
    },
  };
}

/** Like the wait for a turn, time at the replica does not count toward the limit. */
function startedLater(options: ReadOptions, byMs: number): ReadOptions {
  return options.startedAt === undefined ? options : { ...options, startedAt: options.startedAt + byMs };
}

/**
 * Returns null if the primary would fail in the same way. Other errors may occur only on the replica, for
 * example because it lacks a new table. `isEarly` means that no time limit can have passed.
 */
function reasonOf(error: unknown, isEarly: boolean): PassedOverReason | null {
  if (error instanceof ReplicaBehindError) return 'behind';
  if (error instanceof ReplicaLostError) return 'unreachable';
  if (error instanceof ReadRefused) {
    const wasStopped = error.refusal.kind === 'timeout' && classifyFailure(error.cause) === 'stopped';
    return wasStopped && isEarly ? 'conflict' : null;
  }
  if (error instanceof DatabaseBusyError) return null;
  switch (classifyFailure(error)) {
    case 'conflict':
      return 'conflict';
    case 'unavailable':
      return 'unreachable';
    default:
      return 'failed';
  }
}
