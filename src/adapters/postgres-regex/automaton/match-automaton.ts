import type { LookDirection } from '#adapters/postgres-regex/pattern-item.ts';
import type { PatternAutomaton } from './automaton.ts';
import { type CharacterClassifier, createClassifier, TEXT_EDGE } from './character-classifier.ts';
import {
  type AutomatonRunner,
  createRunner,
  DEAD_STATE,
  INITIAL_STATE,
  type TextSymbol,
} from './run-automaton.ts';

/** Takes time linear in the text. States found for one text are reused for the next. */
export function createAutomatonMatcher(pattern: PatternAutomaton): (text: string) => boolean {
  const hasAssertions = pattern.conditions.some(({ kind }) => kind === 'assertion');
  const classifier = createClassifier(pattern.sets, hasAssertions);
  return pattern.lookarounds.length === 0
    ? createPlainMatcher(pattern, classifier)
    : createLookaroundMatcher(pattern, classifier);
}

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

/** Finds where each lookaround holds, inner ones first, then runs the pattern. */
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
    const marked: MarkedText = { symbols, classes, looks: new Array(classes.length + 1).fill(NO_LOOKS) };
    for (const { runner, direction } of runners) {
      const holding = run(runner, direction, marked);
      for (const [place, holds] of holding.entries()) {
        marked.looks[place] = symbols.extendLooks(marked.looks[place] as number, holds);
      }
    }
    return run(main, 'behind', marked).includes(true);
  };
}

interface MarkedText {
  readonly symbols: SymbolTable;
  readonly classes: readonly number[];
  /** For each position between characters, a number that stands for the set of lookarounds that hold there. */
  readonly looks: number[];
}

/** For each position between characters, whether a match ends there (`behind`) or begins there (`ahead`). */
function run(
  runner: AutomatonRunner,
  direction: LookDirection,
  { symbols, classes, looks }: MarkedText,
): boolean[] {
  const holding: boolean[] = new Array(looks.length);
  let state = INITIAL_STATE;
  for (let count = 0; count < looks.length; count += 1) {
    const place = direction === 'behind' ? count : looks.length - 1 - count;
    const next = classes[direction === 'behind' ? place : place - 1] ?? TEXT_EDGE;
    const result = runner.step(state, symbols.symbolOf(next, looks[place] as number));
    holding[place] = (result & 1) === 1;
    state = result >> 1;
  }
  return holding;
}

interface SymbolTable {
  extendLooks(looks: number, holds: boolean): number;
  symbolOf(classId: number, looks: number): number;
  readonly describe: (symbol: number) => TextSymbol;
}

const NO_LOOKS = 0;

function createSymbolTable(): SymbolTable {
  const symbols: TextSymbol[] = [];
  const looksByNumber = [{ holding: '', extended: [] as number[], symbols: [] as number[] }];
  return {
    extendLooks(looks, holds) {
      const known = looksByNumber[looks] as (typeof looksByNumber)[number];
      const extended = known.extended[holds ? 1 : 0] ?? looksByNumber.length;
      if (extended === looksByNumber.length) {
        looksByNumber.push({ holding: known.holding + (holds ? '1' : '0'), extended: [], symbols: [] });
        known.extended[holds ? 1 : 0] = extended;
      }
      return extended;
    },
    symbolOf(classId, looks) {
      const known = looksByNumber[looks] as (typeof looksByNumber)[number];
      const symbol = known.symbols[classId] ?? symbols.length;
      if (symbol === symbols.length) {
        symbols.push({ classId, looks: known.holding });
        known.symbols[classId] = symbol;
      }
      return symbol;
    },
    describe: (symbol) => symbols[symbol] as TextSymbol,
  };
}
