import type { FairQueue } from './fair-queue.ts';

/** Resolves when it is the caller's turn, when the time is up, or when the signal fires. */
export function waitInQueue(
  queue: FairQueue,
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
    queue.enqueue(caller, go);
  });
}
