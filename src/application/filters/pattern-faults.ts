/**
 * Reports regular expressions that the database refuses along with a filter's other faults (Contract: §1, every
 * fault).
 */
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import { refusedPattern } from '#domain/filter/conditions/filter-fault.ts';
import type { RefusePattern } from '#domain/filter/conditions/parse-conditions.ts';

export interface PatternFaultDeps {
  readonly checkPatterns: PatternChecker;
}

/** Collects every regular expression in `patterns` and refuses none. */
export function notePatterns(patterns: Set<string>): RefusePattern {
  return (pattern) => {
    patterns.add(pattern);
    return null;
  };
}

/**
 * Returns `read`, unless the database refuses a pattern; then reads again with those refusals as faults. The work
 * counts towards the share of the user `onBehalfOf`.
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
