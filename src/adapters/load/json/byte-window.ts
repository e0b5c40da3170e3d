import { isUtf8 } from 'node:buffer';
import type { FaultList } from '#adapters/load/fault-list.ts';
import { NEWLINE } from './value-scanner.ts';

/**
 * Room for a device with a hundred thousand programs. Without a limit, a file without line breaks would fill up memory.
 */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** The part of the file in memory: valid UTF-8, except that the last character may be incomplete. */
export class ByteWindow {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #faults: FaultList;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #line = 1;
  #checkedTo = 0;
  #isAtFileStart = true;
  #heldFrom: { readonly at: number; readonly line: number } | null = null;

  constructor(chunks: AsyncIterable<Buffer>, faults: FaultList) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#faults = faults;
  }

  /** Valid until the next {@link more}. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  get at(): number {
    return this.#at;
  }

  /** The line of the first unread byte, from 1. */
  get line(): number {
    return this.#line;
  }

  /** Marks the bytes before `end` (an offset in `bytes`) as read; they hold `newlines` line breaks. */
  advance(end: number, newlines: number): void {
    this.#at = end;
    this.#line += newlines;
  }

  /**
   * Drops what has been read and adds the next chunk. False at the end of the file. Refuses a file that is not UTF-8 or
   * has a record above {@link MAX_RECORD_BYTES}; while bytes are held, the limit is twice that.
   */
  async more(): Promise<boolean> {
    const readBytes = this.#heldFrom?.at ?? this.#at;
    const limit = this.#heldFrom === null ? MAX_RECORD_BYTES : 2 * MAX_RECORD_BYTES;
    if (this.#bytes.length - readBytes > limit) {
      this.#end(this.#line, `has a record larger than ${MAX_RECORD_BYTES / 1024 / 1024} MiB`);
    }
    const next = await this.#chunks.next();
    if (next.done) {
      this.#check(this.#bytes.length);
      return false;
    }
    this.#bytes = Buffer.concat([this.#bytes.subarray(readBytes), next.value]);
    this.#at -= readBytes;
    this.#checkedTo -= readBytes;
    if (readBytes > 0) this.#isAtFileStart = false;
    if (this.#heldFrom !== null) this.#heldFrom = { at: 0, line: this.#heldFrom.line };
    this.#check(endOfWholeCharacters(this.#bytes));
    return true;
  }

  /** Keeps what is read from now on, so {@link rewind} can return to it. */
  hold(): void {
    this.#heldFrom = { at: this.#at, line: this.#line };
  }

  rewind(): void {
    if (this.#heldFrom === null) throw new Error('nothing is held');
    this.#at = this.#heldFrom.at;
    this.#line = this.#heldFrom.line;
    this.#heldFrom = null;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #check(end: number): void {
    if (isUtf8(this.#bytes.subarray(this.#checkedTo, end))) {
      this.#checkedTo = end;
      return;
    }
    const [known] = FOREIGN_BEGINNINGS.filter(({ bytes }) =>
      this.#bytes.subarray(0, bytes.length).equals(bytes),
    );
    const reason = this.#isAtFileStart ? known?.reason : undefined;
    this.#end(this.#lineOfFault(end), reason ?? 'is not valid UTF-8');
  }

  #lineOfFault(end: number): number {
    let line = this.#line;
    let from = this.#at;
    for (;;) {
      const newline = this.#bytes.indexOf(NEWLINE, from);
      const lineEnd = newline === -1 || newline >= end ? end : newline + 1;
      if (lineEnd === end || !isUtf8(this.#bytes.subarray(from, lineEnd))) return line;
      from = lineEnd;
      line++;
    }
  }

  #end(line: number, message: string): never {
    this.#faults.end({ line, member: 'file', message });
  }
}

/** Beginnings of other formats. None is valid UTF-8. */
const FOREIGN_BEGINNINGS = [
  { bytes: Buffer.from([0x1f, 0x8b]), reason: 'is gzip-compressed; decompress it first' },
  { bytes: Buffer.from([0xff, 0xfe]), reason: 'is UTF-16; it must be UTF-8' },
  { bytes: Buffer.from([0xfe, 0xff]), reason: 'is UTF-16; it must be UTF-8' },
] as const;

/** Leaves out a last character that continues in the next chunk. */
function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) return bytesAnnouncedBy(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function bytesAnnouncedBy(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
