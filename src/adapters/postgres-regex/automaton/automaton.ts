/** Automata match patterns without back-references. Other patterns become JavaScript expressions. */
import type { CharacterSet } from '#adapters/postgres-regex/characters/character-set.ts';
import type { Assertion, LookDirection } from '#adapters/postgres-regex/pattern-item.ts';

export type Condition =
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'look'; readonly look: number; readonly negated: boolean };

/** States are numbered from 0. A match is a path from `start` to `end`. */
export interface Automaton {
  readonly stateCount: number;
  readonly start: number;
  readonly end: number;
  readonly moves: readonly Move[];
  /** A step consumes one character; a move consumes none. */
  readonly steps: readonly Step[];
}

/** `condition` is an index into the pattern's conditions; undefined means none. */
export interface Move {
  readonly from: number;
  readonly to: number;
  readonly condition: number | undefined;
}

export interface Step {
  readonly from: number;
  readonly to: number;
  readonly set: number;
}

/** A lookaround holds at a position if its automaton matches from there (`ahead`) or up to there (`behind`). */
export interface Lookaround {
  readonly direction: LookDirection;
  readonly automaton: Automaton;
}

export interface PatternAutomaton {
  readonly main: Automaton;
  /** Inner lookarounds precede outer ones, which depend on them. */
  readonly lookarounds: readonly Lookaround[];
  readonly conditions: readonly Condition[];
  readonly sets: readonly CharacterSet[];
}

export function reverseAutomaton(automaton: Automaton): Automaton {
  return {
    stateCount: automaton.stateCount,
    start: automaton.end,
    end: automaton.start,
    moves: automaton.moves.map(({ from, to, condition }) => ({ from: to, to: from, condition })),
    steps: automaton.steps.map(({ from, to, set }) => ({ from: to, to: from, set })),
  };
}
