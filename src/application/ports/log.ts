/** Takes facts and a fixed message. Never pass a secret, a request body, a filter or text that a user typed. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
