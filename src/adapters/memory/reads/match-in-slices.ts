/** Finds devices slice by slice, evaluating the filter on each. */
import type { MatchRefusal, MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { Device } from '#domain/device/device.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import {
  compilePredicate,
  type DevicePredicate,
  type TranslatePattern,
} from '#domain/filter/evaluate/compile-predicate.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { translatePatternsOf } from './translate-in-slices.ts';
import { type EvaluationDeps, toPatternRefusal, visitDevices } from './visit-devices.ts';

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
