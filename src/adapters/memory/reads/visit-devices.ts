import { type FairQueue, makeYieldToEventLoop, visitBySlice } from '#adapters/memory/scheduling/slices.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { MatchRefusal, MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
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
import { err, ok, type Result } from '#domain/result.ts';

export interface EvaluationDeps {
  readonly world: Pick<World, 'devices'>;
  readonly translatePattern: TranslatePattern;
  /** An evaluation that takes longer, including the wait in the queue, is refused. */
  readonly timeoutMs: number;
  readonly elapsedMs: () => number;
  readonly queue: FairQueue;
}

/** Visits a snapshot of the devices in reach. Yields as {@link visitBySlice} does. */
export async function* visitDevices(
  { world, timeoutMs, elapsedMs, queue }: EvaluationDeps,
  { scope, onBehalfOf, signal }: Pick<MatchRequest, 'scope' | 'onBehalfOf' | 'signal'>,
  begin: () => Promise<Result<(device: Device) => void, MatchRefusal>>,
): AsyncGenerator<MatchRefusal | null, void> {
  const devices = world.devices.snapshot(reachableOrgIds(scope));
  const deadline = elapsedMs() + timeoutMs;
  if (signal?.aborted) return yield { kind: 'cancelled' };
  const visit = await begin();
  if (!visit.ok) return yield visit.error;
  yield* visitBySlice(devices, visit.value, { queue, onBehalfOf, signal, deadline, elapsedMs });
}

/** A pattern can pass the filter's check and still fail when it is evaluated. */
export function toPatternRefusal(faults: readonly PatternFault[]): MatchRefusal {
  return { kind: 'invalid-pattern', reason: faults.map(({ message }) => message).join('; ') };
}

/** Yields the matches of each slice. A refusal is the last item. */
export type MatchInSlices = (
  request: MatchRequest,
) => AsyncGenerator<Result<readonly Device[], MatchRefusal>, void>;

export function makeMatchInSlices(deps: EvaluationDeps): MatchInSlices {
  return async function* matchInSlices(request) {
    let found: Device[] = [];
    const slices = visitDevices(deps, request, async () => {
      const predicate = await compileInSlices(request.filter, deps.translatePattern);
      if (!predicate.ok) return predicate;
      return ok((device) => {
        if (predicate.value(device, request.at)) found.push(device);
      });
    });
    for await (const refusal of slices) {
      if (refusal !== null) return yield err(refusal);
      yield ok(found);
      found = [];
    }
  };
}

export async function compileInSlices(
  filter: ConditionGroup,
  translatePattern: TranslatePattern,
): Promise<Result<DevicePredicate, MatchRefusal>> {
  const predicate = compilePredicate(filter, await translatePatternsOf(filter, translatePattern));
  return predicate.ok ? predicate : err(toPatternRefusal(predicate.error));
}

/** Runs each usable pattern once. Otherwise the engine would compile it at its first use, outside these slices. */
async function translateInSlices(
  patterns: Iterable<string>,
  translatePattern: TranslatePattern,
): Promise<ReadonlyMap<string, ReturnType<TranslatePattern>>> {
  const yieldToEventLoop = makeYieldToEventLoop();
  const translations = new Map<string, ReturnType<TranslatePattern>>();
  for (const pattern of patterns) {
    if (translations.has(pattern)) continue;
    const translation = translatePattern(pattern);
    if (translation.ok) translation.value('');
    translations.set(pattern, translation);
    await yieldToEventLoop();
  }
  return translations;
}

/** Translates the filter's patterns in slices. The returned function looks them up. */
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

/** Also refuses patterns that PostgreSQL accepts but this process cannot run exactly. */
export function makePatternChecker(translatePattern: TranslatePattern): PatternChecker {
  return async (patterns) => {
    const refused = new Map<string, string>();
    for (const [pattern, translation] of await translateInSlices(patterns, translatePattern)) {
      if (!translation.ok) refused.set(pattern, translation.error.message);
    }
    return refused;
  };
}
