import type { CharacterSet } from '#adapters/postgres-regex/characters/character-set.ts';
import {
  type LookDirection,
  type PatternItem,
  type PatternReading,
  readPattern,
} from '#adapters/postgres-regex/pattern-item.ts';
import type { Automaton, Condition, Lookaround, Move, PatternAutomaton, Step } from './automaton.ts';

/** `a{3}` becomes three copies of `a`, so the automaton can be much larger than the pattern. */
export function buildAutomaton(items: readonly PatternItem[]): PatternAutomaton {
  const builder = new AutomatonBuilder();
  const main = builder.takeAutomaton(readPattern(items, builder));
  return {
    main,
    lookarounds: builder.lookarounds,
    conditions: builder.conditions.values,
    sets: builder.sets.values,
  };
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly began: Extent;
}

interface Extent {
  readonly states: number;
  readonly moves: number;
  readonly steps: number;
}

/** Each new part is appended to `#moves` and `#steps`, so the newest part is easy to copy or remove. */
class AutomatonBuilder implements PatternReading<Part> {
  readonly lookarounds: Lookaround[] = [];
  readonly conditions = new Interned<Condition>((condition) => JSON.stringify(condition));
  readonly sets = new Interned<CharacterSet>((set) => set.join());
  #stateCount = 0;
  #moves: Move[] = [];
  #steps: Step[] = [];

  characters(set: CharacterSet): Part {
    const part = this.#beginPart();
    this.#steps.push({ from: part.start, to: part.end, set: this.sets.indexOf(set) });
    return part;
  }

  empty(): Part {
    return this.#join(this.#beginPart(), undefined);
  }

  assertion(assertion: Extract<Condition, { kind: 'assertion' }>['assertion']): Part {
    return this.#join(this.#beginPart(), this.conditions.indexOf({ kind: 'assertion', assertion }));
  }

  backReference(group: number): Part {
    throw new Error(`back-reference ${group} in a pattern for an automaton`);
  }

  concatenate(parts: readonly Part[]): Part {
    return parts.reduce((left, right) => {
      this.#move(left.end, right.start);
      return { start: left.start, end: right.end, began: left.began };
    });
  }

  alternate(branches: readonly Part[]): Part {
    const { began } = branches[0] as Part;
    const whole = { ...this.#beginPart(), began };
    for (const branch of branches) this.#enclose(whole, branch);
    return whole;
  }

  group(_capture: number | undefined, body: Part): Part {
    return body;
  }

  repeat(min: number, max: number, body: Part): Part {
    if (max === 0) {
      this.takeAutomaton(body);
      return this.empty();
    }
    const original = this.#extent();
    const whole = { ...this.#beginPart(), began: body.began };
    const isLoop = max === Number.POSITIVE_INFINITY;
    const copies = isLoop ? Math.max(min, 1) : max;
    this.#move(whole.start, body.start);
    if (min === 0) this.#move(whole.start, whole.end);
    let last = body;
    for (let copy = 1; copy < copies; copy += 1) {
      const next = this.#copy(body, original);
      this.#move(last.end, next.start);
      if (copy >= min) this.#move(last.end, whole.end);
      last = next;
    }
    this.#move(last.end, whole.end);
    if (isLoop) this.#move(last.end, last.start);
    return whole;
  }

  look(direction: LookDirection, negated: boolean, body: Part): Part {
    const look = this.lookarounds.push({ direction, automaton: this.takeAutomaton(body) }) - 1;
    return this.#join(this.#beginPart(), this.conditions.indexOf({ kind: 'look', look, negated }));
  }

  takeAutomaton({ start, end, began }: Part): Automaton {
    const stateCount = this.#stateCount - began.states;
    this.#stateCount = began.states;
    return {
      stateCount,
      start: start - began.states,
      end: end - began.states,
      moves: this.#moves.splice(began.moves).map((move) => shift(move, -began.states)),
      steps: this.#steps.splice(began.steps).map((step) => shift(step, -began.states)),
    };
  }

  #extent(): Extent {
    return { states: this.#stateCount, moves: this.#moves.length, steps: this.#steps.length };
  }

  #beginPart(): Part {
    const began = this.#extent();
    this.#stateCount += 2;
    return { start: began.states, end: began.states + 1, began };
  }

  #move(from: number, to: number): void {
    this.#moves.push({ from, to, condition: undefined });
  }

  #join(part: Part, condition: number | undefined): Part {
    this.#moves.push({ from: part.start, to: part.end, condition });
    return part;
  }

  #enclose(whole: Part, branch: Part): void {
    this.#move(whole.start, branch.start);
    this.#move(branch.end, whole.end);
  }

  /** Copies all moves and steps that were added from `part.began` to `extent`. */
  #copy(part: Part, extent: Extent): Part {
    const began = this.#extent();
    const by = began.states - part.began.states;
    for (const move of this.#moves.slice(part.began.moves, extent.moves)) this.#moves.push(shift(move, by));
    for (const step of this.#steps.slice(part.began.steps, extent.steps)) this.#steps.push(shift(step, by));
    this.#stateCount += extent.states - part.began.states;
    return { start: part.start + by, end: part.end + by, began };
  }
}

function shift<T extends Move | Step>(move: T, by: number): T {
  return { ...move, from: move.from + by, to: move.to + by };
}

/** Gives equal values the same index into `values`. */
class Interned<T> {
  readonly values: T[] = [];
  readonly #toKey: (value: T) => string;
  readonly #indexes = new Map<string, number>();

  constructor(toKey: (value: T) => string) {
    this.#toKey = toKey;
  }

  indexOf(value: T): number {
    const key = this.#toKey(value);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}
