/**
 * UUIDv7 that sort in the order in which this process generates them. Node's own `randomUUIDv7` (26.10) fills all the
 * bits below the millisecond at random, so that about half of the ids made within one millisecond sort before
 * their predecessor; here `rand_a` counts instead (RFC 9562, section 6.2, method 1).
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Id } from '#domain/ids.ts';

/** `rand_a` has 12 bits. */
const COUNTER_END = 0x1000;

/** Ids of one process, ascending; 62 bits of each are random. Source: Contract §1. */
export const uuidV7: IdGenerator = makeUuidV7(Date.now);

/**
 * A generator over a clock in milliseconds. If the clock stands still or steps back, the ids keep ascending, with the
 * last millisecond or the one after it.
 */
export function makeUuidV7(clock: () => number): IdGenerator {
  let millisecond = 0;
  let counter = 0;
  // The first 48 bits as text, which many ids of a millisecond share.
  let writtenMillisecond = -1;
  let time = '';
  return <K extends string>() => {
    const now = clock();
    if (now > millisecond) {
      millisecond = now;
      // The upper half stays free to count in.
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
    // The variant and the random bits stand in the same place in every version.
    const rest = randomUUID().slice('xxxxxxxx-xxxx-4xxx-'.length);
    return `${time}${count}-${rest}` as Id<K>;
  };
}
