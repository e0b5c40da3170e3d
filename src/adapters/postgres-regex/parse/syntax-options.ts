/** A pattern's options, read from `***` and embedded options such as `(?i)`. */
import { type CharacterClass, classMembers } from '#adapters/postgres-regex/characters/character-class.ts';
import { includesCodePoint } from '#adapters/postgres-regex/characters/character-set.ts';
import { type Assertion, invalidPattern, type LookDirection } from '#adapters/postgres-regex/pattern-item.ts';
import type { PatternRefusal } from '#domain/filter/evaluate/compile-predicate.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** advanced (ARE, the flavour of `~`), extended (POSIX ERE), basic (POSIX BRE), or literal text. */
type SyntaxFlavour = 'advanced' | 'extended' | 'basic' | 'literal';

export interface SyntaxOptions {
  readonly flavour: SyntaxFlavour;
  readonly ignoreCase: boolean;
  /** Skips white space and `#` comments between tokens. */
  readonly expanded: boolean;
  /** `.` and `[^...]` do not match a newline. */
  readonly newlineStops: boolean;
  /** `^` and `$` also match beside a newline. */
  readonly newlineAnchors: boolean;
}

/** `next` is the code point at which the pattern proper begins. */
interface ReadOptions {
  readonly options: SyntaxOptions;
  readonly next: number;
}

const DEFAULTS: SyntaxOptions = {
  flavour: 'advanced',
  ignoreCase: false,
  expanded: false,
  newlineStops: false,
  newlineAnchors: false,
};

/** See PostgreSQL's "Regular Expression Metasyntax". */
export function readSyntaxOptions(codePoints: readonly number[]): Result<ReadOptions, PatternRefusal> {
  let next = 0;
  if (codePoints.length >= 4 && startsWith(codePoints, 0, '***')) {
    const kind = String.fromCodePoint(codePoints[3] as number);
    if (kind === '=') return ok({ options: { ...DEFAULTS, flavour: 'literal' }, next: 4 });
    if (kind !== ':') return err(invalidPattern(kind === '?' ? 'prefix' : 'quantifier'));
    next = 4;
  }
  if (!startsWith(codePoints, next, '(?') || !isLetter(codePoints[next + 2])) {
    return ok({ options: DEFAULTS, next });
  }
  return readEmbeddedOptions(codePoints, next + 2);
}

const CHANGES: Readonly<Record<string, Partial<SyntaxOptions>>> = {
  b: { flavour: 'basic' },
  c: { ignoreCase: false },
  e: { flavour: 'extended' },
  i: { ignoreCase: true },
  m: { newlineStops: true, newlineAnchors: true },
  n: { newlineStops: true, newlineAnchors: true },
  p: { newlineStops: true, newlineAnchors: false },
  q: { flavour: 'literal' },
  s: { newlineStops: false, newlineAnchors: false },
  t: { expanded: false },
  w: { newlineStops: false, newlineAnchors: true },
  x: { expanded: true },
};

function readEmbeddedOptions(
  codePoints: readonly number[],
  from: number,
): Result<ReadOptions, PatternRefusal> {
  let options = DEFAULTS;
  let next = from;
  for (; isLetter(codePoints[next]); next += 1) {
    const letter = String.fromCodePoint(codePoints[next] as number);
    if (!Object.hasOwn(CHANGES, letter)) return err(invalidPattern('embedded option'));
    options = { ...options, ...CHANGES[letter] };
  }
  return startsWith(codePoints, next, ')')
    ? ok({ options, next: next + 1 })
    : err(invalidPattern('embedded option'));
}

function startsWith(codePoints: readonly number[], from: number, text: string): boolean {
  return Array.from(text).every((character, index) => codePoints[from + index] === character.charCodeAt(0));
}

/** Any letter counts, as in PostgreSQL: `(?ж)` is a faulty option, but `(?1)` a faulty group. */
function isLetter(codePoint: number | undefined): boolean {
  return codePoint !== undefined && includesCodePoint(classMembers('alpha', false), codePoint);
}

/** After the first fault, every token is `end`. */
export type PatternToken =
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  /** `code` can exceed Unicode, up to 0x7ffffffe; such a character matches nothing. */
  | { readonly kind: 'character'; readonly code: number }
  | { readonly kind: 'any-character' }
  | { readonly kind: 'class'; readonly name: CharacterClass; readonly negated: boolean }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'back-reference'; readonly group: number }
  | { readonly kind: 'alternation' }
  | { readonly kind: 'open'; readonly capturing: boolean }
  | { readonly kind: 'open-look'; readonly direction: LookDirection; readonly negated: boolean }
  | { readonly kind: 'close' }
  | { readonly kind: 'quantifier'; readonly min: number; readonly max: number }
  /** `{` or `\{`. `readBound` reads the numbers only where a quantifier may stand. */
  | { readonly kind: 'bound' }
  | { readonly kind: 'open-bracket'; readonly negated: boolean }
  | { readonly kind: 'close-bracket' }
  | { readonly kind: 'range' }
  /** `[.`, `[=` or `[:`. `scanName` reads the name only where one may stand. */
  | { readonly kind: 'open-named'; readonly what: NamedElement };

export type NamedElement = 'collating-element' | 'equivalence-class' | 'character-class';

export function characterToken(code: number): PatternToken {
  return { kind: 'character', code };
}

export function assertionToken(assertion: Assertion): PatternToken {
  return { kind: 'assertion', assertion };
}
