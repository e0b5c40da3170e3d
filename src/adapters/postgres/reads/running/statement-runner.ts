/** Sends scoped statements to a connection, and remembers which of them the connection has prepared. */
import type { PoolClient } from 'pg';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { joinedMessages, preparedMessage } from './prepared-message.ts';
import { TextRows } from './text-rows.ts';
import { type TakeRows, TextRowsOfBatch } from './text-rows-of-batch.ts';

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

const AS_OBJECTS = {};

const AS_TEXTS = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } };

export class StatementRunner {
  readonly #named = new WeakMap<PoolClient, Map<string, NamedStatement>>();
  readonly #keepsNames: boolean;

  /** `keepsNames` says whether a connection has later what it has prepared. */
  constructor(keepsNames: boolean) {
    this.#keepsNames = keepsNames;
  }

  /** Throws on anything that `ScopedStatement` did not make. */
  run(
    client: PoolClient,
    statement: ScopedStatement,
    { isNamed: isWanted = false, asTexts = false }: StatementForm,
  ): Promise<Rows> {
    const isNamed = isWanted && this.#keepsNames;
    if (!ScopedStatement.isGenuine(statement)) throw new Error('only scoped statements run here');
    const { text, values } = statement;
    const known = isNamed ? this.#nameOf(client, text) : null;
    if (asTexts && values.length === 0 && known?.isPrepared !== false) {
      return client.query(new TextRows(text, known?.message)).result;
    }
    if (asTexts && known?.isPrepared === true && values.every((value) => typeof value === 'string')) {
      return client.query(new TextRows(text, preparedMessage(known.name, values))).result;
    }
    const form = { ...(asTexts ? AS_TEXTS : AS_OBJECTS), ...(values.length > 0 && { values: [...values] }) };
    if (known === null) return client.query({ text, ...form });
    const { name } = known;
    // One message instead of the driver's four; but it cannot carry values.
    if (known.isPrepared && values.length === 0) return client.query({ text: `execute ${name}`, ...form });
    const running = client.query({ name, text, ...form });
    running.then(
      () => {
        known.isPrepared = true;
      },
      () => undefined,
    );
    return running;
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
    const message = joinedMessages(texts.map((text) => this.#nameOf(client, text).message));
    return client.query(new TextRowsOfBatch(texts, message, take)).result;
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
  /** The message that runs it once it is prepared. */
  readonly message: Uint8Array;
  /** Whether the connection certainly has it. */
  isPrepared: boolean;
}
