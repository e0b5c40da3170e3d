/** Regular expressions that the database refuses, among the other faults of a filter (Contract: §1, every fault). */
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import { refusedPattern } from '#domain/filter/conditions/filter-fault.ts';
import type { RefusePattern } from '#domain/filter/conditions/parse-conditions.ts';

export interface PatternFaultDeps {
  readonly checkPatterns: PatternChecker;
}

/** Takes every regular expression, and notes it in `patterns`. */
export function notePatterns(patterns: Set<string>): RefusePattern {
  return (pattern) => {
    patterns.add(pattern);
    return null;
  };
}

/**
 * What was read with these patterns in it, or, where any is refused, what is read again with that among its faults. The
 * work counts towards the share of the user `onBehalfOf`.
 */
export async function withPatternFaults<Read>(
  { checkPatterns }: PatternFaultDeps,
  patterns: ReadonlySet<string>,
  onBehalfOf: string,
  read: Read,
  readAgain: (refusePattern: RefusePattern) => Promise<Read>,
): Promise<Read> {
  if (patterns.size === 0) return read;
  const refused = await checkPatterns([...patterns], onBehalfOf);
  if (refused.size === 0) return read;
  return readAgain((pattern) => {
    const reason = refused.get(pattern);
    return reason === undefined ? null : refusedPattern(reason);
  });
}
