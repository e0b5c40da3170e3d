/**
 * Shows every device in scope to an evaluation. Evaluations run in slices and take turns, so none blocks another, or
 * the process, for longer than a slice.
 */
import type { FairQueue } from '#adapters/memory/scheduling/fair-queue.ts';
import { waitInQueue } from '#adapters/memory/scheduling/wait-in-queue.ts';
import { SLICE_MS } from '#adapters/memory/scheduling/yield-to-event-loop.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { MatchRefusal, MatchRequest } from '#application/ports/filters/device-matcher.ts';
import { reachableOrgIds } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import type { PatternFault, TranslatePattern } from '#domain/filter/evaluate/compile-predicate.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Shared by all evaluations of a backend. */
export interface EvaluationDeps {
  readonly world: Pick<World, 'devices'>;
  readonly translatePattern: TranslatePattern;
  /** Work and waiting together; an evaluation that takes longer is refused. */
  readonly timeoutMs: number;
  /** Monotonic clock, in milliseconds. */
  readonly elapsedMs: () => number;
  readonly queue: FairQueue;
}

/**
 * Passes each device of one snapshot to the function from `begin`, and yields after each slice. A refusal is the last
 * item. The reader's time between two slices does not count towards the limit.
 */
export async function* visitDevices(
  { world, timeoutMs, elapsedMs, queue }: EvaluationDeps,
  { scope, onBehalfOf, signal }: Pick<MatchRequest, 'scope' | 'onBehalfOf' | 'signal'>,
  begin: () => Promise<Result<(device: Device) => void, MatchRefusal>>,
): AsyncGenerator<Result<void, MatchRefusal>, void> {
  const partitions = world.devices.snapshot(reachableOrgIds(scope));
  let deadline = elapsedMs() + timeoutMs;
  const findRefusal = (): MatchRefusal | null => {
    if (signal?.aborted) return { kind: 'cancelled' };
    return elapsedMs() >= deadline ? { kind: 'timeout' } : null;
  };
  const early = findRefusal();
  if (early !== null) return yield err(early);
  const visit = await begin();
  if (!visit.ok) return yield visit;

  const devices = iterate(partitions);
  for (let isDone = false; !isDone; ) {
    await waitInQueue(queue, onBehalfOf, deadline - elapsedMs(), signal);
    const refusal = findRefusal();
    if (refusal !== null) return yield err(refusal);
    const sliceEnd = Math.min(elapsedMs() + SLICE_MS, deadline);
    do {
      const next = devices.next();
      if (next.done) isDone = true;
      else visit.value(next.value);
    } while (!isDone && elapsedMs() < sliceEnd);
    const handedOver = elapsedMs();
    yield ok(undefined);
    deadline += elapsedMs() - handedOver;
  }
}

/** A pattern can pass the check of the filter and still fail to evaluate. */
export function toPatternRefusal(faults: readonly PatternFault[]): MatchRefusal {
  return { kind: 'invalid-pattern', reason: faults.map(({ message }) => message).join('; ') };
}

function* iterate(partitions: readonly ReadonlyMap<DeviceId, Device>[]): Generator<Device, void> {
  for (const partition of partitions) yield* partition.values();
}
