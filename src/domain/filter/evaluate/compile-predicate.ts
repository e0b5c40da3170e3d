/**
 * The in-process evaluator: a filter is compiled once and then evaluated device by device, with no database and no
 * depth limit. It agrees with the PostgreSQL compiler on every device; a differential test makes sure of that.
 *
 * The compiled form is a flat list of criteria, each with the index to continue at when it holds and when it does
 * not, so that evaluating never recurses and stops at the first criterion that decides.
 */
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type CompilePattern, compileCriterion } from './compile-criterion.ts';
import type { DevicePredicate } from './device-predicate.ts';
import type { PatternMatcher, PatternRefusal, TranslatePattern } from './translate-pattern.ts';

/** A regular expression that cannot be evaluated in process, or that PostgreSQL would refuse as well. */
export interface PatternFault extends PatternRefusal {
  readonly pattern: string;
}

/** The compiled filter, or every pattern in it that cannot be evaluated. */
export function compilePredicate(
  root: Node<Criterion>,
  translatePattern: TranslatePattern,
): Result<DevicePredicate, readonly PatternFault[]> {
  return withPatterns(translatePattern, (compilePattern) =>
    link(simplifyConditions(root), (criterion) => compileCriterion(criterion, compilePattern)),
  );
}

/** Each criterion compiled on its own, in order, or every pattern among them that cannot be evaluated. */
export function compileCriteria(
  criteria: readonly Criterion[],
  translatePattern: TranslatePattern,
): Result<readonly DevicePredicate[], readonly PatternFault[]> {
  return withPatterns(translatePattern, (compilePattern) =>
    criteria.map((criterion) => compileCriterion(criterion, compilePattern)),
  );
}

/** What `compile` gives, unless it comes upon patterns that cannot be evaluated. Each pattern is translated once. */
function withPatterns<T>(
  translatePattern: TranslatePattern,
  compile: (compilePattern: CompilePattern) => T,
): Result<T, readonly PatternFault[]> {
  const faults: PatternFault[] = [];
  const matchers = new Map<string, PatternMatcher>();
  const compiled = compile((pattern) => {
    const known = matchers.get(pattern);
    if (known !== undefined) return known;
    const translated = translatePattern(pattern);
    if (!translated.ok) faults.push({ pattern, ...translated.error });
    const matcher = translated.ok ? translated.value : () => false;
    matchers.set(pattern, matcher);
    return matcher;
  });
  return faults.length === 0 ? ok(compiled) : err(faults);
}

const ACCEPT = -1;
const REJECT = -2;

/** Jumps whose target is not known yet. Nested lists, so that joining two costs nothing. */
type Exits = Jump | readonly Exits[];

/** The slot of one criterion's jump: its index, and which of the two tables it is in. */
interface Jump {
  readonly index: number;
  readonly when: boolean;
}

interface Fragment {
  /** The index of the fragment's first criterion. */
  readonly start: number;
  readonly whenTrue: Exits;
  readonly whenFalse: Exits;
}

function link(root: Node<Criterion>, compile: (criterion: Criterion) => DevicePredicate): DevicePredicate {
  const criteria: DevicePredicate[] = [];
  const onTrue: number[] = [];
  const onFalse: number[] = [];
  const land = (exits: Exits, target: number) => {
    const stack: Exits[] = [exits];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      if ('when' in top) (top.when ? onTrue : onFalse)[top.index] = target;
      else for (const exits of top) stack.push(exits);
    }
  };
  const fragment = foldConditions<Criterion, Fragment>(root, {
    condition: (criterion) => {
      const index = criteria.push(compile(criterion)) - 1;
      return { start: index, whenTrue: { index, when: true }, whenFalse: { index, when: false } };
    },
    group: ({ operator }, members) => {
      // AND continues with the next member if one holds, and leaves if it does not; OR the other way round.
      const isAnd = operator === 'AND';
      const decided: Exits[] = [];
      members.forEach((member, i) => {
        const next = members[i + 1];
        decided.push(isAnd ? member.whenFalse : member.whenTrue);
        if (next !== undefined) land(isAnd ? member.whenTrue : member.whenFalse, next.start);
      });
      const last = members.at(-1);
      const undecided: Exits = last === undefined ? [] : isAnd ? last.whenTrue : last.whenFalse;
      return {
        start: members[0]?.start ?? criteria.length,
        whenTrue: isAnd ? undecided : decided,
        whenFalse: isAnd ? decided : undecided,
      };
    },
  });
  if (criteria.length === 0) {
    const isTrue = root.kind === 'group' && root.operator === 'AND';
    return () => isTrue;
  }
  land(fragment.whenTrue, ACCEPT);
  land(fragment.whenFalse, REJECT);
  const [first] = criteria;
  if (criteria.length === 1 && first !== undefined) return first;
  return (device, at) => {
    let index = 0;
    while (index >= 0) {
      index = ((criteria[index] as DevicePredicate)(device, at) ? onTrue : onFalse)[index] as number;
    }
    return index === ACCEPT;
  };
}
