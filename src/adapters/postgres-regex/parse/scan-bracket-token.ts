import { atEnd, fail, type PatternScanner, sees, takeCodePoint, takes } from './pattern-scanner.ts';
import { scanEscape } from './scan-escape.ts';
import { assertionToken, characterToken, type NamedElement, type PatternToken } from './syntax-options.ts';

/** Reads on after `[`, which begins a bracket expression or a word assertion (`[[:<:]]`). */
export function scanBracketOpening(scanner: PatternScanner): PatternToken {
  if (takes(scanner, '[:<:]]')) return assertionToken('word-start');
  if (takes(scanner, '[:>:]]')) return assertionToken('word-end');
  scanner.inBracket = true;
  return { kind: 'open-bracket', negated: takes(scanner, '^') };
}

export function scanBracketToken(scanner: PatternScanner): PatternToken {
  if (atEnd(scanner)) return fail(scanner, 'brackets');
  const isFirst = scanner.token.kind === 'open-bracket';
  const codePoint = takeCodePoint(scanner);
  switch (String.fromCodePoint(codePoint)) {
    case ']':
      if (isFirst) return characterToken(codePoint);
      scanner.inBracket = false;
      return { kind: 'close-bracket' };
    case '-':
      return isFirst || sees(scanner, ']') ? characterToken(codePoint) : { kind: 'range' };
    case '\\':
      return scanner.options.flavour === 'advanced' ? scanBracketEscape(scanner) : characterToken(codePoint);
    case '[':
      return scanNamedElement(scanner);
    default:
      return characterToken(codePoint);
  }
}

function scanBracketEscape(scanner: PatternScanner): PatternToken {
  if (atEnd(scanner)) return fail(scanner, 'escape');
  const token = scanEscape(scanner);
  return token.kind === 'character' || token.kind === 'class' ? token : fail(scanner, 'escape');
}

const DELIMITERS: Readonly<Record<NamedElement, string>> = {
  'collating-element': '.',
  'equivalence-class': '=',
  'character-class': ':',
};

function scanNamedElement(scanner: PatternScanner): PatternToken {
  if (atEnd(scanner)) return fail(scanner, 'brackets');
  if (takes(scanner, '.')) return { kind: 'open-named', what: 'collating-element' };
  if (takes(scanner, '=')) return { kind: 'open-named', what: 'equivalence-class' };
  if (takes(scanner, ':')) return { kind: 'open-named', what: 'character-class' };
  return characterToken(0x5b);
}

/** The current token is the opening, such as `[:`. Reads past the closing `:]`. */
export function scanName(scanner: PatternScanner, what: NamedElement): readonly number[] {
  const name: number[] = [];
  while (!takes(scanner, `${DELIMITERS[what]}]`)) {
    if (atEnd(scanner)) {
      fail(scanner, 'brackets');
      break;
    }
    name.push(takeCodePoint(scanner));
  }
  return name;
}
