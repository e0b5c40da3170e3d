/** An invalid pattern gets the same error message as in PostgreSQL. */
import { classMembers } from '#adapters/postgres-regex/characters/character-class.ts';
import { ANY_CHARACTER, complementSet, rangeSet } from '#adapters/postgres-regex/characters/character-set.ts';
import type { LookDirection, PatternItem } from '#adapters/postgres-regex/pattern-item.ts';
import type { PatternRefusal } from '#domain/filter/evaluate/compile-predicate.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { characterMembers, parseBracket } from './parse-bracket.ts';
import { fail, type PatternScanner } from './pattern-scanner.ts';
import { type RepetitionRange, readBound } from './read-bound.ts';
import { advance, openScanner } from './scan-token.ts';
import { readSyntaxOptions } from './syntax-options.ts';

/** A pattern with valid syntax. PostgreSQL may still refuse it as too complex. */
export interface ParsedPattern {
  /** In postfix order; never empty. */
  readonly items: readonly PatternItem[];
  readonly ignoreCase: boolean;
}

/** Takes linear time at any depth. Refusals are of kind `invalid`. */
export function parsePattern(pattern: string): Result<ParsedPattern, PatternRefusal> {
  const codePoints = Array.from(pattern, (character) => character.codePointAt(0) as number);
  const read = readSyntaxOptions(codePoints);
  if (!read.ok) return read;
  const { options, next } = read.value;
  const parse: Parse = {
    scanner: openScanner(codePoints, options, next),
    items: [],
    open: [{ opening: { kind: 'pattern' }, branches: 0, atoms: 0, inLook: false }],
    closedGroups: new Set(),
  };
  while (parse.scanner.token.kind !== 'end') parseToken(parse);
  if (parse.open.length > 1) fail(parse.scanner, 'parentheses');
  if (parse.scanner.refusal) return err(parse.scanner.refusal);
  closeAlternation(parse);
  return ok({ items: parse.items, ignoreCase: options.ignoreCase });
}

interface Parse {
  readonly scanner: PatternScanner;
  readonly items: PatternItem[];
  /** The pattern itself and its open parentheses, outermost first. */
  readonly open: OpenAlternation[];
  /** Back-references can name only groups that are already closed. */
  readonly closedGroups: Set<number>;
}

interface OpenAlternation {
  readonly opening: Opening;
  branches: number;
  atoms: number;
  /** Groups in a lookaround do not capture, and back-references there are refused. */
  readonly inLook: boolean;
}

type Opening =
  | { readonly kind: 'pattern' }
  | { readonly kind: 'group'; readonly capture: number | undefined }
  | { readonly kind: 'look'; readonly direction: LookDirection; readonly negated: boolean };

function parseToken(parse: Parse): void {
  const { scanner } = parse;
  const { token } = scanner;
  const innermost = parse.open.at(-1) as OpenAlternation;
  switch (token.kind) {
    case 'alternation':
      closeBranch(parse, innermost);
      advance(scanner);
      return;
    case 'open': {
      const capture = token.capturing && !innermost.inLook ? ++scanner.groupCount : undefined;
      openAlternation(parse, { kind: 'group', capture }, innermost.inLook);
      return;
    }
    case 'open-look':
      openAlternation(parse, { kind: 'look', direction: token.direction, negated: token.negated }, true);
      return;
    case 'close':
      closeParenthesis(parse, innermost);
      return;
    case 'assertion':
      parse.items.push({ kind: 'assertion', assertion: token.assertion });
      innermost.atoms += 1;
      advance(scanner);
      return;
    case 'quantifier':
    case 'bound':
      scanner.token = fail(scanner, 'quantifier');
      return;
    default:
      parseAtom(parse, innermost);
  }
}

function openAlternation(parse: Parse, opening: Opening, inLook: boolean): void {
  parse.open.push({ opening, branches: 0, atoms: 0, inLook });
  advance(parse.scanner);
}

function closeBranch(parse: Parse, alternation: OpenAlternation): void {
  if (alternation.atoms === 0) parse.items.push({ kind: 'empty' });
  if (alternation.atoms > 1) parse.items.push({ kind: 'concatenate', count: alternation.atoms });
  alternation.atoms = 0;
  alternation.branches += 1;
}

function closeAlternation(parse: Parse): void {
  const alternation = parse.open.pop() as OpenAlternation;
  closeBranch(parse, alternation);
  if (alternation.branches > 1) parse.items.push({ kind: 'alternate', count: alternation.branches });
}

function closeParenthesis(parse: Parse, innermost: OpenAlternation): void {
  const { scanner, items } = parse;
  const { opening } = innermost;
  if (opening.kind === 'pattern') {
    // As in POSIX, an extended pattern takes an unbalanced `)` literally.
    if (scanner.options.flavour === 'extended') parseLiteral(parse, innermost, 0x29);
    else scanner.token = fail(scanner, 'parentheses');
    return;
  }
  closeAlternation(parse);
  const outer = parse.open.at(-1) as OpenAlternation;
  advance(scanner);
  outer.atoms += 1;
  if (opening.kind === 'look') {
    items.push({ kind: 'look', direction: opening.direction, negated: opening.negated });
    return;
  }
  items.push({ kind: 'group', capture: opening.capture });
  if (opening.capture !== undefined) parse.closedGroups.add(opening.capture);
  parseQuantifier(parse);
}

function parseAtom(parse: Parse, innermost: OpenAlternation): void {
  const { scanner, items } = parse;
  const { token, options } = scanner;
  switch (token.kind) {
    case 'character':
      parseLiteral(parse, innermost, token.code);
      return;
    case 'any-character':
      items.push({ kind: 'characters', set: options.newlineStops ? NOT_NEWLINE : ANY_CHARACTER });
      advance(scanner);
      break;
    case 'class': {
      const members = classMembers(token.name, options.ignoreCase);
      items.push({ kind: 'characters', set: token.negated ? complementSet(members) : members });
      advance(scanner);
      break;
    }
    case 'open-bracket':
      items.push({ kind: 'characters', set: parseBracket(scanner, token.negated) });
      break;
    case 'back-reference':
      if (innermost.inLook || !parse.closedGroups.has(token.group)) {
        scanner.token = fail(scanner, 'back-reference');
        return;
      }
      items.push({ kind: 'back-reference', group: token.group });
      advance(scanner);
      break;
    default:
      throw new Error(`a ${token.kind} token outside brackets`);
  }
  innermost.atoms += 1;
  parseQuantifier(parse);
}

const NOT_NEWLINE = complementSet(rangeSet(0x0a, 0x0a));

function parseLiteral(parse: Parse, innermost: OpenAlternation, code: number): void {
  parse.items.push({ kind: 'characters', set: characterMembers(parse.scanner, code) });
  innermost.atoms += 1;
  advance(parse.scanner);
  parseQuantifier(parse);
}

function parseQuantifier(parse: Parse): void {
  const range = readQuantifier(parse.scanner);
  if (range && !(range.min === 1 && range.max === 1)) parse.items.push({ kind: 'repeat', ...range });
}

function readQuantifier(scanner: PatternScanner): RepetitionRange | undefined {
  const { token } = scanner;
  if (token.kind === 'bound') return readBound(scanner);
  if (token.kind !== 'quantifier') return undefined;
  advance(scanner);
  return { min: token.min, max: token.max };
}
