import type { PoolClient } from 'pg';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { joinedMessages, preparedMessage, type TakeRows, TextRows } from './text-rows.ts';

export interface StatementForm {
  /** Prepares the statement under a name, which is worthwhile only for repeated texts. */
  readonly isNamed?: boolean;
  /** Rows are arrays of PostgreSQL's texts instead of objects; NULL is null. */
  readonly asTexts?: boolean;
}

export interface QueryOptions extends StatementForm {
  /** A time of `performance.now()`. Default: the reader's limit. */
  readonly deadline?: number;
}

export interface Rows {
  readonly rows: readonly unknown[];
}

/**
 * In characters. Longer statements are not worth preparing: they name hundreds of organizations or contain long
 * filters.
 */
export const MAX_NAMED_LENGTH = 10_000;

const MAX_NAMED_PER_CONNECTION = 300;

const AS_TEXTS = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } };

export class StatementRunner {
  readonly #named = new WeakMap<PoolClient, Map<string, NamedStatement>>();
  readonly #keepsNames: boolean;

  /** `keepsNames` is false behind a pooler, where prepared statements are lost between uses. */
  constructor(keepsNames: boolean) {
    this.#keepsNames = keepsNames;
  }

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

  isPrepared(client: PoolClient, { text }: ScopedStatement): boolean {
    return this.#named.get(client)?.get(text)?.isPrepared === true;
  }

  /**
   * Sends prepared statements without values in one message. Rejects with the first error; no later statement has run.
   */
  runTogether(client: PoolClient, statements: readonly ScopedStatement[], take: TakeRows): Promise<void> {
    if (!statements.every((statement) => ScopedStatement.isGenuine(statement))) {
      throw new Error('only scoped statements run here');
    }
    const texts = statements.map(({ text }) => text);
    const messages = texts.map((text) => this.#nameOf(client, text).message);
    return client.query(new TextRows(texts, joinedMessages(messages), take)).result;
  }

  /** Whether a new connection should replace this one, because it has so many prepared statements. */
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
  readonly message: Uint8Array;
  isPrepared: boolean;
}
