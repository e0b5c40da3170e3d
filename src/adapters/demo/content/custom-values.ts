/** What the devices of the demo hold in their custom fields. */
import type { SeededRandom } from '#adapters/demo/seeded-random.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { CustomValue } from '#domain/device/device.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import type { CustomFieldProfile, CustomValueSource } from './custom-fields.ts';
import { isoDay } from './iso-day.ts';

/**
 * Values by field key. Most devices have one for most fields; a few hold what does not fit the definition, which
 * reads as NULL, or an explicit null.
 */
export function customValues(
  fields: readonly CustomFieldProfile[],
  now: EpochMs,
  random: SeededRandom,
): ReadonlyMap<string, CustomValue> {
  const values = new Map<string, CustomValue>();
  for (const { key, share, source } of fields) {
    if (random.chance(share)) {
      values.set(key, customValue(source, now, random));
    }
  }
  return values;
}

/** Rare enough to be an accident, common enough to be there. */
const MISFIT_SHARE = 0.004;
const EXPLICIT_NULL_SHARE = 0.004;

const MISFITS: Readonly<Record<CustomValueSource['type'], readonly CustomValue[]>> = {
  text: [4711, true],
  number: ['n/a', 'twelve'],
  boolean: ['yes', 1],
  dropdown: ['platinum', 'unknown'],
  date: ['soon', '31.02.2027', 20270331],
};

function customValue(source: CustomValueSource, now: EpochMs, random: SeededRandom): CustomValue {
  if (random.chance(MISFIT_SHARE)) {
    return random.pick(MISFITS[source.type]);
  }
  return random.chance(EXPLICIT_NULL_SHARE) ? null : fittingValue(source, now, random);
}

function fittingValue(source: CustomValueSource, now: EpochMs, random: SeededRandom): CustomValue {
  switch (source.type) {
    case 'text':
      return random.fill(random.pick(source.patterns));
    case 'number':
      return (
        source.from + source.step * random.integer(0, Math.round((source.to - source.from) / source.step))
      );
    case 'boolean':
      return random.chance(source.trueShare);
    case 'dropdown':
      return random.pick(source.choices);
    case 'date':
      return isoDay(now + DAY_MS * random.integer(source.fromDays, source.toDays));
    default:
      return assertNever(source);
  }
}
