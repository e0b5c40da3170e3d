/** The source shows that the reader role runs only scoped statements. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const SOURCES = resolve(import.meta.dirname, '../../../../../src');
const STATEMENTS = 'adapters/postgres/reads/sql/scoped-statement.ts';
const READER = 'adapters/postgres/reads/running/scoped-reader.ts';
const CONNECTIONS = 'adapters/postgres/reads/running/reader-connections.ts';
const FRESHNESS = 'adapters/postgres/reads/replicas/freshness.ts';
const BACKEND = 'adapters/postgres/backend-connections.ts';

describe('the source', () => {
  test('makes scoped statements in only one file', async () => {
    expect(await filesWith(/new ScopedStatement\(/)).toStrictEqual([STATEMENTS]);
  });

  test('casts text to SQL only in the folder of SQL', async () => {
    const files = await filesWith(/\bas Sql\b/);
    expect(files.filter((file) => !file.startsWith('adapters/postgres/reads/sql/'))).toStrictEqual([]);
  });

  test('gives the reading role to the reader and to nobody else', async () => {
    expect(await filesWith(/openScopedReader\(/)).toStrictEqual([BACKEND, READER]);
    expect(await filesWith(/roles\.reader/)).toStrictEqual([BACKEND]);
    expect(await filesWith(/role_password_reader/)).toStrictEqual([
      'adapters/postgres/setup/security/secure-database.ts',
    ]);
    const [, given] = (await readSource(BACKEND)).split('openScopedReader({');
    expect(given?.split('});')[0]).toContain('...asReader');
    expect((await readSource(BACKEND)).match(/roles\.reader/g)).toHaveLength(1);
    // The other use is the probe that asks servers for their positions.
    expect((await readSource(BACKEND)).match(/asReader/g)).toHaveLength(3);
    expect(await filesWith(/new WalProbe\(/)).toStrictEqual([
      'adapters/postgres/reads/replicas/open-replication.ts',
    ]);
    expect((await readSource(FRESHNESS)).match(/\.query<.*/g)).toStrictEqual([
      '.query<PositionRow>(this.#question);',
      '.query<{ position: Position }>(COMMITTED);',
      '.query<PositionRow>(REPLAYED);',
    ]);
  });

  test('lets the reader send only what it was given and a few fixed statements', async () => {
    const sent = async (file: string) =>
      [...(await readSource(file)).matchAll(/\.query(?:<R>)?\((.*)\);?/g)].map(([, given]) => given);
    expect(await sent('adapters/postgres/reads/running/statement-runner.ts')).toStrictEqual([
      'new TextRows([text], preparedMessage(known.name, values), take)',
      'new TextRows(texts, joinedMessages(messages), take)',
    ]);
    const runner = await readSource('adapters/postgres/reads/running/statement-runner.ts');
    expect(runner.match(/\.query\(\{\s*text,/g)).toHaveLength(1);
    expect(runner.match(/\.query/g)).toHaveLength(3);
    expect(await filesWith(/new TextRows\(/)).toStrictEqual([
      'adapters/postgres/reads/running/statement-runner.ts',
    ]);
    // What is written past the driver runs a statement that it has prepared on the same connection.
    const written = await filesWith(/stream\.write\(/);
    expect(written.filter((file) => file.startsWith('adapters/postgres/reads/'))).toStrictEqual([
      'adapters/postgres/reads/running/text-rows.ts',
    ]);
    expect(await filesWith(/(preparedMessage|joinedMessages)\(/)).toStrictEqual([
      'adapters/postgres/reads/running/statement-runner.ts',
      'adapters/postgres/reads/running/text-rows.ts',
    ]);
    expect(await sent(READER)).toStrictEqual([
      "'begin'",
      'COMPILE_PATTERNS, [patterns]',
      'statement, options)',
      'options.avoidsScans === true ? BEGIN_WITHOUT_SCANS : BEGIN)',
      "'commit')",
    ]);
    expect(await sent(CONNECTIONS)).toStrictEqual(["'rollback')", "'rollback').catch(() => undefined"]);
    expect(await readSource(READER)).toContain(
      "const COMPILE_PATTERNS = `select count(*) from unnest($1::text[]) p where '' ~ p collate patterns`;",
    );
    expect((await readSource(READER)).match(/const BEGIN.*/g)).toStrictEqual([
      "const BEGIN = 'begin isolation level repeatable read read only';",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the source
      'const BEGIN_WITHOUT_SCANS = `${BEGIN}; set local enable_seqscan = off`;',
    ]);
    const abandoned = await readSource('adapters/postgres/reads/running/abandoned-statements.ts');
    expect([...abandoned.matchAll(/\.query\((.*)\)\.then/g)].map(([, given]) => given)).toStrictEqual([
      "'select pg_cancel_backend($1)', [pid]",
    ]);
  });
});

async function filesWith(pattern: RegExp): Promise<readonly string[]> {
  const files = await readdir(SOURCES, { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts')).toSorted();
  const found: string[] = [];
  for (const file of sources) if (pattern.test(await readSource(file))) found.push(file);
  return found;
}

function readSource(file: string): Promise<string> {
  return readFile(join(SOURCES, file), 'utf8');
}
