/** Computes when time alone can change whether a device matches (Contract: §17, Time). */
import type { DeviceFacts } from '#domain/device/device.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { eachCriterion } from '#domain/filter/conditions/expand-inner.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { nextFlip } from '#domain/filter/values/next-flip.ts';
import { isRelativePredicate, type RelativePredicate } from '#domain/filter/values/relative-instants.ts';
import type { EpochMs } from '#domain/time.ts';
import type { DevicePredicate } from './compile-predicate.ts';
import { valueReader } from './read-field.ts';
import { readsLastSeen } from './shortest-silence.ts';

/**
 * Returns the first instant after `at` at which the device may begin or cease to match; null if there is none
 * before the calendar ends. If the device is heard again, the instant stays valid as long as each silence is
 * shorter than `shortestSilence`.
 */
export type NextChange = (device: DeviceFacts, at: EpochMs) => EpochMs | null;

/** Limits the instants to try if thousands of conditions depend on time. */
export const MAX_LOOKS = 64;

/** `matches` must be compiled from the same filter. Null if time changes nothing. */
export function compileNextChange(root: Node<Criterion>, matches: DevicePredicate): NextChange | null {
  const flips: NextChange[] = [];
  let isHeard = false;
  eachCriterion(root, simplifyConditions, ({ reads, field, predicate }) => {
    if (reads !== 'value' || !isRelativePredicate(predicate)) return;
    isHeard ||= readsLastSeen(field);
    const read = valueReader(field);
    flips.push((device, at) => {
      const value = read(device);
      return value === null ? null : nextFlip(predicate as RelativePredicate, value as EpochMs, at);
    });
  });
  if (flips.length === 0) return null;
  // If one of several time conditions reads when the device was last heard, hearing it again could change the
  // answer at an instant that was skipped. So no instant is skipped.
  const looks = isHeard && flips.length > 1 ? 1 : MAX_LOOKS;
  return (device, at) => {
    const now = matches(device, at);
    let look = at;
    for (let count = 0; count < looks; count++) {
      const next = flips.reduce((first, flip) => Math.min(first, flip(device, look) ?? Infinity), Infinity);
      if (next === Infinity) return null;
      look = next;
      if (matches(device, look) !== now) break;
    }
    return look;
  };
}
