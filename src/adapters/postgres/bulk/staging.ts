/**
 * Temporary tables that a load is gathered in, by COPY, before it is checked and put in its place as a whole. Rows
 * of several tables come mixed, so each table's are gathered and sent in turns.
 */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type CopyValue, copyLine } from './copy-text.ts';

/** What is sent at once, in bytes. */
const CHUNK_SIZE = 1 << 20;

/** UTF-8 has at most so many bytes for each UTF-16 code unit. */
const BYTES_PER_UNIT = 3;

/** The connection of a load. What was handed over is on its way while the next rows are gathered. */
export class StagingConnection {
  readonly client: PoolClient;
  #underWay: Promise<void> = Promise.resolve();

  constructor(client: PoolClient) {
    this.client = client;
  }

  /**
   * Begins a COPY. One is under way at most: who gathers rows faster than the database takes them waits here.
   * Rejects where the one before failed.
   */
  async copy(statement: string, rows: Buffer): Promise<void> {
    await this.#underWay;
    this.#underWay = copyRows(this.client, statement, rows);
    // Whoever waits for it next is told.
    this.#underWay.catch(() => undefined);
  }

  /** Waits until all that was handed over is in the database. */
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
  // Outside of the heap: the collector would look at the rows again and again until they are sent.
  #rows: Buffer = Buffer.alloc(0);
  #size = 0;

  private constructor(connection: StagingConnection, table: string, columns: readonly string[]) {
    this.#connection = connection;
    this.columns = columns;
    this.name = `staged_${table}`;
  }

  /** An empty copy of some columns of a table, with the place that each row came from; gone with the transaction. */
  static async create(
    connection: StagingConnection,
    table: string,
    columns: readonly string[],
  ): Promise<StagedTable> {
    const staged = new StagedTable(connection, table, columns);
    await connection.client.query(
      `create temporary table ${staged.name} on commit drop as
       select 0 as line, ''::text as member, ${columns.join(', ')} from ${table} with no data`,
    );
    return staged;
  }

  /** Whether enough has gathered to be sent. */
  get isFull(): boolean {
    return this.#size >= CHUNK_SIZE;
  }

  add(line: number, member: string, values: readonly CopyValue[]): void {
    const text = copyLine(line, member, values);
    this.#reserve(text.length * BYTES_PER_UNIT);
    this.#size += this.#rows.write(text, this.#size);
  }

  /** Sends what has gathered; once the connection is settled, it is there. */
  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const rows = this.#rows.subarray(0, this.#size);
    this.#rows = Buffer.alloc(0);
    this.#size = 0;
    await this.#connection.copy(
      `copy ${this.name} (line, member, ${this.columns.join(', ')}) from stdin`,
      rows,
    );
  }

  /** Tells the planner how many rows there are, and what it needs for joining them; texts are not looked at. */
  async analyze(): Promise<void> {
    const keys = this.columns.filter((column) => column === 'id' || column.endsWith('_id'));
    await this.#connection.client.query(`analyze ${this.name} (${keys.join(', ')})`);
  }

  /** Makes room for so many bytes more. */
  #reserve(bytes: number): void {
    const needed = this.#size + bytes;
    if (needed <= this.#rows.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * CHUNK_SIZE, 2 * needed));
    this.#rows.copy(larger, 0, 0, this.#size);
    this.#rows = larger;
  }
}
