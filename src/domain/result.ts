/** Expected outcomes as values: a refusal is an answer, only a broken invariant throws. */

/** Either a value or a coded error. */
export type Result<T, E> = Ok<T> | Err<E>;

/** The outcome that was asked for. */
export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

/** The refusal, with what the caller needs to explain it. */
export interface Err<E> {
  readonly ok: false;
  readonly error: E;
}

/** Wraps a value as the good outcome. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

/** Wraps an error as the refused outcome. */
export function err<E>(error: E): Err<E> {
  return { ok: false, error };
}
