/**
 * PostgreSQL regular expressions evaluated in process: the dialect of its `~` operator (advanced regular
 * expressions and, by prefix, POSIX ones), as PostgreSQL 18 has it in a UTF-8 database with the builtin
 * C.UTF-8 locale. A pattern is answered exactly as there, or refused by name.
 */
import type { TranslatePattern } from '#domain/filter/evaluate/translate-pattern.ts';
import { err, ok } from '#domain/result.ts';
import { buildAutomaton } from './automaton/build-automaton.ts';
import { createAutomatonMatcher } from './automaton/match-automaton.ts';
import { findReferencedGroups, refuseBackReferences } from './expression/back-reference-rules.ts';
import { emitExpression } from './expression/emit-expression.ts';
import { refuseOversize } from './measure-pattern.ts';
import { parsePattern } from './parse/parse-pattern.ts';

/**
 * Translates a pattern. Matching takes time linear in the text, whatever the pattern; where it has
 * back-references, at most cubic. Contract: §4 (`matches`).
 *
 * Decision: an automaton of our own rather than a JavaScript expression, which takes exponential time for
 * patterns such as `(a|a)*b`. Only back-references need the latter, and those that could explode are refused.
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
