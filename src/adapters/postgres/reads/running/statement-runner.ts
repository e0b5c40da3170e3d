/** Sends scoped statements to a connection, and remembers which of them the connection has prepared. */
import type { PoolClient } from 'pg';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { joinedMessages, preparedMessage, type TakeRows, TextRows } from './text-rows.ts';

/** How a statement is run. */
export interface StatementForm {
  /** Whether each connection prepares the statement under a name; for texts that come again. */
  readonly isNamed?: boolean;
  /** Whether rows are arrays of the texts that PostgreSQL sends, NULL as null, instead of objects. */
  readonly asTexts?: boolean;
}

/** How a statement is run in a snapshot. */
export interface QueryOptions extends StatementForm {
  /** When it is given up, by `performance.now()`; by default, the reader's limit after it began. */
  readonly deadline?: number;
}

export interface Rows {
  readonly rows: readonly unknown[];
}

/** How many statements a connection keeps prepared. */
const MAX_NAMED_PER_CONNECTION = 300;

const AS_TEXTS = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } };

export class StatementRunner {
  readonly #named = new WeakMap<PoolClient, Map<string, NamedStatement>>();
  readonly #keepsNames: boolean;

  /** `keepsNames` says whether a connection has later what it has prepared. */
  constructor(keepsNames: boolean) {
    this.#keepsNames = keepsNames;
  }

  /** Throws on anything that `ScopedStatement` did not make. */
  async run(
    client: PoolClient,
    statement: ScopedStatement,
    { isNamed = false, asTexts = false }: StatementForm,
  ): Promise<Rows> {
    if (!ScopedStatement.isGenuine(statement)) throw new Error('only scoped statements run here');
    const { text, values } = statement;
    const known = isNamed && this.#keepsNames ? this.#nameOf(client, text) : null;
    if (asTexts && known?.isPrepared === true && values.every((value) => typeof value === 'string')) {
      let rows: Rows['rows'] = [];
      const take: TakeRows = (_index, taken) => {
        rows = taken;
      };
      await client.query(new TextRows([text], preparedMessage(known.name, values), take)).result;
      return { rows };
    }
    const result = await client.query({
      text,
      ...(asTexts && AS_TEXTS),
      ...(values.length > 0 && { values: [...values] }),
      ...(known !== null && { name: known.name }),
    });
    if (known !== null) known.isPrepared = true;
    return result;
  }

  /** Whether the connection certainly has the statement prepared. */
  isPrepared(client: PoolClient, { text }: ScopedStatement): boolean {
    return this.#named.get(client)?.get(text)?.isPrepared === true;
  }

  /**
   * Sends statements without values together that the connection has prepared, and hands over the rows of each as they
   * come, as texts. Resolves when all have ended; throws the error of the first that failed, after which none has run.
   */
  runTogether(client: PoolClient, statements: readonly ScopedStatement[], take: TakeRows): Promise<void> {
    if (!statements.every((statement) => ScopedStatement.isGenuine(statement))) {
      throw new Error('only scoped statements run here');
    }
    const texts = statements.map(({ text }) => text);
    const messages = texts.map((text) => this.#nameOf(client, text).message);
    return client.query(new TextRows(texts, joinedMessages(messages), take)).result;
  }

  /** Whether a fresh connection should replace this one, which has too many prepared statements. */
  isFull(client: PoolClient): boolean {
    return (this.#named.get(client)?.size ?? 0) > MAX_NAMED_PER_CONNECTION;
  }

  #nameOf(client: PoolClient, text: string): NamedStatement {
    const statements = this.#named.get(client) ?? new Map<string, NamedStatement>();
    const known = statements.get(text);
    if (known !== undefined) return known;
    const name = `fs_${statements.size}`;
    const added = { name, message: preparedMessage(name), isPrepared: false };
    this.#named.set(client, statements.set(text, added));
    return added;
  }
}

interface NamedStatement {
  readonly name: string;
  /** Runs it without values. */
  readonly message: Uint8Array;
  /** Whether the connection certainly has it. */
  isPrepared: boolean;
}
