/**
 * Cuts a value into sign, words and stars. Looks at each character a bounded number of times, so a megabyte takes
 * linear time.
 */
import {
  type ReportFault,
  reportStars,
  type StarFault,
  type TextFaultCode,
} from '#domain/filter/text/text-fault.ts';
import { quote, type Sign, unquote, type ValueStyle } from '#domain/filter/text/text-keys.ts';
import { endOfMatch, findUnescaped, skipValue } from './scan-stretch.ts';
import type { ScannedValue, ScannedWord } from './term.ts';

export interface Scan {
  readonly end: number;
  /** Null if the value was reported as faulty. */
  readonly value: ScannedValue | null;
}

/** `start` must not be white space or the end of the text. */
export function scanValue(text: string, start: number, style: ValueStyle, report: ReportFault): Scan {
  return new ValueScanner(text, start, style, report).scan();
}

class ValueScanner {
  readonly #text: string;
  readonly #start: number;
  readonly #style: ValueStyle;
  readonly #report: ReportFault;
  #at: number;
  #star: ScannedValue['star'] = 'none';

  constructor(text: string, start: number, style: ValueStyle, report: ReportFault) {
    this.#text = text;
    this.#start = start;
    this.#style = style;
    this.#report = report;
    this.#at = start;
  }

  scan(): Scan {
    const text = this.#text;
    const opening = /(?:[<>]=?|=|\/|\[)?/y.exec(text.slice(this.#start, this.#start + 2))?.[0] ?? '';
    const { signs, hasPatterns, hasBrackets } = this.#style;
    if (opening === '/' && hasPatterns) return this.#scanPattern();
    if (opening === '[' && hasBrackets) return this.#scanBrackets();
    const sign = signs.find((known) => known === opening) ?? '';
    if (opening !== '' && sign === '') return this.#refuseOpening(opening);
    this.#at += sign.length;
    if (sign === '=' && text[this.#at] === '[') return this.#scanEmptyList();
    const splits = this.#style.splits === 'always' || (this.#style.splits === 'afterEquals' && sign === '=');
    const words = splits ? this.#readList(false) : this.#readLoneWord(sign);
    return words === null ? this.#skip() : this.#finish({ sign, form: 'words', words });
  }

  #scanPattern(): Scan {
    const closing = findUnescaped(this.#text, this.#start + 1, '/');
    if (closing === -1) {
      const message = 'The regular expression has no closing "/"';
      this.#fault(this.#start, this.#text.length, 'unclosed_pattern', message);
      return { end: this.#text.length, value: null };
    }
    this.#at = closing + 1;
    const raw = this.#text.slice(this.#start + 1, closing);
    const pattern = raw.replace(/\\[\s\S]/g, (pair) => (pair === '\\/' ? '/' : pair));
    if (!this.#isAtEnd()) {
      const message =
        'A regular expression ends at its second "/". Write "\\/" for a slash in it, or put text that begins with "/" in quotes.';
      this.#fault(this.#at, this.#at + 1, 'unexpected_character', message);
      return this.#skip();
    }
    const word = { start: this.#start, end: this.#at, text: pattern, isQuoted: false };
    return this.#finish({ sign: '', form: 'pattern', words: [word] });
  }

  #scanBrackets(): Scan {
    this.#at++;
    const isEmpty = this.#text[this.#at] === ']';
    const words = isEmpty ? [] : this.#readList(true);
    if (words === null) return this.#skip();
    if (this.#text[this.#at] !== ']') {
      const message =
        'The list has no closing "]". Write it without spaces, and put values with spaces in quotes. Example: [a,"b c"]';
      this.#fault(this.#start, this.#at, 'unexpected_character', message);
      return this.#skip();
    }
    this.#at++;
    return this.#finish({ sign: '', form: 'brackets', words });
  }

  /** Only an empty list has brackets after `=`. */
  #scanEmptyList(): Scan {
    if (this.#text[this.#at + 1] === ']') {
      this.#at += 2;
      if (this.#isAtEnd()) return this.#finish({ sign: '=', form: 'brackets', words: [] });
    }
    const message =
      'Only an empty list has brackets after "=". Write =a,b, or put text that begins with "[" in quotes.';
    this.#fault(this.#start, skipValue(this.#text, this.#start), 'unexpected_character', message);
    return this.#skip();
  }

  #refuseOpening(opening: string): Scan {
    const end = skipValue(this.#text, this.#start);
    const whole = this.#text.slice(this.#start, end);
    const rest = whole.slice(opening.length);
    const isText = this.#style.stars !== 'literal';
    this.#fault(
      this.#start,
      end,
      'operator_not_allowed',
      `This value cannot begin with "${opening}"${isText ? '. Put text that begins with it in quotes.' : ''}`,
      isText ? [quote(whole)] : rest === '' || /["[\]/]/.test(whole) ? [] : [rest],
    );
    return this.#skip();
  }

  #readList(isInBrackets: boolean): ScannedWord[] | null {
    const words: ScannedWord[] = [];
    const run = isInBrackets ? /[^\s()",\]]*/y : /[^\s()",]*/y;
    for (;;) {
      const word = this.#readWord(run);
      if (word === null) return null;
      if (word.text === '' && !word.isQuoted) {
        this.#missing(word.start, words.length > 0 || this.#text[this.#at] === ',');
        return null;
      }
      words.push(word);
      if (this.#text[this.#at] !== ',') break;
      this.#at++;
    }
    return isInBrackets || this.#expectEnd(words.at(-1)) ? words : null;
  }

  #readLoneWord(sign: Sign | ''): ScannedWord[] | null {
    const from = this.#at;
    const canHaveStars = this.#style.stars === 'operator' && sign === '';
    if (canHaveStars && this.#text[from] === '*') {
      this.#star = 'before';
      this.#at++;
    }
    const word = this.#readWord(/[^\s()"]*/y);
    if (word === null) return null;
    const isStarredBehind = word.isQuoted ? this.#text[this.#at] === '*' : word.text.endsWith('*');
    let { text } = word;
    if (canHaveStars && isStarredBehind) {
      if (word.isQuoted) this.#at++;
      else text = text.slice(0, -1);
      if (this.#star === 'before') return this.#refuseStars(from, text === '' ? 'alone' : 'both');
      this.#star = 'after';
    }
    const isBareStarred = isStarredBehind || text.startsWith('*');
    if (this.#style.stars === 'refused' && !word.isQuoted && isBareStarred) {
      return this.#refuseStars(from, 'bare');
    }
    if (text === '' && !word.isQuoted) {
      if (this.#star !== 'none') return this.#refuseStars(from, 'alone');
      this.#missing(word.start, false);
      return null;
    }
    return this.#expectEnd(word) ? [{ ...word, text }] : null;
  }

  /** Null if quotes are not closed. */
  #readWord(run: RegExp): ScannedWord | null {
    const start = this.#at;
    if (this.#text[start] !== '"') {
      this.#at = endOfMatch(run, this.#text, start);
      return { start, end: this.#at, text: this.#text.slice(start, this.#at), isQuoted: false };
    }
    const closing = findUnescaped(this.#text, start + 1, '"');
    if (closing === -1) {
      this.#fault(start, this.#text.length, 'unclosed_quote', 'The quotes are not closed');
      this.#at = this.#text.length;
      return null;
    }
    this.#at = closing + 1;
    const text = unquote(this.#text.slice(start, this.#at));
    return { start, end: this.#at, text, isQuoted: true };
  }

  #refuseStars(from: number, why: StarFault): null {
    reportStars({ start: from, end: this.#at }, this.#text.slice(from, this.#at), why, this.#report);
    return null;
  }

  #missing(at: number, isInList: boolean): void {
    if (this.#text[at] === '(') {
      const message =
        'A value cannot be a group. Put the key inside the parentheses. Example: (os:windows OR os:linux)';
      this.#fault(at, at + 1, 'unexpected_character', message);
    } else {
      const what = isInList ? 'A value is missing in the list' : 'The value is missing';
      this.#fault(isInList ? at : this.#start, at, 'value_required', `${what}. For empty text, write "".`);
    }
  }

  #expectEnd(word: ScannedWord | undefined): boolean {
    if (this.#isAtEnd()) return true;
    const character = this.#text[this.#at] ?? '';
    const message =
      word?.isQuoted === true
        ? 'A value in quotes ends at the closing quote. Put a space after it.'
        : `A value that contains ${JSON.stringify(character)} must be in quotes`;
    this.#fault(this.#at, this.#at + 1, 'unexpected_character', message);
    return false;
  }

  #isAtEnd(): boolean {
    return this.#at >= this.#text.length || /[\s)]/.test(this.#text[this.#at] ?? '');
  }

  #finish(value: Pick<ScannedValue, 'sign' | 'form' | 'words'>): Scan {
    if (value.form === 'brackets' && !this.#expectEnd(undefined)) return this.#skip();
    const { sign, form, words } = value;
    return {
      end: this.#at,
      value: { start: this.#start, end: this.#at, sign, form, words, star: this.#star },
    };
  }

  #skip(): Scan {
    return { end: skipValue(this.#text, this.#at), value: null };
  }

  #fault(
    start: number,
    end: number,
    code: TextFaultCode,
    message: string,
    suggestions: readonly string[] = [],
  ): void {
    this.#report({ start, end }, code, message, suggestions);
  }
}
