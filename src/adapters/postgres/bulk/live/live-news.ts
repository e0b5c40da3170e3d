/**
 * Learns of marks and changes through LISTEN, on one connection per process. Notifications do not pass a pooler, so
 * workers and readers also poll.
 */
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  type DatabaseConnection,
  makeClient,
} from '#adapters/postgres/setup/connections/connection-config.ts';
import type { LiveNews, Memberships } from '#application/ports/live/memberships.ts';

/** A trigger in the schema repeats the name of the first channel. */
const CHANNELS: Readonly<Record<LiveNews, string>> = {
  marks: 'fleetsift_marks',
  changes: 'fleetsift_changes',
};

export const ANNOUNCE_CHANGES = `select pg_notify('${CHANNELS.changes}', '')`;

const RETRY_AFTER_MS = 1_000;

export interface LiveListener {
  readonly listen: Memberships['listen'];
  close(): Promise<void>;
}

/** Connects on the first call of `listen`. */
export function openLiveListener(connection: DatabaseConnection): LiveListener {
  const { isPooled = false } = connection;
  const wakers: Readonly<Record<LiveNews, Set<() => void>>> = { marks: new Set(), changes: new Set() };
  const closing = new AbortController();
  let client: Client | null = null;
  let running: Promise<void> | null = null;

  const wake = (news: LiveNews) => {
    for (const each of wakers[news]) each();
  };
  async function hear(): Promise<void> {
    const ended = Promise.withResolvers<void>();
    client = makeClient(connection);
    client.on('end', () => ended.resolve());
    client.on('error', () => ended.resolve());
    client.on('notification', ({ channel }) => wake(channel === CHANNELS.marks ? 'marks' : 'changes'));
    try {
      await client.connect();
      await client.query(`listen ${CHANNELS.marks}; listen ${CHANNELS.changes}`);
      // Wakes everybody once, because notifications sent before LISTEN were missed.
      wake('marks');
      wake('changes');
      if (!closing.signal.aborted) await ended.promise;
    } catch {
      // While the database is unreachable, listeners only poll.
    }
    await client.end().catch(() => undefined);
    client = null;
  }
  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await hear();
      await setTimeout(RETRY_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
  return {
    listen(news, waker) {
      const own = () => waker();
      wakers[news].add(own);
      if (!isPooled && !closing.signal.aborted) running ??= run();
      return () => void wakers[news].delete(own);
    },
    async close() {
      closing.abort();
      await client?.end().catch(() => undefined);
      await running;
    },
  };
}
