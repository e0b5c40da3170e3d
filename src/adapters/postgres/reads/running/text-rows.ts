/** A query that takes its rows as they come: arrays of PostgreSQL's texts, in half of the driver's time for them. */
import type { Connection, Submittable } from 'pg';

/** Null where PostgreSQL has NULL. */
export type TextRow = readonly (string | null)[];

/**
 * For `client.query`; what the driver calls is what its own queries have. By the simple protocol, or with a message that
 * runs what the connection has prepared.
 */
export class TextRows implements Submittable {
  /** The rows, or PostgreSQL's error. */
  readonly result: Promise<{ readonly rows: readonly TextRow[] }>;
  readonly #text: string;
  readonly #message: Uint8Array | undefined;
  readonly #rows: TextRow[] = [];
  readonly #settle: PromiseWithResolvers<{ readonly rows: readonly TextRow[] }>;

  constructor(text: string, message?: Uint8Array) {
    this.#text = text;
    this.#message = message;
    this.#settle = Promise.withResolvers();
    this.result = this.#settle.promise;
  }

  /** Where whoever watches the driver looks for the text of a query. */
  get text(): string {
    return this.#text;
  }

  submit(connection: Connection): void {
    if (this.#message === undefined) connection.query(this.#text);
    else if (connection.stream.writable) connection.stream.write(this.#message);
  }

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.#rows.push(fields);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve({ rows: this.#rows });
  }

  handleError(error: unknown): void {
    this.#settle.reject(error);
  }

  // The driver tells of them, and the rows say all of it.
  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
}
