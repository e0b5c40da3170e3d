import { useSyncExternalStore } from 'react';
import { formatDate, formatDateTime, formatSpan, formatTimeOfDay, formatUtc } from './format.ts';

export interface TimeProps {
  readonly at: string;
  readonly as?: 'span' | keyof typeof FORMATS;
}

/** Shows the reader's local time. The tooltip adds UTC. */
export function Time({ at, as = 'span' }: TimeProps) {
  const now = useNow();
  const instant = new Date(at);
  return (
    <time dateTime={at} dir="auto" title={`${formatDateTime(instant)} (${formatUtc(instant)})`}>
      {as === 'span'
        ? formatSpan(instant.getTime(), presentFor(instant.getTime(), now))
        : FORMATS[as](instant)}
    </time>
  );
}

const FORMATS = { dateTime: formatDateTime, date: formatDate, timeOfDay: formatTimeOfDay };

/** `now` lags up to half a minute, but recent events must not seem to be in the future. */
function presentFor(instant: number, now: number): number {
  return instant > now && instant - now <= TICK_MS ? instant : now;
}

const TICK_MS = 30_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: number | undefined;

/** In epoch milliseconds, at most half a minute old. All components share one timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = window.setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
