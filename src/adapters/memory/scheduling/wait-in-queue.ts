/** Waiting for a turn, with an end to it. */
import type { Turns } from './fair-queue.ts';

/** Waits for the caller's turn, but no longer than the work has time or anybody wants its answer. */
export function takeTurn(
  turns: Turns,
  caller: string,
  remainingMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', go);
      resolve();
    };
    const timer = setTimeout(go, Math.max(0, remainingMs));
    signal?.addEventListener('abort', go, { once: true });
    turns.enqueue(caller, go);
  });
}
