/** Expected outcomes are values: a refusal is a result; only a broken invariant throws. */

/** Either a value or a coded error. */
export type Result<T, E> = Ok<T> | Err<E>;

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Err<E> {
  readonly ok: false;
  readonly error: E;
}

/** Wraps a value as a success. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

/** Wraps an error as a refusal. */
export function err<E>(error: E): Err<E> {
  return { ok: false, error };
}
