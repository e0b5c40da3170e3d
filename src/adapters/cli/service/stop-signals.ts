const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

export interface StopSignals {
  next(): Promise<StopSignal>;
}

/**
 * A second signal within this time is ignored: Ctrl-C reaches every process of the terminal, and npm forwards
 * it once more.
 */
const ECHO_MS = 500;

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

export function watchStopSignals(): StopSignals {
  let waiting = Promise.withResolvers<StopSignal>();
  onStopSignal((signal) => {
    waiting.resolve(signal);
    waiting = Promise.withResolvers();
  });
  return { next: () => waiting.promise };
}
