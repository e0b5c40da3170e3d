/**
 * Lets reads onto a connection to a replica only while what it has is known to be fresh enough. That is asked on the
 * connection itself, as there may be several servers behind one address, and again only when the last answer is too old:
 * a server never goes back while a connection to it lives.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Position } from '#application/ports/freshness.ts';
import { type PrimaryTimeline, toWalBytes, type WalBytes } from './primary-timeline.ts';
import { ReplicaBehindError } from './replica-errors.ts';
import { type PositionRow, REPLAYED } from './wal-probe.ts';

/** Lets a read that must not miss what was `seen` go on; throws `ReplicaBehindError` if it would. */
export type Admit = (client: PoolClient, seen: Position | null) => Promise<void>;

/** How long a read waits for what its client has seen, in milliseconds; replicas are mostly closer than that. */
const PATIENCE_MS = 20;

const PAUSE_MS = 2;

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
