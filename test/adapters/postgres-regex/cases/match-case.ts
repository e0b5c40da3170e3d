/** A pattern, texts it matches, and texts it does not. */
export type MatchCase = readonly [pattern: string, matches: readonly string[], misses: readonly string[]];
