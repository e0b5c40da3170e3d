/** Asks a server, on a connection of its own, how far it has come. */
import { Pool } from 'pg';
import type { DatabaseConnection } from '#adapters/postgres/setup/connections/connection-config.ts';
import type { Position } from '#application/ports/freshness.ts';
import { toWalBytes, type WalBytes } from './primary-timeline.ts';

/**
 * What is asked: rows of one `position`, NULL where there is none. Where commits do not wait for the disk, what they wrote
 * is counted that is not flushed yet; else only what is, as a replica reaches its end exactly.
 */
export const COMMITTED = `select (case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as position`;

/** NULL on a server that replays nothing: it was promoted, or never was a replica. */
export const REPLAYED =
  'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as position';

export interface PositionRow {
  readonly position: string | null;
}

export class WalProbe {
  readonly #pool: Pool;
  readonly #question: string;

  /** An answer that takes longer than `patienceMs` is none. */
  constructor(
    connection: DatabaseConnection,
    question: typeof COMMITTED | typeof REPLAYED,
    patienceMs: number,
  ) {
    const limits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs };
    this.#pool = new Pool({ ...connection, ...limits, max: 1, idleTimeoutMillis: 0 });
    this.#question = question;
    // An idle connection that breaks is replaced with the next question.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Rejects with the driver's error. */
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

/** A position of the primary that is behind no commit that was through before. */
export async function readPosition(pool: Pool): Promise<Position> {
  const { rows } = await pool.query<{ position: Position }>(COMMITTED);
  const [row] = rows;
  if (row === undefined) throw new Error('the server did not say where it is');
  return row.position;
}
