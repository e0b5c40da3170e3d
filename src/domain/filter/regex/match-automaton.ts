/** Matches texts against the automata of a pattern, in time linear in the text. */

import type { PatternAutomaton } from './automaton.ts';
import { type CharacterClassifier, createClassifier, TEXT_EDGE } from './character-classifier.ts';
import {
  type AutomatonRunner,
  createRunner,
  DEAD_STATE,
  INITIAL_STATE,
  type TextSymbol,
} from './run-automaton.ts';

/** Whether a pattern matches anywhere in a text; what it learns of one text serves the next. */
export function createAutomatonMatcher(pattern: PatternAutomaton): (text: string) => boolean {
  const hasAssertions = pattern.conditions.some(({ kind }) => kind === 'assertion');
  const classifier = createClassifier(pattern.sets, hasAssertions);
  return pattern.lookarounds.length === 0
    ? createPlainMatcher(pattern, classifier)
    : createLookaroundMatcher(pattern, classifier);
}

/** Without lookarounds the symbols are the classes themselves, found character by character. */
function createPlainMatcher(
  pattern: PatternAutomaton,
  classifier: CharacterClassifier,
): (text: string) => boolean {
  const runner = createRunner(pattern.main, {
    conditions: pattern.conditions,
    classifier,
    direction: 'behind',
    describe: (classId) => ({ classId, looks: '' }),
  });
  return (text) => {
    let state = INITIAL_STATE;
    for (let at = 0; at < text.length; at += 1) {
      const codePoint = text.codePointAt(at) as number;
      if (codePoint > 0xffff) at += 1;
      const result = runner.step(state, classifier.classify(codePoint));
      if ((result & 1) === 1) return true;
      state = result >> 1;
      if (state === DEAD_STATE) return false;
    }
    return (runner.step(state, TEXT_EDGE) & 1) === 1;
  };
}

/** Each lookaround is settled for every place of the text, inner ones first, then the pattern is run. */
function createLookaroundMatcher(
  pattern: PatternAutomaton,
  classifier: CharacterClassifier,
): (text: string) => boolean {
  const symbols = createSymbolTable();
  const settings = { conditions: pattern.conditions, classifier, describe: symbols.describe };
  const runners = pattern.lookarounds.map(({ automaton, direction }) => ({
    runner: createRunner(automaton, { ...settings, direction }),
    direction,
  }));
  const main = createRunner(pattern.main, { ...settings, direction: 'behind' });
  return (text) => {
    const classes = Array.from(text, (character) => classifier.classify(character.codePointAt(0) as number));
    // The edges of the text are the places' neighbours too, so there is a class on either side of each.
    const bounded = [TEXT_EDGE, ...classes, TEXT_EDGE];
    let looks: string[] = new Array(classes.length + 1).fill('');
    for (const { runner, direction } of runners) {
      const holding = direction === 'behind' ? runForward : runBackward;
      looks = holding(runner, bounded, looks, symbols).map(
        (holds, place) => looks[place] + (holds ? '1' : '0'),
      );
    }
    return runForward(main, bounded, looks, symbols).includes(true);
  };
}

interface SymbolTable {
  symbolOf(classId: number, looks: string): number;
  readonly describe: (symbol: number) => TextSymbol;
}

function createSymbolTable(): SymbolTable {
  const symbols: TextSymbol[] = [];
  const numbers = new Map<string, number>();
  return {
    symbolOf(classId, looks) {
      const key = `${classId}:${looks}`;
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, symbols.length);
      return symbols.push({ classId, looks }) - 1;
    },
    describe: (symbol) => symbols[symbol] as TextSymbol,
  };
}

/** For each place of the text whether a match ends there. */
function runForward(
  runner: AutomatonRunner,
  bounded: readonly number[],
  looks: readonly string[],
  symbols: SymbolTable,
): boolean[] {
  let state = INITIAL_STATE;
  return looks.map((holding, place) => {
    const result = runner.step(state, symbols.symbolOf(bounded[place + 1] as number, holding));
    state = result >> 1;
    return (result & 1) === 1;
  });
}

/** For each place of the text whether a match begins there. */
function runBackward(
  runner: AutomatonRunner,
  bounded: readonly number[],
  looks: readonly string[],
  symbols: SymbolTable,
): boolean[] {
  let state = INITIAL_STATE;
  return looks
    .map((holding, place) => ({ holding, place }))
    .reverse()
    .map(({ holding, place }) => {
      const result = runner.step(state, symbols.symbolOf(bounded[place] as number, holding));
      state = result >> 1;
      return (result & 1) === 1;
    })
    .reverse();
}
