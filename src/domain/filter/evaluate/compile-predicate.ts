/**
 * Evaluates a compiled filter device by device, without a database or a depth limit. A differential test
 * keeps it equal to the PostgreSQL compiler. The compiled form is a flat list of criteria with jump targets,
 * so evaluation never recurses and stops once the result is known.
 */

import type { DeviceFacts } from '#domain/device/device.ts';
import type { InnerFilter } from '#domain/filter/catalog/inner-filters.ts';
import type { Criterion, InnerCriterion, Node } from '#domain/filter/conditions/condition.ts';
import { conditionsOf, filtersOf } from '#domain/filter/conditions/expand-inner.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { type CompilePattern, compileCriterion } from './compile-criterion.ts';

export interface PatternFault extends PatternRefusal {
  readonly pattern: string;
}

/** An error has every pattern that cannot be evaluated. */
export function compilePredicate(
  root: Node<Criterion>,
  translatePattern: TranslatePattern,
): Result<DevicePredicate, readonly PatternFault[]> {
  return withPatterns(translatePattern, (compilePattern) => makeCompileNode(compilePattern)(root));
}

/** Compiles each criterion by itself, in order. Errors are as in `compilePredicate`. */
export function compileCriteria(
  criteria: readonly Criterion[],
  translatePattern: TranslatePattern,
): Result<readonly DevicePredicate[], readonly PatternFault[]> {
  return withPatterns(translatePattern, (compilePattern) => criteria.map(makeCompileNode(compilePattern)));
}

function makeCompileNode(compilePattern: CompilePattern): (root: Node<Criterion>) => DevicePredicate {
  const known = new Map<InnerFilter, DevicePredicate>();
  const compileNode = (root: Node<Criterion>): DevicePredicate =>
    link(simplifyConditions(root), (criterion) =>
      criterion.reads === 'filter' ? compileInner(criterion) : compileCriterion(criterion, compilePattern),
    );
  const compileInner = (criterion: InnerCriterion): DevicePredicate => {
    const predicates = filtersOf(criterion).map((filter) => {
      const compiled = known.get(filter) ?? rememberLast(compileNode(conditionsOf(filter)));
      known.set(filter, compiled);
      return compiled;
    });
    const isExpected = !criterion.isNegated;
    return (device, at) => predicates.some((matches) => matches(device, at)) === isExpected;
  };
  return compileNode;
}

/** Without this cache, each level that names a filter twice would double the evaluations. */
function rememberLast(matches: DevicePredicate): DevicePredicate {
  let last: DeviceFacts | null = null;
  let lastAt = Number.NaN;
  let answer = false;
  return (device, at) => {
    if (device === last && at === lastAt) return answer;
    answer = matches(device, at);
    last = device;
    lastAt = at;
    return answer;
  };
}

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

/** Jumps whose targets are not known yet. Lists nest, so joining two lists is free. */
type Exits = Jump | readonly Exits[];

interface Jump {
  readonly index: number;
  readonly when: boolean;
}

interface Fragment {
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

/** `at` is the instant of evaluation. */
export type DevicePredicate = (device: DeviceFacts, at: EpochMs) => boolean;

/** Matches anywhere in well-formed Unicode text. */
export type PatternMatcher = (text: string) => boolean;

export interface PatternRefusal {
  /** `untranslatable`: PostgreSQL accepts the pattern, but this engine would not be exact. */
  readonly kind: 'invalid' | 'untranslatable';
  /** The construct at fault, such as `character range`. */
  readonly construct: string;
  /** PostgreSQL's reason if the pattern is invalid, else a sentence. */
  readonly message: string;
}

/**
 * For `matches` in PostgreSQL's dialect (Contract: §4): a matcher that always agrees with PostgreSQL, or a refusal.
 * `src/adapters/postgres-regex` implements this port.
 */
export type TranslatePattern = (pattern: string) => Result<PatternMatcher, PatternRefusal>;
