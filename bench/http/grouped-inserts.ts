/** The least that makes a request durable: a row in a table without an index, in a group commit. */
import { Client, type Pool } from 'pg';

const TABLE = 'bench_line';

/** Creates the table again. Every role may write to it. */
export async function createLines(url: string): Promise<void> {
  await run(url, [`drop table if exists ${TABLE}`, `create table ${TABLE} (line text not null)`]);
}

export async function dropLines(url: string): Promise<void> {
  await run(url, [`drop table if exists ${TABLE}`]);
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Rows that arrive during one write go into the next. Resolves at commit. */
export function makeInsertLine(pool: Pool): (line: string) => Promise<void> {
  let waiting: { readonly line: string; readonly done: PromiseWithResolvers<void> }[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const lines = group.map(({ line }) => line);
      try {
        await pool.query({ name: 'lines', text: INSERT, values: [lines] });
        for (const { done } of group) done.resolve();
      } catch (error) {
        for (const { done } of group) done.reject(error);
      }
    }
    isWriting = false;
  }

  return (line) => {
    const done = Promise.withResolvers<void>();
    waiting.push({ line, done });
    if (!isWriting) void writeAll();
    return done.promise;
  };
}

const INSERT = `insert into ${TABLE} select unnest($1::text[])`;
