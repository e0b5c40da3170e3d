/**
 * Temporary tables that a load is gathered in, by COPY, before it is checked and put in its place as a whole. Rows
 * of several tables come mixed, so each table's are buffered and sent in turns.
 */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type CopyValue, copyLine } from './copy-text.ts';

/** What is sent at once, in characters. */
const CHUNK_SIZE = 1 << 20;

export class StagedTable {
  readonly name: string;
  readonly #client: PoolClient;
  readonly #columns: readonly string[];
  #lines: string[] = [];
  #size = 0;

  private constructor(client: PoolClient, table: string, columns: readonly string[]) {
    this.#client = client;
    this.#columns = columns;
    this.name = `staged_${table}`;
  }

  /** An empty copy of some columns of a table, with the place that each row came from; gone with the transaction. */
  static async create(client: PoolClient, table: string, columns: readonly string[]): Promise<StagedTable> {
    const staged = new StagedTable(client, table, columns);
    await client.query(
      `create temporary table ${staged.name} on commit drop as
       select 0 as line, ''::text as member, ${columns.join(', ')} from ${table} with no data`,
    );
    return staged;
  }

  get columns(): readonly string[] {
    return this.#columns;
  }

  /** Whether enough has gathered to be sent. */
  get isFull(): boolean {
    return this.#size >= CHUNK_SIZE;
  }

  add(line: number, member: string, values: readonly CopyValue[]): void {
    const text = copyLine([line, member, ...values]);
    this.#lines.push(text);
    this.#size += text.length;
  }

  /** Sends what has gathered. */
  async flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#size = 0;
    const stream = this.#client.query(
      copyFrom(`copy ${this.name} (line, member, ${this.#columns.join(', ')}) from stdin`),
    );
    if (!stream.write(text)) await once(stream, 'drain');
    stream.end();
    await finished(stream);
  }
}
