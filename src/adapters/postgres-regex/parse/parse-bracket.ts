import {
  caseVariants,
  classMembers,
  findCollatingElement,
  isCharacterClass,
  rangeWithCaseVariants,
} from '#adapters/postgres-regex/characters/character-class.ts';
import {
  type CharacterSet,
  complementSet,
  rangeSet,
  setOf,
  uniteSets,
} from '#adapters/postgres-regex/characters/character-set.ts';
import { assertNever } from '#domain/assert-never.ts';
import { fail, type PatternScanner } from './pattern-scanner.ts';
import { scanName } from './scan-bracket-token.ts';
import { advance } from './scan-token.ts';
import type { NamedElement } from './syntax-options.ts';

const NEWLINE = 0x0a;

/** The current token is the opening bracket. Reads past the closing one. */
export function parseBracket(scanner: PatternScanner, negated: boolean): CharacterSet {
  const parts: CharacterSet[] = [];
  advance(scanner);
  while (scanner.token.kind !== 'close-bracket' && scanner.token.kind !== 'end') {
    parts.push(parsePart(scanner));
  }
  advance(scanner);
  if (!negated) return uniteSets(parts);
  if (scanner.options.newlineStops) parts.push(setOf([NEWLINE]));
  return complementSet(uniteSets(parts));
}

export function characterMembers(scanner: PatternScanner, code: number): CharacterSet {
  return scanner.options.ignoreCase ? caseVariants(code) : rangeSet(code, code);
}

const NOTHING: CharacterSet = [];

function parsePart(scanner: PatternScanner): CharacterSet {
  const { token } = scanner;
  const { ignoreCase } = scanner.options;
  switch (token.kind) {
    case 'character':
      advance(scanner);
      if (scanner.token.kind !== 'range') return characterMembers(scanner, token.code);
      return parseRange(scanner, token.code);
    case 'class': {
      advance(scanner);
      const members = classMembers(token.name, ignoreCase);
      return token.negated ? complementSet(members) : members;
    }
    case 'open-named':
      return parseNamedElement(scanner, token.what);
    default:
      return fault(scanner, 'character range');
  }
}

function parseNamedElement(scanner: PatternScanner, what: NamedElement): CharacterSet {
  const name = readName(scanner, what);
  switch (what) {
    case 'character-class': {
      const text = name.map((codePoint) => String.fromCodePoint(codePoint)).join('');
      return isCharacterClass(text)
        ? classMembers(text, scanner.options.ignoreCase)
        : fault(scanner, 'character class');
    }
    case 'equivalence-class': {
      // In C.UTF-8, no characters are equivalent.
      const code = findCollatingElement(name);
      return code === undefined ? fault(scanner, 'collating element') : characterMembers(scanner, code);
    }
    case 'collating-element': {
      const code = findCollatingElement(name);
      return code === undefined ? fault(scanner, 'collating element') : parseRange(scanner, code);
    }
    default:
      return assertNever(what);
  }
}

function readName(scanner: PatternScanner, what: NamedElement): readonly number[] {
  const name = scanName(scanner, what);
  advance(scanner);
  return name;
}

function parseRange(scanner: PatternScanner, first: number): CharacterSet {
  const last = scanner.token.kind === 'range' ? parseRangeEnd(scanner) : first;
  if (last === undefined) return NOTHING;
  if (first > last) return fault(scanner, 'character range');
  return scanner.options.ignoreCase ? rangeWithCaseVariants(first, last) : rangeSet(first, last);
}

const HYPHEN = 0x2d;

function parseRangeEnd(scanner: PatternScanner): number | undefined {
  advance(scanner);
  const { token } = scanner;
  if (token.kind === 'character' || token.kind === 'range') {
    advance(scanner);
    return token.kind === 'range' ? HYPHEN : token.code;
  }
  if (token.kind === 'open-named' && token.what === 'collating-element') {
    const code = findCollatingElement(readName(scanner, token.what));
    if (code === undefined) fault(scanner, 'collating element');
    return code;
  }
  fault(scanner, 'character range');
  return undefined;
}

function fault(scanner: PatternScanner, construct: Parameters<typeof fail>[1]): CharacterSet {
  scanner.token = fail(scanner, construct);
  return NOTHING;
}
