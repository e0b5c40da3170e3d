import { classifyFailure } from '#adapters/postgres/database-error.ts';
import { err, ok, type Result } from '#domain/result.ts';

interface GivenUp {
  readonly kind: 'timeout' | 'cancelled';
}

export type ReadRefusal = GivenUp | { readonly kind: 'invalid-pattern'; readonly reason: string };

export class ReadRefused extends Error {
  readonly refusal: ReadRefusal;

  constructor(refusal: ReadRefusal, options?: ErrorOptions) {
    super(`the read was refused: ${refusal.kind}`, options);
    this.name = 'ReadRefused';
    this.refusal = refusal;
  }
}

/** Returns a missed deadline or a cancellation as an error. Refused patterns are thrown. */
export async function unlessGivenUp<T>(read: () => Promise<T>): Promise<Result<T, GivenUp>> {
  try {
    return ok(await read());
  } catch (error) {
    if (error instanceof ReadRefused && error.refusal.kind !== 'invalid-pattern') return err(error.refusal);
    throw error;
  }
}

/** Returns `ReadRefused` for errors that refuse a read, other errors unchanged. */
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
