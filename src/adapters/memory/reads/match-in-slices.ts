/** Finds devices by asking the domain's evaluator about each, slice by slice. */
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

/** The devices that match, as many at a time as were found in one slice. A refusal is the last that comes. */
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

/** What the evaluations of one matcher have in common. */
interface Shared extends EvaluationDeps {
  readonly compile: CompileFilter;
}

type CompileFilter = (filter: ConditionGroup) => Promise<Result<DevicePredicate, MatchRefusal>>;

/** Whoever evaluates one filter again and again has it compiled once. */
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
