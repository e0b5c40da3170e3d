import { randomInt, randomUUID } from 'node:crypto';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Id } from '#domain/ids.ts';

/** Jumps when the machine's clock is set. */
export const systemClock: Clock = () => Date.now();

const COUNTER_END = 0x1000;

/** Ids ascend within a process (Contract: §1). */
export const uuidV7: IdGenerator = makeUuidV7(Date.now);

/**
 * `rand_a` is a counter (RFC 9562, section 6.2, method 1), so ids ascend even if the clock stands still or steps back.
 * Node's `randomUUIDv7` (26.10) does not order ids of one millisecond.
 */
export function makeUuidV7(clock: () => number): IdGenerator {
  let millisecond = 0;
  let counter = 0;
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
    const time = millisecond.toString(16).padStart(12, '0');
    const count = counter.toString(16).padStart(3, '0');
    // Versions 4 and 7 have the variant and these random bits in the same place.
    const rest = randomUUID().slice('xxxxxxxx-xxxx-4xxx-'.length);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${rest}` as Id<K>;
  };
}
