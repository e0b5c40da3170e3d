/**
 * This process notes when the primary was at which position. A replica that has replayed a position lags by at most the
 * time since then. With `pg_last_xact_replay_timestamp`, replicas of an idle primary would look late.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import type { DatabaseConnection } from '#adapters/postgres/setup/connections/connection-config.ts';
import type { Position } from '#application/ports/freshness.ts';

export type WalBytes = bigint;

export function toWalBytes(position: Position | string): WalBytes {
  const [high = '', low = ''] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

interface Place {
  readonly bytes: WalBytes;
  /** A time of `performance.now()`. */
  readonly at: number;
}

export class PrimaryTimeline {
  /** Oldest first. */
  #places: Place[] = [];
  readonly #keptMs: number;

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** `at` is when the question to the primary was sent, so lag is never underestimated. */
  note(bytes: WalBytes, at: number): void {
    const last = this.#places.at(-1);
    // After a failover, the new primary may be behind the old one, so old positions no longer count.
    if (last !== undefined && bytes < last.bytes) this.#places = [];
    else if (last?.bytes === bytes) this.#places.pop();
    this.#places.push({ bytes, at });
    for (let oldest = this.#places[0]; oldest !== undefined; oldest = this.#places[0]) {
      if (at - oldest.at <= this.#keptMs) break;
      this.#places.shift();
    }
  }

  /** The time (`performance.now()`) up to which a server at this position has every change. Null if unknown. */
  completeUntil(bytes: WalBytes): number | null {
    return this.#places.findLast((place) => place.bytes <= bytes)?.at ?? null;
  }

  /** Whether the primary was last asked after `at` and had not yet reached this position. */
  wasShortOf(bytes: WalBytes, at: number): boolean {
    const last = this.#places.at(-1);
    return last !== undefined && last.at > at && last.bytes < bytes;
  }

  /** Whether the primary, when last asked, was not beyond this position. */
  isAtEnd(bytes: WalBytes): boolean {
    const last = this.#places.at(-1);
    return last !== undefined && last.bytes <= bytes;
  }
}

/**
 * The position covers every commit. It is usually the flushed one, because replicas receive only flushed
 * changes. With `synchronous_commit = off`, a commit may not be flushed yet.
 */
export const COMMITTED = `select (case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as position`;

/** NULL if the server was promoted or never was a replica. */
export const REPLAYED =
  'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as position';

interface PositionRow {
  readonly position: string | null;
}

/** Asks a server for its position, on a separate connection. */
export class WalProbe {
  readonly #pool: Pool;
  readonly #question: string;

  /** An answer that takes longer than `patienceMs` is dropped. */
  constructor(
    connection: DatabaseConnection,
    question: typeof COMMITTED | typeof REPLAYED,
    patienceMs: number,
  ) {
    const limits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs };
    this.#pool = new Pool({ ...connection, ...limits, max: 1, idleTimeoutMillis: 0 });
    this.#question = question;
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async ask(): Promise<WalBytes | null> {
    const client = await this.#pool.connect();
    try {
      const { rows } = await client.query<PositionRow>(this.#question);
      client.release();
      const position = rows[0]?.position ?? null;
      return position === null ? null : toWalBytes(position);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** The position is at or after that of every earlier commit. */
export async function readPosition(pool: Pool): Promise<Position> {
  const { rows } = await pool.query<{ position: Position }>(COMMITTED);
  const [row] = rows;
  if (row === undefined) throw new Error('the server did not say where it is');
  return row.position;
}

export class ReplicaBehindError extends Error {
  override readonly name = 'ReplicaBehindError';

  constructor() {
    super('the replica is behind');
  }
}

export class ReplicaLostError extends Error {
  override readonly name = 'ReplicaLostError';

  constructor() {
    super('the replica was lost');
  }
}

/** Throws `ReplicaBehindError` if the replica lags too much or lacks a change that was `seen`. */
export type Admit = (client: PoolClient, seen: Position | null) => Promise<void>;

/** A read waits this long for changes that its client has seen. Most replicas catch up sooner. */
const PATIENCE_MS = 20;

const PAUSE_MS = 2;

/**
 * Asks each connection how far its server has replayed, because one address can lead to several servers. A
 * server never goes back, so its answer is reused until it is too old.
 */
export function makeAdmitFresh(timeline: PrimaryTimeline, maxLagMs: number): Admit {
  const known = new WeakMap<PoolClient, WalBytes>();

  const isFresh = (replayed: WalBytes) =>
    performance.now() - (timeline.completeUntil(replayed) ?? Number.NEGATIVE_INFINITY) <= maxLagMs;

  async function ask(client: PoolClient): Promise<WalBytes> {
    const { rows } = await client.query<PositionRow>(REPLAYED);
    const position = rows[0]?.position ?? null;
    if (position === null) throw new ReplicaBehindError();
    const replayed = toWalBytes(position);
    known.set(client, replayed);
    return replayed;
  }

  return async (client, seen) => {
    const wanted = seen === null ? 0n : toWalBytes(seen);
    const before = known.get(client);
    if (before !== undefined && before >= wanted && isFresh(before)) return;
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const replayed = await ask(client);
      if (!isFresh(replayed)) throw new ReplicaBehindError();
      if (replayed >= wanted) return;
      if (performance.now() >= giveUpAt) throw new ReplicaBehindError();
      await delay(PAUSE_MS);
    }
  };
}
