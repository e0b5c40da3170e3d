/** The machine's clock. */

import { randomInt, randomUUID } from 'node:crypto';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Id } from '#domain/ids.ts';

/** Wall-clock time; it may step when the machine's clock is set. */
export const systemClock: Clock = () => Date.now();

// UUIDv7 that sort in order of generation. Node's `randomUUIDv7` (26.10) fills the bits below the millisecond at
// random, so half of the ids within a millisecond are out of order. Here `rand_a` is a counter (RFC 9562, section
// 6.2, method 1).

/** `rand_a` has 12 bits. */
const COUNTER_END = 0x1000;

/** Ascending within a process, with 62 random bits (Contract: §1). */
export const uuidV7: IdGenerator = makeUuidV7(Date.now);

/** If the clock stands still or steps back, ids keep ascending with the last millisecond or the next. */
export function makeUuidV7(clock: () => number): IdGenerator {
  let millisecond = 0;
  let counter = 0;
  // Cached text of the first 48 bits.
  let writtenMillisecond = -1;
  let time = '';
  return <K extends string>() => {
    const now = clock();
    if (now > millisecond) {
      millisecond = now;
      // Leaves the upper half for counting.
      counter = randomInt(COUNTER_END / 2);
    } else if (++counter === COUNTER_END) {
      millisecond++;
      counter = 0;
    }
    if (millisecond !== writtenMillisecond) {
      writtenMillisecond = millisecond;
      const digits = millisecond.toString(16).padStart(12, '0');
      time = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
    }
    const count = counter.toString(16).padStart(3, '0');
    // The variant and the random bits are in the same place in every version.
    const rest = randomUUID().slice('xxxxxxxx-xxxx-4xxx-'.length);
    return `${time}${count}-${rest}` as Id<K>;
  };
}
