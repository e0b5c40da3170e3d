/** Finds devices by asking the domain's evaluator about each. */
import {
  type DeviceMatcher,
  type MatchRefusal,
  type MatchRequest,
  MatchStreamError,
} from '#application/ports/filters/device-matcher.ts';
import { canReach } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import { comparePreviewOrder, type PreviewDevice } from '#domain/device/preview-device.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { compilePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import type { DevicePredicate } from '#domain/filter/evaluate/device-predicate.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/translate-pattern.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { TopItems } from './top-items.ts';
import { type EvaluationDeps, toPatternRefusal, visitDevices } from './visit-devices.ts';

/** How many ids a batch of a stream has, but for the last. */
export const ID_BATCH_SIZE = 1000;

export function makeDeviceMatcher(deps: EvaluationDeps): DeviceMatcher {
  const { world, translatePattern } = deps;
  const findMatches = makeFindMatches(deps);
  return {
    async preview(request, limit) {
      const matches = new TopItems<Device>(limit, comparePreviewOrder);
      for await (const slice of findMatches(request)) {
        if (!slice.ok) return slice;
        for (const device of slice.value) matches.add(device);
      }
      return ok({ totalCount: matches.count, devices: matches.first.map(toPreviewDevice) });
    },
    async matches({ filter, scope, at, signal }, id) {
      if (signal?.aborted) return err({ kind: 'cancelled' });
      const predicate = compilePredicate(filter, translatePattern);
      if (!predicate.ok) return err(toPatternRefusal(predicate.error));
      const device = world.devices.get(id);
      return ok(device !== undefined && canReach(scope, device.orgId) && predicate.value(device, at));
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

/** The devices that match, as many at a time as were found in one slice. A refusal is the last that comes. */
export type FindMatches = (
  request: MatchRequest,
) => AsyncGenerator<Result<readonly Device[], MatchRefusal>, void>;

export function makeFindMatches(deps: EvaluationDeps): FindMatches {
  const shared = { ...deps, compile: makeCompileOnce(deps.translatePattern) };
  return (request) => matchInSlices(shared, request);
}

async function* matchInSlices(
  shared: Shared,
  request: MatchRequest,
): AsyncGenerator<Result<readonly Device[], MatchRefusal>, void> {
  let found: Device[] = [];
  const slices = visitDevices(shared, request, () => {
    const predicate = shared.compile(request.filter);
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
  readonly compile: (filter: ConditionGroup) => Result<DevicePredicate, MatchRefusal>;
}

/** Whoever evaluates one filter again and again has it compiled once. */
function makeCompileOnce(translatePattern: TranslatePattern): Shared['compile'] {
  const compiled = new WeakMap<ConditionGroup, Result<DevicePredicate, MatchRefusal>>();
  return (filter) => {
    const known = compiled.get(filter);
    if (known !== undefined) return known;
    const predicate = compilePredicate(filter, translatePattern);
    const outcome = predicate.ok ? predicate : err(toPatternRefusal(predicate.error));
    compiled.set(filter, outcome);
    return outcome;
  };
}

function toPreviewDevice({ id, hostname, displayName, osType, status, lastSeenAt }: Device): PreviewDevice {
  return { id, hostname, displayName, osType, status, lastSeenAt };
}
