/** What asks the process to stop: SIGTERM from whoever runs it, SIGINT from a terminal. */

export const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

export interface StopSignals {
  /** The next one that comes. */
  next(): Promise<StopSignal>;
}

/**
 * npm passes on what the terminal has sent to all of its processes: one Ctrl-C comes twice. In milliseconds.
 */
const ECHO_MS = 500;

/** From now on they end nothing by themselves. */
export function watchStopSignals(): StopSignals {
  let waiting = Promise.withResolvers<StopSignal>();
  let lastAt = Number.NEGATIVE_INFINITY;
  const take = (signal: StopSignal) => {
    const isEcho = performance.now() - lastAt < ECHO_MS;
    lastAt = performance.now();
    if (isEcho) return;
    waiting.resolve(signal);
    waiting = Promise.withResolvers();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, take);
  return { next: () => waiting.promise };
}
