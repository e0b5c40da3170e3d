/** Asks the matcher about each filter that may match a device. */
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { DeviceQuestion } from './device-question.ts';
import type { KnownFilter } from './indexed-filters.ts';
import type { Ending } from './time-slices.ts';

interface AskEachDeps {
  readonly filters: SavedFilterReader;
  readonly matcher: DeviceMatcher;
}

/** The ids of the matching filters. */
export async function askEach(
  deps: AskEachDeps,
  question: DeviceQuestion,
  candidates: readonly KnownFilter[],
): Promise<Result<ReadonlySet<FilterId>, Ending>> {
  const { device, slices, request } = question;
  const matching = new Set<FilterId>();
  const left: FilterId[] = [];
  for (const { id, matches } of candidates) {
    if (matches === null) left.push(id);
    else if (matches(device, request.at)) matching.add(id);
    const ending = await slices.next();
    if (ending !== null) return err(ending);
  }
  for await (const filter of deps.filters.findEach(request.scope, left)) {
    const answer = await askMatcher(deps.matcher, question, filter);
    if (!answer.ok) return answer;
    if (answer.value) matching.add(filter.id);
    const ending = await slices.next();
    if (ending !== null) return err(ending);
  }
  return ok(matching);
}

/** False also if the filter can no longer be evaluated. */
async function askMatcher(
  matcher: DeviceMatcher,
  { device, known, slices, request }: DeviceQuestion,
  filter: SavedFilter,
): Promise<Result<boolean, Ending>> {
  const conditions = await slices.run(known.understand(filter));
  if (!conditions.ok) return conditions;
  if (conditions.value === null) return ok(false);
  const answer = await matcher.matches({ ...request, filter: conditions.value }, device.id);
  if (answer.ok) return answer;
  switch (answer.error.kind) {
    case 'invalid-pattern':
      return ok(false);
    case 'timeout':
      return err('timeout');
    case 'cancelled':
      return err((await slices.next()) ?? 'timeout');
  }
}
