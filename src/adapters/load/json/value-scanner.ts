/**
 * Finds the end of a value that may span chunks. Only strings and brackets matter here; `JSON.parse` checks the rest.
 */
export class ValueScanner {
  #isBegun = false;
  #isBare = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #newlines = 0;

  get newlines(): number {
    return this.#newlines;
  }

  /** True for a number, `true`, `false` or `null`, which may end where the file ends. */
  get canEndHere(): boolean {
    return this.#isBare;
  }

  /**
   * The offset after the value, or -1 if it continues in the next bytes. `from` is the value's first byte, or
   * where the last scan ended.
   */
  scan(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    if (from >= length) return -1;
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#isBare = !BEGINNINGS.has(bytes[from] ?? 0);
    }
    if (this.#isBare) return endOfBareValue(bytes, from);

    // Every byte of the file passes through here, hence the locals and one loop for each state.
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
          // Brackets have higher codes than digits, commas, colons and spaces, so most bytes need few comparisons.
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

function endOfBareValue(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte <= SPACE || NOT_BARE.has(byte)) return i;
  }
  return -1;
}
