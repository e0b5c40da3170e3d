/** Structured logging: facts, then words. Never a secret, a request body or a filter tree. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
