/**
 * Finds the end of one value across any number of chunks. It looks at strings and brackets only; `JSON.parse` decides
 * whether the value is valid JSON.
 */
export class ValueScanner {
  #isBegun = false;
  /** A number or a word, which ends where another token begins. */
  #isBare = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #newlines = 0;

  get newlines(): number {
    return this.#newlines;
  }

  /** Whether the value may end where the bytes end, as a number or a word does. */
  get canEndHere(): boolean {
    return this.#isBare;
  }

  /**
   * The offset just past the value, or -1 if it continues beyond the bytes; then call again with the next ones.
   * `from` must be the value's first byte, or where the last scan stopped.
   */
  scan(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    if (from >= length) return -1;
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#isBare = !BEGINNINGS.has(bytes[from] ?? 0);
    }
    if (this.#isBare) return endOfBareValue(bytes, from);

    // Locals, and one loop for each of the two states, because every byte of the file passes through here.
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
          // Most other bytes are below the brackets: digits, commas, colons, spaces.
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

/** The offset where a number or a word ends, or -1 if the bytes end first. */
function endOfBareValue(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte <= SPACE || NOT_BARE.has(byte)) return i;
  }
  return -1;
}
