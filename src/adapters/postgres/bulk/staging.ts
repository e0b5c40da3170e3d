/**
 * Temporary tables that a load is copied into before it is checked and upserted as a whole. Records of all kinds
 * arrive mixed, so each table buffers its rows and sends them in chunks. One without rows is never created: most loads
 * are small, and half of their time would go into creating tables and dropping them.
 */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type CopyValue, copyLine } from './copy-text.ts';

/** The size of a COPY, in bytes. */
const CHUNK_SIZE = 1 << 20;

/** The most UTF-8 bytes that a UTF-16 code unit takes. */
const BYTES_PER_UNIT = 3;

/** The connection of a load. It copies one chunk while the next is buffered. */
export class StagingConnection {
  readonly client: PoolClient;
  #underWay: Promise<void> = Promise.resolve();

  constructor(client: PoolClient) {
    this.client = client;
  }

  /**
   * Starts a COPY after the previous one ends, so that a source that is faster than the database waits here.
   * Rejects if the previous one failed.
   */
  async copy(statement: string, rows: Buffer): Promise<void> {
    await this.#underWay;
    this.#underWay = copyRows(this.client, statement, rows);
    // The next wait for it reports the failure.
    this.#underWay.catch(() => undefined);
  }

  /** Runs a statement after what is under way. */
  async run(statement: string): Promise<void> {
    await this.#underWay;
    await this.client.query(statement);
  }

  /** Waits until everything sent so far is in the database. */
  async settle(): Promise<void> {
    await this.#underWay;
  }
}

async function copyRows(client: PoolClient, statement: string, rows: Buffer): Promise<void> {
  const stream = client.query(copyFrom(statement));
  if (!stream.write(rows)) await once(stream, 'drain');
  stream.end();
  await finished(stream);
}

export class StagedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly #connection: StagingConnection;
  readonly #definition: string;
  // A buffer outside the heap, which the garbage collector does not scan.
  #rows: Buffer = Buffer.alloc(0);
  #size = 0;
  #isEmpty = true;
  #isCreated = false;

  constructor(connection: StagingConnection, table: string, columns: readonly string[]) {
    this.#connection = connection;
    this.columns = columns;
    this.name = `staged_${table}`;
    // A copy of the columns, with each row's place in the source. It disappears with the transaction.
    this.#definition = `create temporary table ${this.name} on commit drop as
      select 0 as line, ''::text as member, ${columns.join(', ')} from ${table} with no data`;
  }

  /** Whether no row was ever added. Then there is no such table in the database, and nothing to do for its rows. */
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
    if (!this.#isCreated) await this.#connection.run(this.#definition);
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
    const larger = Buffer.allocUnsafe(Math.max(2 * CHUNK_SIZE, 2 * needed));
    this.#rows.copy(larger, 0, 0, this.#size);
    this.#rows = larger;
  }
}
