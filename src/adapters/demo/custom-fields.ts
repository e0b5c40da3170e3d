import { assertNever } from '#domain/assert-never.ts';
import type { CustomValue } from '#domain/device/device.ts';
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import {
  CONTENT,
  type CustomFieldProfile,
  type CustomValueSource,
  type OrganizationProfile,
} from './demo-data.ts';
import { isoDay } from './saved-filters.ts';
import { type SeededRandom, stableId } from './seeded-random.ts';

/** An organization's field hides its partner's field with the same key. */
export function customFieldsOf({
  key,
  partner: partnerKey,
}: OrganizationProfile): readonly CustomFieldProfile[] {
  const own = CONTENT.customFields.filter(
    ({ owner }) => 'organization' in owner && owner.organization === key,
  );
  const keys = new Set(own.map((field) => field.key));
  const inherited = CONTENT.customFields.filter(
    (field) => 'partner' in field.owner && field.owner.partner === partnerKey && !keys.has(field.key),
  );
  return [...own, ...inherited];
}

export function customFieldRecord({ owner, key, name, source }: CustomFieldProfile): CustomFieldRecord {
  const ownerKey = 'partner' in owner ? owner.partner : owner.organization;
  return {
    kind: 'customField',
    id: stableId('custom-field', `${ownerKey}/${key}`),
    owner:
      'partner' in owner
        ? { kind: 'partner', partnerId: stableId('partner', owner.partner) }
        : { kind: 'organization', orgId: stableId('organization', owner.organization) },
    key,
    name,
    type: source.type,
    choices: source.type === 'dropdown' ? source.choices : [],
  };
}

/** Values by field key. A few are null, and a few do not fit the definition, so filters read them as null. */
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
