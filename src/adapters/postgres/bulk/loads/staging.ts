/**
 * A load is copied into temporary tables, then checked as a whole. Records of all kinds arrive mixed, so each
 * table has its own buffer. A table is created with its first row, because creating all tables would take
 * half of the time of a small load.
 */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Row } from '#adapters/postgres/bulk/device-rows.ts';
import { arrayText } from '#adapters/postgres/derived-columns.ts';

const CHUNK_SIZE = 1 << 20;

/** In bytes. Larger buffers would keep the garbage collector busy in small loads. */
const FIRST_ROOM = 1 << 14;

/** The maximum number of UTF-8 bytes for one UTF-16 code unit. */
const BYTES_PER_UNIT = 3;

/** In bytes: one chunk of devices with forty titles each. Beyond that, reading the source pauses. */
const MAX_WAITING = 48 << 20;

/** Runs statements one after another while the next rows are gathered. */
export class StagingConnection {
  readonly client: PoolClient;
  readonly #waiting: { readonly done: Promise<void>; readonly size: number }[] = [];
  #size = 0;
  #isStopped = false;

  constructor(client: PoolClient) {
    this.client = client;
  }

  /** Waits while too many rows are queued, which slows reading. Rejects if earlier work has failed. */
  async copy(statement: string, rows: Buffer): Promise<void> {
    this.run(() => copyRows(this.client, statement, rows), rows.length);
    while (this.#size > MAX_WAITING) await this.#waiting[0]?.done;
  }

  /** The work is skipped if earlier work fails. `size` is the memory that it uses, in bytes. */
  run(work: () => Promise<unknown>, size = 0): void {
    const before = this.#waiting.at(-1)?.done;
    const done = (async () => {
      await before;
      if (this.#isStopped) return;
      await work();
      // Failed work stays in the queue, so the next wait throws its error.
      this.#waiting.shift();
      this.#size -= size;
    })();
    done.catch(() => undefined);
    this.#waiting.push({ done, size });
    this.#size += size;
  }

  async settle(): Promise<void> {
    await this.#waiting.at(-1)?.done;
  }

  /** Waits for the current work and skips the rest, so the connection is free for other statements. */
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

export interface StagedRows {
  readonly columns: readonly string[];
  /** True if no row was ever added: then there is no staging table. */
  readonly isEmpty: boolean;
}

export class StagedTable implements StagedRows {
  readonly #connection: StagingConnection;
  readonly #name: string;
  readonly #like: string;
  // Outside the heap, so the garbage collector does not scan it.
  #rows: Buffer = Buffer.alloc(0);
  #size = 0;
  #isCreated = false;
  columns: readonly string[] = [];
  isWrittenAhead = false;

  constructor(connection: StagingConnection, table: string, like: string) {
    this.#connection = connection;
    this.#name = `staged_${table}`;
    this.#like = like;
  }

  get isEmpty(): boolean {
    return this.columns.length === 0;
  }

  get isFull(): boolean {
    return this.#size >= CHUNK_SIZE;
  }

  add(line: number, member: string, row: Row): void {
    if (this.isEmpty) this.columns = Object.keys(row);
    const text = copyLine(line, member, row);
    this.#reserve(text.length * BYTES_PER_UNIT);
    this.#size += this.#rows.write(text, this.#size);
  }

  /** Sends the rows. They have arrived once the connection has settled. */
  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const rows = this.#rows.subarray(0, this.#size);
    this.#rows = Buffer.alloc(0);
    this.#size = 0;
    const columns = this.columns.join(', ');
    if (!this.#isCreated) {
      const definition = `create temporary table ${this.#name} on commit drop as
        select 0 as line, ''::text as member, ${columns} from ${this.#like} with no data`;
      this.#connection.run(() => this.#connection.client.query(definition));
    }
    this.#isCreated = true;
    await this.#connection.copy(`copy ${this.#name} (line, member, ${columns}) from stdin`, rows);
  }

  /** Gives the planner the number of rows and statistics on ids, which joins need. */
  async analyze(): Promise<void> {
    if (this.isEmpty) return;
    const keys = this.columns.filter((column) => column === 'id' || column.endsWith('_id'));
    await this.#connection.client.query(`analyze ${this.#name} (${keys.join(', ')})`);
  }

  #reserve(bytes: number): void {
    const needed = this.#size + bytes;
    if (needed <= this.#rows.length) return;
    const least = this.#isCreated ? 2 * CHUNK_SIZE : FIRST_ROOM;
    const larger = Buffer.allocUnsafe(Math.max(least, 2 * needed));
    this.#rows.copy(larger, 0, 0, this.#size);
    this.#rows = larger;
  }
}

const FLEET_TABLES = [
  ...(['partner', 'organization', 'site', 'app_user', 'app_user_organization', 'recovery_code'] as const),
  ...([
    'api_key',
    'enrolment_key',
    'custom_field',
    'device',
    'device_inventory_id',
    'device_known_key',
    'device_hardware',
  ] as const),
  ...(['device_network', 'device_volume', 'device_software', 'organization_software'] as const),
  ...(['patch', 'script', 'alert'] as const),
  ...(['saved_filter', 'account_deletion_request', 'audit_log'] as const),
];

export type FleetTable = (typeof FLEET_TABLES)[number];

export type StagedFleet = Readonly<Record<FleetTable, StagedTable>>;

export type StagedRowsOfFleet = Readonly<Record<FleetTable, StagedRows>>;

/** Titles of an organization are staged as arrays, like those of a device. */
export function makeStagedFleet(connection: StagingConnection): StagedFleet {
  const tables = FLEET_TABLES.map((table) => {
    const like = table === 'organization_software' ? 'device_software' : table;
    return [table, new StagedTable(connection, table, like)] as const;
  });
  return Object.fromEntries(tables) as StagedFleet;
}

function copyLine(line: number, member: string, row: Row): string {
  let text = `${line}\t${escapeText(member)}`;
  for (const value of Object.values(row)) {
    if (value === null) text += '\t\\N';
    else if (typeof value === 'string') text += `\t${escapeText(value)}`;
    else if (typeof value === 'object') text += `\t${escapeText(arrayText(value))}`;
    else text += `\t${value}`;
  }
  return `${text}\n`;
}

const NEEDS_ESCAPE = /[\\\t\n\r]/;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeText(text: string): string {
  return NEEDS_ESCAPE.test(text)
    ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '')
    : text;
}
