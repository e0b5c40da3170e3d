/**
 * Evaluates patterns of PostgreSQL 18's `~` (advanced, or POSIX with a prefix), with UTF-8 and the builtin
 * C.UTF-8 locale. Answers are exact, or the pattern is refused.
 */
import type { TranslatePattern } from '#domain/filter/evaluate/compile-predicate.ts';
import { err, ok } from '#domain/result.ts';
import { buildAutomaton } from './automaton/build-automaton.ts';
import { createAutomatonMatcher } from './automaton/match-automaton.ts';
import { findReferencedGroups, refuseBackReferences } from './expression/back-reference-rules.ts';
import { emitExpression } from './expression/emit-expression.ts';
import { refuseOversize } from './measure-pattern.ts';
import { parsePattern } from './parse/parse-pattern.ts';

/**
 * Contract: §4, `matches`. An automaton takes time linear in the text. Only back-references need a JavaScript
 * expression, which can take exponential time, as for `(a|a)*b`. A pattern with back-references is refused if
 * matching would take more than cubic time.
 */
export const translatePattern: TranslatePattern = (pattern) => {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return parsed;
  const { items, ignoreCase } = parsed.value;
  const oversize = refuseOversize(items);
  if (oversize) return err(oversize);
  const referenced = findReferencedGroups(items);
  if (referenced.size === 0) return ok(createAutomatonMatcher(buildAutomaton(items)));
  const refusal = refuseBackReferences(items, ignoreCase);
  if (refusal) return err(refusal);
  const expression = emitExpression(items, referenced);
  return ok((text) => expression.test(text));
};
