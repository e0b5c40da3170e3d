/**
 * The regular expressions that PostgreSQL refuses, each with the reason (Contract: §4). With very many faults some may
 * be missing, but never all. The check is limited in time and counts towards the share of `onBehalfOf`.
 */
export type PatternChecker = (
  patterns: readonly string[],
  onBehalfOf: string,
) => Promise<ReadonlyMap<string, string>>;
