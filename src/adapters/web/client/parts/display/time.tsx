import { useSyncExternalStore } from 'react';
import { formatDate, formatDateTime, formatSpan, formatTimeOfDay, formatUtc } from './format.ts';

export interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
  /** `span`: how long ago, ticking; the others in the reader's zone. */
  readonly as?: 'span' | 'dateTime' | 'date' | 'timeOfDay';
}

/** An instant; the pointer over it tells the reader's time and UTC. */
export function Time({ at, as = 'span' }: TimeProps) {
  const now = useNow();
  const instant = new Date(at);
  const text =
    as === 'span'
      ? formatSpan(instant.getTime(), presentFor(instant.getTime(), now))
      : as === 'date'
        ? formatDate(instant)
        : as === 'timeOfDay'
          ? formatTimeOfDay(instant)
          : formatDateTime(instant);
  return (
    <time dateTime={at} title={`${formatDateTime(instant)} (${formatUtc(instant)})`}>
      {text}
    </time>
  );
}

/** What has happened since the last look at the clock is not to come. */
function presentFor(instant: number, now: number): number {
  return instant > now && instant - now <= TICK_MS ? instant : now;
}

/** Milliseconds between two looks at the clock. */
const TICK_MS = 30_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: number | undefined;

/** The present, to the half minute; one timer serves all who ask. */
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
