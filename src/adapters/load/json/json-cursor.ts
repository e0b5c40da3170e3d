import type { ByteWindow } from './byte-window.ts';
import { NEWLINE, ValueScanner } from './value-scanner.ts';

export interface JsonValueText {
  readonly text: string;
  readonly line: number;
}

export class JsonCursor {
  readonly #window: ByteWindow;

  constructor(window: ByteWindow) {
    this.#window = window;
  }

  get line(): number {
    return this.#window.line;
  }

  /** Skips white space and returns the next byte without taking it; -1 at the end of the file. */
  async peek(): Promise<number> {
    const window = this.#window;
    do {
      const { bytes } = window;
      let newlines = 0;
      for (let i = window.at; i < bytes.length; i++) {
        const byte = bytes[i] as number;
        if (byte === NEWLINE) newlines++;
        else if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) {
          window.advance(i, newlines);
          return byte;
        }
      }
      window.advance(bytes.length, newlines);
    } while (await window.more());
    return -1;
  }

  take(): void {
    this.#window.advance(this.#window.at + 1, 0);
  }

  /** Call {@link peek} first. Null if the file ends inside the value. */
  async takeValue(): Promise<JsonValueText | null> {
    const { line } = this;
    const scanner = new ValueScanner();
    const length = await this.#lengthOfValue(scanner, Number.POSITIVE_INFINITY);
    if (length === null) return null;
    const { bytes, at } = this.#window;
    const text = bytes.toString('utf8', at, at + length);
    this.#window.advance(at + length, scanner.newlines);
    return { text, line };
  }

  /** False if the value is longer than `limit` bytes or the file ends inside it. */
  async skipValue(limit: number): Promise<boolean> {
    const scanner = new ValueScanner();
    const length = await this.#lengthOfValue(scanner, limit);
    if (length === null) return false;
    this.#window.advance(this.#window.at + length, scanner.newlines);
    return true;
  }

  async #lengthOfValue(scanner: ValueScanner, limit: number): Promise<number | null> {
    const window = this.#window;
    let scanned = 0;
    for (;;) {
      const end = scanner.scan(window.bytes, window.at + scanned);
      if (end !== -1) return end - window.at;
      scanned = window.bytes.length - window.at;
      if (scanned > limit) return null;
      if (!(await window.more())) return scanner.canEndHere ? scanned : null;
    }
  }
}

const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
