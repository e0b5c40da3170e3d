/**
 * Structured logging: facts, then a message of fixed text. Callers never pass a secret, a request body, a filter tree
 * or anything else that a user typed.
 */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
