/** Queries in one message that take their rows as `TextRows` does. */
import type { Connection, Submittable } from 'pg';
import type { TextRow } from './text-rows.ts';

/** Takes all rows of the statement with this number in the batch, once it has ended. */
export type TakeRows = (index: number, rows: readonly TextRow[]) => void;

/** For `client.query`. */
export class TextRowsOfBatch implements Submittable {
  /** Until all have ended; or PostgreSQL's error, which one of them ended with. */
  readonly result: Promise<void>;
  readonly #texts: readonly string[];
  readonly #message: Uint8Array;
  readonly #take: TakeRows;
  readonly #settle: PromiseWithResolvers<void>;
  #rows: TextRow[] = [];
  #ended = 0;

  constructor(texts: readonly string[], message: Uint8Array, take: TakeRows) {
    this.#texts = texts;
    this.#message = message;
    this.#take = take;
    this.#settle = Promise.withResolvers();
    this.result = this.#settle.promise;
  }

  /** Where whoever watches the driver looks for the text of a query. */
  get text(): string {
    return this.#texts.join(';\n');
  }

  submit(connection: Connection): void {
    if (connection.stream.writable) connection.stream.write(this.#message);
  }

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {
    const rows = this.#rows;
    this.#rows = [];
    this.#take(this.#ended++, rows);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve();
  }

  handleError(error: unknown): void {
    this.#settle.reject(error);
  }

  // The driver tells of them, and no statement is described or empty.
  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
}
