import { classifyFailure } from '#adapters/postgres/database-error.ts';

export type ReadRefusal =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'invalid-pattern'; readonly reason: string };

export class ReadRefused extends Error {
  readonly refusal: ReadRefusal;

  constructor(refusal: ReadRefusal, options?: ErrorOptions) {
    super(`the read was refused: ${refusal.kind}`, options);
    this.name = 'ReadRefused';
    this.refusal = refusal;
  }
}

/** Other errors are returned unchanged. */
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
