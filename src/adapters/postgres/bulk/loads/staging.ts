/**
 * Temporary tables that a load is copied into before it is checked and upserted as a whole. Records of all kinds
 * arrive mixed, so each table buffers its rows and sends them in chunks. One without rows is never created: most loads
 * are small, and half of their time would go into creating tables and dropping them.
 */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type CopyValue, copyLine } from '#adapters/postgres/bulk/copy-text.ts';

/** The size of a COPY, in bytes. */
const CHUNK_SIZE = 1 << 20;

/** What a table has room for at first, in bytes: megabytes for each small load keep the garbage collector busy. */
const FIRST_ROOM = 1 << 14;

/** The most UTF-8 bytes that a UTF-16 code unit takes. */
const BYTES_PER_UNIT = 3;

/**
 * Bytes that wait for the database before the source does: a chunk of devices with forty titles each, which is gathered
 * while one is written.
 */
const MAX_WAITING = 48 << 20;

/** The connection of a load. What it is given to do it does in that order, while the next rows are gathered. */
export class StagingConnection {
  readonly client: PoolClient;
  readonly #waiting: { readonly done: Promise<void>; readonly size: number }[] = [];
  #size = 0;
  #isStopped = false;

  constructor(client: PoolClient) {
    this.client = client;
  }

  /**
   * Sends rows when it is their turn. Waits while too many do, so that a source that is faster than the database waits
   * here. Rejects if anything before has failed.
   */
  async copy(statement: string, rows: Buffer): Promise<void> {
    this.run(() => copyRows(this.client, statement, rows), rows.length);
    while (this.#size > MAX_WAITING) await this.#waiting[0]?.done;
  }

  /** Does the work when it is its turn, unless anything before has failed. `size` is what it keeps, in bytes. */
  run(work: () => Promise<unknown>, size = 0): void {
    const before = this.#waiting.at(-1)?.done;
    const done = (async () => {
      await before;
      if (this.#isStopped) return;
      await work();
      // What has failed stays, for whoever waits next.
      this.#waiting.shift();
      this.#size -= size;
    })();
    done.catch(() => undefined);
    this.#waiting.push({ done, size });
    this.#size += size;
  }

  /** Waits until everything so far is done. */
  async settle(): Promise<void> {
    await this.#waiting.at(-1)?.done;
  }

  /** Begins nothing more, and waits for what is under way, so that the connection can be used for something else. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.settle().catch(() => undefined);
  }
}

async function copyRows(client: PoolClient, statement: string, rows: Buffer): Promise<void> {
  const stream = client.query(copyFrom(statement));
  if (!stream.write(rows)) await once(stream, 'drain');
  stream.end();
  await finished(stream);
}

/** What of a table is staged. */
export interface StagedRows {
  readonly columns: readonly string[];
  /** Whether no row was ever added. Then there is no such table in the database, and nothing to do for its rows. */
  readonly isEmpty: boolean;
}

export class StagedTable implements StagedRows {
  readonly name: string;
  readonly columns: readonly string[];
  readonly #connection: StagingConnection;
  readonly #definition: string;
  // A buffer outside the heap, which the garbage collector does not scan.
  #rows: Buffer = Buffer.alloc(0);
  #size = 0;
  #isEmpty = true;
  #isCreated = false;
  /** Whether rows of it have been written ahead (`write-ahead.ts`). */
  isWrittenAhead = false;

  /** `like` is the table that has the columns. */
  constructor(connection: StagingConnection, table: string, columns: readonly string[], like = table) {
    this.#connection = connection;
    this.columns = columns;
    this.name = `staged_${table}`;
    // A copy of the columns, with each row's place in the source. It disappears with the transaction.
    this.#definition = `create temporary table ${this.name} on commit drop as
      select 0 as line, ''::text as member, ${columns.join(', ')} from ${like} with no data`;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Whether enough rows are buffered for a COPY. */
  get isFull(): boolean {
    return this.#size >= CHUNK_SIZE;
  }

  add(line: number, member: string, values: readonly CopyValue[]): void {
    this.#isEmpty = false;
    const text = copyLine(line, member, values);
    this.#reserve(text.length * BYTES_PER_UNIT);
    this.#size += this.#rows.write(text, this.#size);
  }

  /** Sends the buffered rows; they have arrived once the connection has settled. */
  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const rows = this.#rows.subarray(0, this.#size);
    this.#rows = Buffer.alloc(0);
    this.#size = 0;
    if (!this.#isCreated) this.#connection.run(() => this.#connection.client.query(this.#definition));
    this.#isCreated = true;
    await this.#connection.copy(
      `copy ${this.name} (line, member, ${this.columns.join(', ')}) from stdin`,
      rows,
    );
  }

  /** Gives the planner the number of rows and statistics on ids, which the joins need. */
  async analyze(): Promise<void> {
    if (this.#isEmpty) return;
    const keys = this.columns.filter((column) => column === 'id' || column.endsWith('_id'));
    await this.#connection.client.query(`analyze ${this.name} (${keys.join(', ')})`);
  }

  /** Makes room for this many more bytes. */
  #reserve(bytes: number): void {
    const needed = this.#size + bytes;
    if (needed <= this.#rows.length) return;
    const least = this.#isCreated ? 2 * CHUNK_SIZE : FIRST_ROOM;
    const larger = Buffer.allocUnsafe(Math.max(least, 2 * needed));
    this.#rows.copy(larger, 0, 0, this.#size);
    this.#rows = larger;
  }
}
