/**
 * Finds devices by asking the domain's evaluator about each. Evaluations run in slices and take turns, so that
 * none of them holds up another or anything else in the process for longer than a slice.
 */

import { FairQueue } from '#adapters/memory/scheduling/fair-queue.ts';
import { waitInQueue } from '#adapters/memory/scheduling/wait-in-queue.ts';
import { SLICE_MS } from '#adapters/memory/scheduling/yield-to-event-loop.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import {
  type DeviceMatcher,
  type MatchRefusal,
  type MatchRequest,
  MatchStreamError,
} from '#application/ports/filters/device-matcher.ts';
import { reachableOrgIds } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import { comparePreviewOrder, type PreviewDevice } from '#domain/device/preview-device.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { compilePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import type { DevicePredicate } from '#domain/filter/evaluate/device-predicate.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/translate-pattern.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { TopItems } from './top-items.ts';

export interface DeviceMatcherDeps {
  readonly world: Pick<World, 'devices'>;
  readonly translatePattern: TranslatePattern;
  /** An evaluation that has worked and waited for so long is refused. */
  readonly timeoutMs: number;
  /** A clock that never steps, in milliseconds. */
  readonly elapsedMs: () => number;
}

/** How many ids a batch of a stream has, but for the last. */
export const ID_BATCH_SIZE = 1000;

export function makeDeviceMatcher(deps: DeviceMatcherDeps): DeviceMatcher {
  const shared = { ...deps, queue: new FairQueue(), compile: makeCompileOnce(deps.translatePattern) };
  const findMatches = (request: MatchRequest) => matchInSlices(shared, request);
  return {
    async preview(request, limit) {
      const matches = new TopItems<Device>(limit, comparePreviewOrder);
      for await (const slice of findMatches(request)) {
        if (!slice.ok) return slice;
        for (const device of slice.value) matches.add(device);
      }
      return ok({ totalCount: matches.count, devices: matches.first.map(toPreviewDevice) });
    },
    async *streamIds(request) {
      let batch: DeviceId[] = [];
      for await (const slice of findMatches(request)) {
        if (!slice.ok) throw new MatchStreamError(slice.error);
        for (const { id } of slice.value) {
          if (batch.push(id) < ID_BATCH_SIZE) continue;
          yield batch;
          batch = [];
          // What was found before the reader gave up is not worth handing over.
          if (request.signal?.aborted) throw new MatchStreamError({ kind: 'cancelled' });
        }
      }
      if (batch.length > 0) yield batch;
    },
  };
}

/**
 * The devices that match, as many at a time as were found in one slice, from one snapshot. A refusal is the last
 * that comes. What the reader does between two slices does not count against the time limit.
 */
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

/** What the evaluations of one matcher have in common. */
interface Shared extends DeviceMatcherDeps {
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

function toPreviewDevice({ id, hostname, displayName, osType, status, lastSeenAt }: Device): PreviewDevice {
  return { id, hostname, displayName, osType, status, lastSeenAt };
}
