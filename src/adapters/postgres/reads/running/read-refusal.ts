/** Why a read returned no rows, in its caller's terms. */
import { classifyFailure } from '#adapters/postgres/database-error.ts';

export type ReadRefusal =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'invalid-pattern'; readonly reason: string };

/** Thrown in place of rows when a read is refused or given up. */
export class ReadRefused extends Error {
  readonly refusal: ReadRefusal;

  /** The cause is what the database said, if it did. */
  constructor(refusal: ReadRefusal, options?: ErrorOptions) {
    super(`the read was refused: ${refusal.kind}`, options);
    this.name = 'ReadRefused';
    this.refusal = refusal;
  }
}

/** The driver's error as a refusal, if it is one; otherwise the error itself. */
export function toRefusal(error: unknown): unknown {
  switch (classifyFailure(error)) {
    case 'stopped':
    case 'too-complex':
      return new ReadRefused({ kind: 'timeout' }, { cause: error });
    case 'invalid-pattern': {
      const reason = error instanceof Error ? error.message.replace(/^invalid regular expression: /, '') : '';
      return new ReadRefused({ kind: 'invalid-pattern', reason });
    }
    default:
      return error;
  }
}
