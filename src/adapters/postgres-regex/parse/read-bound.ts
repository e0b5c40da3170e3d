import { atEnd, fail, type PatternScanner, skipExpanded, takeCodePoint, takes } from './pattern-scanner.ts';
import { advance } from './scan-token.ts';

export interface RepetitionRange {
  readonly min: number;
  readonly max: number;
}

const MAX_REPETITIONS = 255;

/** The current token is the opening brace. Reads past the closing one. */
export function readBound(scanner: PatternScanner): RepetitionRange {
  const bound: BoundCursor = { scanner, mark: '' };
  step(bound);
  const min = readCount(bound);
  let max = min;
  if (bound.mark === ',') {
    step(bound);
    max = isDigit(bound.mark) ? readCount(bound) : Number.POSITIVE_INFINITY;
  }
  if (min > max || bound.mark !== '}') fail(scanner, 'repetition count');
  else if (scanner.options.flavour === 'advanced') takes(scanner, '?');
  advance(scanner);
  return { min, max };
}

/** `mark` is the last digit, comma or brace; empty after a fault. */
interface BoundCursor {
  readonly scanner: PatternScanner;
  mark: string;
}

function step(bound: BoundCursor): void {
  const { scanner } = bound;
  bound.mark = '';
  if (scanner.refusal) return;
  skipExpanded(scanner);
  if (atEnd(scanner)) {
    fail(scanner, 'braces');
    return;
  }
  const mark = String.fromCodePoint(takeCodePoint(scanner));
  const isBasic = scanner.options.flavour === 'basic';
  if (isDigit(mark) || mark === ',' || (mark === '}' && !isBasic)) bound.mark = mark;
  else if (mark === '\\' && isBasic && takes(scanner, '}')) bound.mark = '}';
  else fail(scanner, 'repetition count');
}

function readCount(bound: BoundCursor): number {
  let count = 0;
  // PostgreSQL reads no more digits once the count is 255: `{0255}` is valid, but `{2550}` is not.
  while (isDigit(bound.mark) && count < MAX_REPETITIONS) {
    count = count * 10 + Number(bound.mark);
    step(bound);
  }
  if (isDigit(bound.mark) || count > MAX_REPETITIONS) {
    fail(bound.scanner, 'repetition count');
    return 0;
  }
  return count;
}

function isDigit(mark: string): boolean {
  return mark.length === 1 && mark >= '0' && mark <= '9';
}
