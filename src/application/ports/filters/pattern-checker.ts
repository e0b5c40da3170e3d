/** Checks whether regular expressions can be evaluated (Contract: §4). */

/**
 * The reasons by pattern, for the patterns that cannot be evaluated; the others can. If there are a great many of
 * them, some may be left out, never all. A check is bounded in time and counts towards the share of capacity of the
 * user `onBehalfOf`, as with `DeviceMatcher`.
 */
export type PatternChecker = (
  patterns: readonly string[],
  onBehalfOf: string,
) => Promise<ReadonlyMap<string, string>>;
