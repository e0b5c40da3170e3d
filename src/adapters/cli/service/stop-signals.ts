/** What asks the process to stop: SIGTERM from whoever runs it, SIGINT from a terminal. */

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

export interface StopSignals {
  /** The next one that comes. */
  next(): Promise<StopSignal>;
}

/**
 * npm passes on what the terminal has sent to all of its processes: one Ctrl-C comes twice. In milliseconds.
 */
const ECHO_MS = 500;

/** From now on they end nothing by themselves, but are handled; gives what ends that. */
export function onStopSignal(handle: (signal: StopSignal) => void): () => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  const take = (signal: StopSignal) => {
    const isEcho = performance.now() - lastAt < ECHO_MS;
    lastAt = performance.now();
    if (!isEcho) handle(signal);
  };
  const handlers = STOP_SIGNALS.map((signal) => [signal, () => take(signal)] as const);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** From now on they end nothing by themselves. */
export function watchStopSignals(): StopSignals {
  let waiting = Promise.withResolvers<StopSignal>();
  onStopSignal((signal) => {
    waiting.resolve(signal);
    waiting = Promise.withResolvers();
  });
  return { next: () => waiting.promise };
}
