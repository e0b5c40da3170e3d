/** Says whether regular expressions can be evaluated, and if not, why. */

/** The reasons, by pattern, for those that are refused; the rest are good. A check is bounded in time. */
export type PatternChecker = (patterns: readonly string[]) => Promise<ReadonlyMap<string, string>>;
