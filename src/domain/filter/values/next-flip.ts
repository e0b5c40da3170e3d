/** Computes when time alone changes the answer of a predicate relative to now (Contract: §17, Time). */
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { isWithin } from './ranges.ts';
import { type RelativePredicate, rangesAt } from './relative-instants.ts';
import { CALENDAR_END_MS, CALENDAR_START_MS, FIXED_UNIT_MS } from './time-span.ts';

/** The first instant after `at` with another answer; null if the answer stays until the calendar ends. */
export function nextFlip(predicate: RelativePredicate, value: EpochMs, at: EpochMs): EpochMs | null {
  if (predicate.kind !== 'withinLast') return nextElapsed(predicate, value, at);
  const { amount, unit } = predicate.span;
  const holds = (instant: EpochMs) => isWithin(rangesAt(predicate, instant), value);
  if (unit !== 'months') return holds(at) ? endOfSpan(holds, value, amount * FIXED_UNIT_MS[unit]) : null;
  return earliest(monthEdges(value, amount).filter((edge) => edge > at && holds(edge) !== holds(edge - 1)));
}

/** The bounds move with the clock, so each passes the value once. */
function nextElapsed(predicate: RelativePredicate, value: EpochMs, at: EpochMs): EpochMs | null {
  const flips: EpochMs[] = [];
  for (const { from, to } of rangesAt(predicate, at)) {
    for (const bound of [from, to]) {
      const flip = bound === null ? at : at + value + 1 - bound;
      if (flip > at) flips.push(flip);
    }
  }
  return earliest(flips);
}

/** A fixed span holds until it ends, and never again. The end is rounded, so the milliseconds around it are tried. */
function endOfSpan(holds: (instant: EpochMs) => boolean, value: EpochMs, length: number): EpochMs | null {
  let end = Math.floor(Math.max(value, CALENDAR_START_MS - 1) + length) + 1;
  if (end >= CALENDAR_END_MS) return null;
  while (!holds(end - 1)) end--;
  while (holds(end)) end++;
  return end;
}

/**
 * Instants at which a span of months back from now can begin or cease to contain `value`. One month back from 28, 29,
 * 30 and 31 March is 28 February, so the span contains noon on 28 February until noon on each of these days.
 */
function monthEdges(value: EpochMs, months: number): readonly EpochMs[] {
  const from = new Date(value);
  const month = from.getUTCFullYear() * 12 + from.getUTCMonth();
  const day = from.getUTCDate();
  const isLastDay = day === daysIn(month);
  const timeOfDay = value - startOfDay(month, day);
  const until = month + months;
  const edges = [startOfDay(until + 1, 1)];
  const lastDay = isLastDay ? daysIn(until) : day;
  for (let d = day; d <= lastDay; d++) {
    const midnight = startOfDay(until, d);
    edges.push(midnight + timeOfDay + 1, midnight + DAY_MS);
  }
  return edges;
}

/** Months count from the year 0. NaN beyond the range of dates. */
function startOfDay(month: number, day: number): EpochMs {
  return new Date(0).setUTCFullYear(0, month, day);
}

function daysIn(month: number): number {
  return new Date(startOfDay(month + 1, 0)).getUTCDate();
}

function earliest(flips: readonly EpochMs[]): EpochMs | null {
  const first = flips.reduce((a, b) => Math.min(a, b), Infinity);
  return first < CALENDAR_END_MS ? first : null;
}
