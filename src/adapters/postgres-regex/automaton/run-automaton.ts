/** Follows all paths in one pass. States that are reached together become one deterministic state. */
import type { Assertion, LookDirection } from '#adapters/postgres-regex/pattern-item.ts';
import { assertNever } from '#domain/assert-never.ts';
import { type Automaton, type Condition, type Move, reverseAutomaton, type Step } from './automaton.ts';
import { type CharacterClassifier, type ClassTraits, TEXT_EDGE } from './character-classifier.ts';

export const INITIAL_STATE = 0;

export const DEAD_STATE = 1;

export interface AutomatonRunner {
  /**
   * Bit 0 of the result is set if a match ends just before `symbol`; in a backward run, if one begins just after it.
   * The other bits are the next state, valid only for the next call. At the text's edge, there is no next state.
   */
  step(state: number, symbol: number): number;
}

/** `looks` has a `1` for each lookaround that holds just before the character; in a backward run, just after it. */
export interface TextSymbol {
  readonly classId: number;
  readonly looks: string;
}

export interface RunnerSettings {
  readonly conditions: readonly Condition[];
  readonly classifier: CharacterClassifier;
  /** `behind` runs forward to the ends of matches; `ahead` runs backward to their beginnings. */
  readonly direction: LookDirection;
  readonly describe: (symbol: number) => TextSymbol;
}

/**
 * Limits of the remembered deterministic states, and of the automaton states in all of them together. At
 * either limit, all are forgotten.
 */
const MAX_REMEMBERED_STATES = 2_000;
const MAX_REMEMBERED_MEMBERS = 500_000;

/** A match may begin anywhere in the text. In a backward run, it may end anywhere. */
export function createRunner(automaton: Automaton, settings: RunnerSettings): AutomatonRunner {
  const { conditions, classifier, describe } = settings;
  const forward = settings.direction === 'behind';
  const graph = indexGraph(forward ? automaton : reverseAutomaton(automaton));
  const edgeAssertion: Assertion = forward ? 'text-start' : 'text-end';
  const beginsLater = canBeginLater(graph, (index) => {
    const condition = conditions[index] as Condition;
    return !(condition.kind === 'assertion' && condition.assertion === edgeAssertion);
  });
  const asksNeighbours = conditions.some(({ kind }) => kind === 'assertion');
  let memory = createMemory(graph.start);

  const computeStep = (state: RememberedState, { classId, looks }: TextSymbol): number => {
    const passed = classifier.traits(state.lastClass);
    const coming = classifier.traits(classId);
    const before = forward ? passed : coming;
    const after = forward ? coming : passed;
    const reached = reach(graph, state.members, (index) => {
      const condition = conditions[index] as Condition;
      return condition.kind === 'assertion'
        ? assertionHolds(condition.assertion, before, after)
        : (looks[condition.look] === '1') !== condition.negated;
    });
    const matches = reached.has(graph.end) ? 1 : 0;
    if (classId === TEXT_EDGE) return matches;
    const members = new Set<number>(beginsLater ? [graph.start] : []);
    for (const from of reached) {
      for (const step of graph.steps[from] ?? []) {
        if (classifier.includes(step.set, classId)) members.add(step.to);
      }
    }
    return (remember(memory, members, asksNeighbours ? classId : TEXT_EDGE) << 1) | matches;
  };

  return {
    step(stateId, symbol) {
      const state = memory.states[stateId] as RememberedState;
      let result = state.next[symbol];
      if (result === undefined) {
        if (isFull(memory)) memory = createMemory(graph.start);
        result = computeStep(state, describe(symbol));
        state.next[symbol] = result;
      }
      return result;
    },
  };
}

interface Graph {
  readonly start: number;
  readonly end: number;
  readonly moves: readonly (readonly Move[] | undefined)[];
  readonly steps: readonly (readonly Step[] | undefined)[];
}

function indexGraph(automaton: Automaton): Graph {
  const { start, end, stateCount } = automaton;
  const moves = groupByFrom(automaton.moves, stateCount);
  const steps = groupByFrom(automaton.steps, stateCount);
  return { start, end, moves, steps };
}

function groupByFrom<T extends Move | Step>(
  all: readonly T[],
  stateCount: number,
): readonly (T[] | undefined)[] {
  const grouped: (T[] | undefined)[] = new Array(stateCount);
  for (const one of all) {
    const siblings = grouped[one.from];
    if (siblings) siblings.push(one);
    else grouped[one.from] = [one];
  }
  return grouped;
}

function reach(graph: Graph, members: Iterable<number>, holds: (condition: number) => boolean): Set<number> {
  const reached = new Set(members);
  // Iterating a Set reaches elements that are added meanwhile, so this is the whole closure.
  for (const state of reached) {
    for (const { to, condition } of graph.moves[state] ?? []) {
      if (condition === undefined || holds(condition)) reached.add(to);
    }
  }
  return reached;
}

/** False if matches begin only at the text's edge, as for `^abc`. */
function canBeginLater(graph: Graph, mayHold: (condition: number) => boolean): boolean {
  const reached = reach(graph, [graph.start], mayHold);
  return reached.has(graph.end) || [...reached].some((state) => graph.steps[state] !== undefined);
}

interface RememberedState {
  readonly members: readonly number[];
  readonly lastClass: number;
  readonly next: number[];
}

interface Memory {
  readonly states: RememberedState[];
  readonly ids: Map<string, number>;
  memberCount: number;
}

function createMemory(start: number): Memory {
  const initial: RememberedState = { members: [start], lastClass: TEXT_EDGE, next: [] };
  const dead: RememberedState = { members: [], lastClass: TEXT_EDGE, next: [] };
  return { states: [initial, dead], ids: new Map(), memberCount: 0 };
}

function isFull(memory: Memory): boolean {
  return memory.states.length >= MAX_REMEMBERED_STATES || memory.memberCount >= MAX_REMEMBERED_MEMBERS;
}

function remember(memory: Memory, members: ReadonlySet<number>, lastClass: number): number {
  if (members.size === 0) return DEAD_STATE;
  const sorted = [...members].sort((left, right) => left - right);
  const key = `${lastClass}:${sorted.join()}`;
  const known = memory.ids.get(key);
  if (known !== undefined) return known;
  memory.ids.set(key, memory.states.length);
  memory.memberCount += sorted.length;
  return memory.states.push({ members: sorted, lastClass, next: [] }) - 1;
}

function assertionHolds(assertion: Assertion, before: ClassTraits, after: ClassTraits): boolean {
  switch (assertion) {
    case 'text-start':
      return before.isEdge;
    case 'text-end':
      return after.isEdge;
    case 'line-start':
      return before.isEdge || before.isNewline;
    case 'line-end':
      return after.isEdge || after.isNewline;
    case 'word-start':
      return !before.isWord && after.isWord;
    case 'word-end':
      return before.isWord && !after.isWord;
    case 'word-boundary':
      return before.isWord !== after.isWord;
    case 'not-word-boundary':
      return before.isWord === after.isWord;
    default:
      return assertNever(assertion);
  }
}
