/** Nondeterministic automata: what a pattern without back-references becomes. */
import type { CharacterSet } from '#adapters/postgres-regex/characters/character-set.ts';
import type { Assertion, LookDirection } from '#adapters/postgres-regex/pattern-item.ts';

/** What must hold at a place for a move to be made there. */
export type Condition =
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** `look` is an index into the lookarounds of the pattern. */
  | { readonly kind: 'look'; readonly look: number; readonly negated: boolean };

/** States are numbers from 0. A match is a way from `start` to `end`. */
export interface Automaton {
  readonly stateCount: number;
  readonly start: number;
  readonly end: number;
  /** Moves that take no character. */
  readonly moves: readonly Move[];
  /** Moves that take one character of a set. */
  readonly steps: readonly Step[];
}

/** `condition` is an index into the conditions of the pattern, or undefined where it is free. */
export interface Move {
  readonly from: number;
  readonly to: number;
  readonly condition: number | undefined;
}

/** `set` is an index into the sets of the pattern. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly set: number;
}

/** A lookaround: whether its automaton matches from (ahead) or up to (behind) a place. */
export interface Lookaround {
  readonly direction: LookDirection;
  readonly automaton: Automaton;
}

/** All automata of one pattern, with what they share. */
export interface PatternAutomaton {
  readonly main: Automaton;
  /** Inner ones come before those whose conditions ask for them. */
  readonly lookarounds: readonly Lookaround[];
  readonly conditions: readonly Condition[];
  readonly sets: readonly CharacterSet[];
}

/** The same matches read from their end to their start. */
export function reverseAutomaton(automaton: Automaton): Automaton {
  return {
    stateCount: automaton.stateCount,
    start: automaton.end,
    end: automaton.start,
    moves: automaton.moves.map(({ from, to, condition }) => ({ from: to, to: from, condition })),
    steps: automaton.steps.map(({ from, to, set }) => ({ from: to, to: from, set })),
  };
}
