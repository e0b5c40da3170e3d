/** Finds where a JSON value ends, so that `JSON.parse` can be given one element of a document at a time. */

/**
 * Follows one value through as many stretches of bytes as it comes in. It looks at strings and brackets only:
 * whether what lies between the ends is valid JSON is for `JSON.parse` to say.
 */
export class ValueScanner {
  #isBegun = false;
  /** A number or a word, which ends where something else begins. */
  #isBare = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #newlines = 0;

  /** How many line breaks the value holds, as far as it was scanned. */
  get newlines(): number {
    return this.#newlines;
  }

  /** Whether the value can end where the bytes end: it is a number or a word. */
  get canEndHere(): boolean {
    return this.#isBare;
  }

  /**
   * The offset just past the value, or -1 where it goes on after the bytes: then call again with what follows.
   * `from` must be at the value's first byte, or where the last scan stopped.
   */
  scan(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    if (from >= length) return -1;
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#isBare = !BEGINNINGS.has(bytes[from] ?? 0);
    }
    if (this.#isBare) return endOfBareValue(bytes, from);

    // Locals, and a loop for each of the two things that can be, since every byte of the file comes through here.
    let depth = this.#depth;
    let isInString = this.#isInString;
    let newlines = this.#newlines;
    let i = this.#isEscaped ? from + 1 : from;
    let end = -1;
    this.#isEscaped = false;
    while (end === -1 && i < length) {
      if (isInString) {
        while (i < length) {
          const byte = bytes[i++];
          if (byte === QUOTE) {
            isInString = false;
            if (depth === 0) end = i;
            break;
          }
          if (byte === BACKSLASH) {
            this.#isEscaped = i === length;
            i++;
          }
        }
      } else {
        while (i < length) {
          const byte = bytes[i++] as number;
          if (byte === QUOTE) {
            isInString = true;
            break;
          }
          // Most of what is left lies between a quote and the brackets: digits, commas, colons, spaces.
          if (byte === NEWLINE) newlines++;
          else if (byte >= OPEN_BRACKET) {
            if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
            else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
              depth--;
              if (depth === 0) {
                end = i;
                break;
              }
            }
          }
        }
      }
    }
    this.#depth = depth;
    this.#isInString = isInString;
    this.#newlines = newlines;
    return end;
  }
}

/** The bytes that JSON is made of, as far as they are looked at. */
export const NEWLINE = 0x0a;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

const BEGINNINGS: ReadonlySet<number> = new Set([QUOTE, OPEN_BRACKET, OPEN_BRACE]);

const NOT_BARE: ReadonlySet<number> = new Set([
  QUOTE,
  COMMA,
  COLON,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  OPEN_BRACE,
  CLOSE_BRACE,
]);

/** The offset at which a number or a word is followed by something else, or -1. */
function endOfBareValue(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte <= SPACE || NOT_BARE.has(byte)) return i;
  }
  return -1;
}
