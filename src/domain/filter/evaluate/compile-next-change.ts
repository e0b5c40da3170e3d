/** When time alone can change whether a device matches a filter (Contract: §17, Time). */
import type { DeviceFacts } from '#domain/device/device.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { nextFlip } from '#domain/filter/values/next-flip.ts';
import { isRelativePredicate, type RelativePredicate } from '#domain/filter/values/relative-instants.ts';
import { ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import {
  compileCriteria,
  type DevicePredicate,
  type PatternFault,
  type TranslatePattern,
} from './compile-predicate.ts';
import { valueReader } from './read-field.ts';

/**
 * An instant after `at` before which an unchanged device keeps its answer; null if it keeps it until the calendar ends. The answer
 * changes then, except after `MAX_LOOKS` instants without a change: look again then.
 */
export type NextChange = (device: DeviceFacts, at: EpochMs) => EpochMs | null;

/** Keeps a list of thousands of elapsed days from taking long. */
export const MAX_LOOKS = 64;

/** Null if time changes nothing. */
export function compileNextChange(
  root: Node<Criterion>,
  translatePattern: TranslatePattern,
): Result<NextChange | null, readonly PatternFault[]> {
  const tree = simplifyConditions(root);
  const criteria: Criterion[] = [];
  foldConditions<Criterion, void>(tree, {
    condition: (criterion) => void criteria.push(criterion),
    group: () => undefined,
  });
  if (!criteria.some(({ predicate }) => isRelativePredicate(predicate))) return ok(null);
  const compiled = compileCriteria(criteria, translatePattern);
  if (!compiled.ok) return compiled;
  const looks = new Map(
    criteria.map((criterion, i) => [criterion, compileLook(criterion, compiled.value[i])]),
  );
  const look: Look = (device, at) =>
    foldConditions<Criterion, Outlook>(tree, {
      condition: (criterion) => (looks.get(criterion) as Look)(device, at),
      group: ({ operator }, members) => combine(operator === 'OR', members),
    });
  return ok((device, at) => {
    const now = look(device, at);
    let { until } = now;
    for (let count = 1; count < MAX_LOOKS && until !== Infinity; count++) {
      const then = look(device, until);
      if (then.holds !== now.holds) break;
      until = then.until;
    }
    return until === Infinity ? null : until;
  });
}

/** An answer that stays at least until an instant. */
interface Outlook {
  readonly holds: boolean;
  /** Infinity: for ever. */
  readonly until: EpochMs;
}

type Look = (device: DeviceFacts, at: EpochMs) => Outlook;

function compileLook(criterion: Criterion, matches: DevicePredicate | undefined): Look {
  if (matches === undefined) throw new Error(`${criterion.field.key} was not compiled`);
  if (criterion.reads !== 'value' || !isRelativePredicate(criterion.predicate)) {
    return (device, at) => ({ holds: matches(device, at), until: Infinity });
  }
  const predicate = criterion.predicate as RelativePredicate;
  const read = valueReader(criterion.field);
  return (device, at) => {
    const value = read(device);
    const flip = value === null ? null : nextFlip(predicate, value as EpochMs, at);
    return { holds: matches(device, at), until: flip ?? Infinity };
  };
}

/** One member that is `decisive` decides a group, so such a group stays until the last of them can change. */
function combine(decisive: boolean, members: readonly Outlook[]): Outlook {
  let [first, last, isDecided] = [Infinity, 0, false];
  for (const { holds, until } of members) {
    first = Math.min(first, until);
    if (holds !== decisive) continue;
    last = isDecided ? Math.max(last, until) : until;
    isDecided = true;
  }
  return isDecided ? { holds: decisive, until: last } : { holds: !decisive, until: first };
}
