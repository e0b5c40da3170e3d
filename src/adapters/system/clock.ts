/** The machine's clock. */
import type { Clock } from '#application/ports/clock.ts';

/** Wall-clock time; it may step when the machine's clock is set. */
export const systemClock: Clock = () => Date.now();
