/**
 * Randomness and ids are the same on every machine and in every run, so loading the demo twice updates the same rows.
 */
import { hash } from 'node:crypto';
import { type Id, parseId } from '#domain/ids.ts';

export type Weighted<T> = readonly (readonly [item: T, weight: number])[];

/** A stream of random values. Each draw advances it. */
export interface SeededRandom {
  /** 0 (inclusive) to 1 (exclusive). */
  readonly fraction: () => number;
  /** A whole number; includes both bounds. */
  readonly integer: (from: number, to: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  readonly pickWeighted: <T>(items: Weighted<T>) => T;
  /** Log-uniform: mostly small numbers, with a long tail. Both bounds are above 0. */
  readonly longTail: (from: number, to: number) => number;
  /** Replaces `#` with a digit, `@` with an upper-case letter and `*` with either. */
  readonly fill: (pattern: string) => string;
}

/** Each name starts a separate stream, so a change to one device does not change the others. */
export function seededRandom(name: string): SeededRandom {
  let state = hash32(name);

  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(fraction() * items.length)];
    if (item === undefined) {
      throw new Error('nothing to pick from');
    }
    return item;
  };

  return {
    fraction,
    integer: (from, to) => from + Math.floor(fraction() * (to - from + 1)),
    chance: (probability) => fraction() < probability,
    pick,
    pickWeighted: (items) => weightedAt(items, fraction()),
    longTail: (from, to) => from * (to / from) ** fraction(),
    fill: (pattern) => pattern.replace(/[#@*]/g, (place) => pick(CHARACTERS[place] ?? [])),
  };
}

const DIGITS = [...'0123456789'];
/** Serial numbers have no I and O. */
const LETTERS = [...'ABCDEFGHJKLMNPQRSTUVWXYZ'];
const CHARACTERS: Readonly<Record<string, readonly string[]>> = {
  '#': DIGITS,
  '@': LETTERS,
  '*': [...DIGITS, ...LETTERS],
};

/** FNV-1a over UTF-16 code units. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

function weightedAt<T>(items: Weighted<T>, fraction: number): T {
  let rest = fraction * items.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of items) {
    rest -= weight;
    if (rest < 0) {
      return item;
    }
  }
  const last = items.at(-1);
  if (last === undefined) {
    throw new Error('nothing to pick from');
  }
  return last[0];
}

/** A UUIDv7 from January or February 2025, derived from kind and name. */
export function stableId<K extends string>(kind: K, name: string): Id<K> {
  const digest = hash('sha256', `fleetsift demo ${kind} ${name}`, 'hex');
  const issuedAt = (FIRST_ISSUE_MS + Number.parseInt(digest.slice(0, 8), 16)).toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(digest.slice(8, 9), 16) & 0x3) | 0x8).toString(16);
  const text = `${issuedAt.slice(0, 8)}-${issuedAt.slice(8)}-7${digest.slice(9, 12)}-${variant}${digest.slice(12, 15)}-${digest.slice(15, 27)}`;
  const id = parseId<K>(text);
  if (id === null) {
    throw new Error(`not a UUID: ${text}`);
  }
  return id;
}

const FIRST_ISSUE_MS = Date.UTC(2025, 0, 1);
