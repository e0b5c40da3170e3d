/**
 * Returns the regular expressions that PostgreSQL refuses, each with the reason (Contract: §4). If very many are
 * faulty, some may be missing, but never all. The time is limited, and the work counts towards the share of
 * `onBehalfOf`, as in `DeviceMatcher`.
 */
export type PatternChecker = (
  patterns: readonly string[],
  onBehalfOf: string,
) => Promise<ReadonlyMap<string, string>>;
