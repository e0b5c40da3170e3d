/**
 * Finds devices by asking the domain's evaluator about each. Evaluations run in slices and take turns, so that
 * none of them holds up another or anything else in the process for longer than a slice.
 */

import { FairQueue } from '#adapters/memory/scheduling/fair-queue.ts';
import { waitInQueue } from '#adapters/memory/scheduling/wait-in-queue.ts';
import { SLICE_MS } from '#adapters/memory/scheduling/yield-to-event-loop.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { MatchRefusal, MatchRequest } from '#application/ports/filters/device-matcher.ts';
import { reachableOrgIds } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { compilePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import type { DevicePredicate } from '#domain/filter/evaluate/device-predicate.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/translate-pattern.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

export interface MatchInSlicesDeps {
  readonly world: Pick<World, 'devices'>;
  readonly translatePattern: TranslatePattern;
  /** An evaluation that has worked and waited for so long is refused. */
  readonly timeoutMs: number;
  /** A clock that never steps, in milliseconds. */
  readonly elapsedMs: () => number;
}

/**
 * The devices that match, as many at a time as were found in one slice, from one snapshot of the moment in which the
 * first are asked for. A refusal is the last that comes. What the reader does between two slices does not count
 * against the time limit.
 */
export type MatchInSlices = (
  request: MatchRequest,
) => AsyncGenerator<Result<readonly Device[], MatchRefusal>, void>;

export function makeMatchInSlices(deps: MatchInSlicesDeps): MatchInSlices {
  const shared = { ...deps, queue: new FairQueue(), compile: makeCompileOnce(deps.translatePattern) };
  return (request) => matchInSlices(shared, request);
}

async function* matchInSlices(
  { world, timeoutMs, elapsedMs, queue, compile }: Shared,
  { filter, scope, at, onBehalfOf, signal }: MatchRequest,
): AsyncGenerator<Result<readonly Device[], MatchRefusal>, void> {
  const partitions = world.devices.snapshot(reachableOrgIds(scope));
  let deadline = elapsedMs() + timeoutMs;
  const findRefusal = (): MatchRefusal | null => {
    if (signal?.aborted) return { kind: 'cancelled' };
    return elapsedMs() >= deadline ? { kind: 'timeout' } : null;
  };
  const early = findRefusal();
  if (early !== null) return yield err(early);
  const predicate = compile(filter);
  if (!predicate.ok) return yield predicate;

  const devices = iterate(partitions);
  for (let isDone = false; !isDone; ) {
    await waitInQueue(queue, onBehalfOf, deadline - elapsedMs(), signal);
    const refusal = findRefusal();
    if (refusal !== null) return yield err(refusal);
    const found: Device[] = [];
    const sliceEnd = Math.min(elapsedMs() + SLICE_MS, deadline);
    do {
      const next = devices.next();
      if (next.done) isDone = true;
      else if (predicate.value(next.value, at)) found.push(next.value);
    } while (!isDone && elapsedMs() < sliceEnd);
    const handedOver = elapsedMs();
    yield ok(found);
    deadline += elapsedMs() - handedOver;
  }
}

function* iterate(partitions: readonly ReadonlyMap<DeviceId, Device>[]): Generator<Device, void> {
  for (const partition of partitions) yield* partition.values();
}

/** What the evaluations have in common. */
interface Shared extends MatchInSlicesDeps {
  readonly queue: FairQueue;
  readonly compile: (filter: ConditionGroup) => Result<DevicePredicate, MatchRefusal>;
}

/** Whoever evaluates one filter again and again has it compiled once. */
function makeCompileOnce(translatePattern: TranslatePattern): Shared['compile'] {
  const compiled = new WeakMap<ConditionGroup, Result<DevicePredicate, MatchRefusal>>();
  return (filter) => {
    const known = compiled.get(filter);
    if (known !== undefined) return known;
    const predicate = compilePredicate(filter, translatePattern);
    const outcome = predicate.ok
      ? predicate
      : err({
          kind: 'invalid-pattern' as const,
          reason: predicate.error.map(({ message }) => message).join('; '),
        });
    compiled.set(filter, outcome);
    return outcome;
  };
}
