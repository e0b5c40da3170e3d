/**
 * Shows every device in scope to an evaluation. Evaluations run in slices and take turns, so none blocks another, or
 * the process, for longer than a slice.
 */
import {
  type FairQueue,
  makeYieldToEventLoop,
  SLICE_MS,
  waitInQueue,
} from '#adapters/memory/scheduling/slices.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { MatchRefusal, MatchRequest } from '#application/ports/filters/device-matcher.ts';
import { reachableOrgIds } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import type { ConditionGroup, Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import {
  compilePredicate,
  type DevicePredicate,
  type PatternFault,
  type TranslatePattern,
} from '#domain/filter/evaluate/compile-predicate.ts';
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

// Finds devices slice by slice, evaluating the filter on each.

/** Yields the matches of one slice at a time. A refusal is the last item. */
export type MatchInSlices = (
  request: MatchRequest,
) => AsyncGenerator<Result<readonly Device[], MatchRefusal>, void>;

export function makeMatchInSlices(deps: EvaluationDeps): MatchInSlices {
  const shared = { ...deps, compile: makeCompileOnce(deps.translatePattern) };
  return (request) => matchInSlices(shared, request);
}

async function* matchInSlices(
  shared: Shared,
  request: MatchRequest,
): AsyncGenerator<Result<readonly Device[], MatchRefusal>, void> {
  let found: Device[] = [];
  const slices = visitDevices(shared, request, async () => {
    const predicate = await shared.compile(request.filter);
    if (!predicate.ok) return predicate;
    return ok((device) => {
      if (predicate.value(device, request.at)) found.push(device);
    });
  });
  for await (const slice of slices) {
    if (!slice.ok) return yield slice;
    yield ok(found);
    found = [];
  }
}

/** Shared by all evaluations of one matcher. */
interface Shared extends EvaluationDeps {
  readonly compile: CompileFilter;
}

type CompileFilter = (filter: ConditionGroup) => Promise<Result<DevicePredicate, MatchRefusal>>;

/** A filter that is evaluated repeatedly is compiled once. */
function makeCompileOnce(translatePattern: TranslatePattern): CompileFilter {
  const compiled = new WeakMap<ConditionGroup, ReturnType<CompileFilter>>();
  return (filter) => {
    const known = compiled.get(filter);
    if (known !== undefined) return known;
    const outcome = compileInSlices(filter, translatePattern);
    compiled.set(filter, outcome);
    return outcome;
  };
}

export async function compileInSlices(
  filter: ConditionGroup,
  translatePattern: TranslatePattern,
): ReturnType<CompileFilter> {
  const predicate = compilePredicate(filter, await translatePatternsOf(filter, translatePattern));
  return predicate.ok ? predicate : err(toPatternRefusal(predicate.error));
}

// Translates the regular expressions of a filter without blocking the process.

type Translation = ReturnType<TranslatePattern>;

/** Translates each pattern once. A usable pattern is also run once, because the engine compiles it only then. */
export async function translateInSlices(
  patterns: Iterable<string>,
  translatePattern: TranslatePattern,
): Promise<ReadonlyMap<string, Translation>> {
  const yieldToEventLoop = makeYieldToEventLoop();
  const translations = new Map<string, Translation>();
  for (const pattern of patterns) {
    if (translations.has(pattern)) continue;
    const translation = translatePattern(pattern);
    if (translation.ok) translation.value('');
    translations.set(pattern, translation);
    await yieldToEventLoop();
  }
  return translations;
}

/** Translates the filter's patterns in advance; the returned function only looks them up. */
export async function translatePatternsOf(
  filter: Node<Criterion>,
  translatePattern: TranslatePattern,
): Promise<TranslatePattern> {
  const patterns: string[] = [];
  foldConditions(filter, {
    condition: ({ predicate }) => void (predicate.kind === 'pattern' && patterns.push(predicate.pattern)),
    group: () => undefined,
  });
  if (patterns.length === 0) return translatePattern;
  const translations = await translateInSlices(patterns, translatePattern);
  return (pattern) => translations.get(pattern) ?? translatePattern(pattern);
}
