/** Says whether regular expressions can be evaluated, and if not, why. */

/**
 * The reasons, by pattern, for those that are refused; the rest are good. Where a great many are refused, not all
 * of them need be named. A check is bounded in time, and `onBehalfOf` says whose share of the machine it counts
 * towards, as for `DeviceMatcher`.
 */
export type PatternChecker = (
  patterns: readonly string[],
  onBehalfOf: string,
) => Promise<ReadonlyMap<string, string>>;
