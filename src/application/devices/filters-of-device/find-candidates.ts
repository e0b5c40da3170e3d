/** Updates the index of an organization's filters and looks a device up in it. */
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import { textLengthOf } from '#domain/device/device.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { DeviceQuestion } from './device-question.ts';
import type { KnownFilter } from './indexed-filters.ts';
import type { Ending } from './time-slices.ts';

/**
 * Devices with more text than this skip the index, and the matcher checks every filter. Looking up so much text in
 * process could exceed a time slice. A usual device has a few thousand UTF-16 code units.
 */
const MAX_TEXT_LENGTH = 100_000;

/** The filters that may match the device. Filters indexed before a timeout stay indexed. */
export async function findCandidates(
  { filters }: { readonly filters: SavedFilterReader },
  { device, heads, known, slices, request }: DeviceQuestion,
): Promise<Result<readonly KnownFilter[], Ending>> {
  const look = (): readonly KnownFilter[] => {
    if (known.size > heads.length) known.keepOnly(new Set(heads.map(({ id }) => id)));
    return textLengthOf(device) <= MAX_TEXT_LENGTH
      ? known.candidates(device)
      : known.all().map(({ id }) => ({ id, matches: null }));
  };
  const isStale = heads.some((head) => !known.isCurrent(head));
  if (!isStale) return ok(look());
  return known.inTurn(async () => {
    const stale = heads.filter((head) => !known.isCurrent(head)).map(({ id }) => id);
    const early = await slices.next();
    if (early !== null) return err(early);
    for await (const filter of filters.findEach(request.scope, stale)) {
      const put = await slices.run(known.put(filter));
      if (!put.ok) return put;
    }
    return ok(look());
  });
}
