/** Random devices: every field may be missing, at a boundary, or awkward for its type. */
import fc from 'fast-check';
import {
  ARCHITECTURES,
  type CustomValue,
  DEVICE_ROLES,
  DEVICE_STATUSES,
  NO_HARDWARE,
  NO_METRICS,
  OS_TYPES,
  WATCHDOG_STATUSES,
} from '#domain/device/device.ts';
import { type DeviceRecord, PATCH_STATUSES } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId, SiteId } from '#domain/ids.ts';
import { MAX_TITLE_LENGTH } from '#domain/limits.ts';
import { FAULTY_DATES, randomDateText, randomInstant, randomNumber } from './random-scalars.ts';
import { randomText, WORDS } from './random-texts.ts';

/** A place for a device: an organization, with or without one of its sites. */
export interface Place {
  readonly orgId: OrgId;
  readonly siteId: SiteId | null;
}

/** A device with the id in one of the places, which may have a custom value for any of the keys. */
export function randomDevice(
  id: DeviceId,
  places: readonly Place[],
  customKeys: readonly string[],
): fc.Arbitrary<DeviceRecord> {
  return fc
    .record({
      place: fc.constantFrom(...places),
      named: NAMED,
      reported: REPORTED,
      hardware: HARDWARE,
      metrics: METRICS,
      network: NETWORK,
      volumes: VOLUMES,
      software: SOFTWARE,
      tags: TAGS,
      patches: PATCHES,
      custom: customValues(customKeys),
    })
    .map(({ place, named, reported, ...rest }) => ({
      kind: 'device',
      id,
      ...place,
      ...named,
      ...reported,
      ...rest,
    }));
}

/** One value in four is missing. */
function optional<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { nil: null, freq: 4 });
}

const optionalText = optional(randomText);
const optionalNumber = optional(randomNumber);
const optionalInstant = optional(randomInstant);

const NAMED = fc.record({
  hostname: randomText,
  displayName: optionalText,
  osVersion: optionalText,
  osBuild: optionalText,
  agentVersion: optionalText,
  lastSeenIp: optionalText,
  lastUser: optionalText,
});

const REPORTED = fc.record({
  status: fc.constantFrom(...DEVICE_STATUSES),
  osType: optional(fc.constantFrom(...OS_TYPES)),
  architecture: optional(fc.constantFrom(...ARCHITECTURES)),
  deviceRole: fc.constantFrom(...DEVICE_ROLES),
  watchdogStatus: optional(fc.constantFrom(...WATCHDOG_STATUSES)),
  enrolledAt: optionalInstant,
  lastSeenAt: optionalInstant,
  quarantinedAt: optionalInstant,
  isHeadless: optional(fc.boolean()),
  rebootRequired: fc.boolean(),
  uptimeSeconds: optionalNumber,
});

const HARDWARE = fc.oneof(
  { weight: 1, arbitrary: fc.constant(NO_HARDWARE) },
  {
    weight: 4,
    arbitrary: fc.record({
      manufacturer: optionalText,
      model: optionalText,
      serialNumber: optionalText,
      cpuModel: optionalText,
      gpuModel: optionalText,
      cpuCores: optionalNumber,
      ramTotalMb: optionalNumber,
      diskTotalGb: optionalNumber,
    }),
  },
);

const METRICS = fc.oneof(
  { weight: 1, arbitrary: fc.constant(NO_METRICS) },
  {
    weight: 4,
    arbitrary: fc.record({
      cpuPercent: optionalNumber,
      ramPercent: optionalNumber,
      diskPercent: optionalNumber,
    }),
  },
);

const NETWORK = fc.array(
  fc.record({ ipAddress: optionalText, publicIp: optionalText, macAddress: optionalText }),
  { maxLength: 3 },
);

const VOLUMES = fc.array(
  fc.record({ name: randomText, filesystem: optionalText, totalGb: optionalNumber, freeGb: optionalNumber }),
  { maxLength: 3 },
);

/** A load refuses longer titles. */
const title = randomText.map((text) => Array.from(text).slice(0, MAX_TITLE_LENGTH).join(''));

/** Few names, so that devices share them. Some devices have a title twice, in two versions. */
const SOFTWARE = fc.array(
  fc.record({
    name: fc.oneof(title, fc.constantFrom(...WORDS)),
    version: fc.oneof(optionalText, fc.constantFrom('1.0', '1.10', '1.9', '2.0-rc1', 'n/a')),
  }),
  { maxLength: 6 },
);

const TAGS = fc.array(randomText, { maxLength: 4 });

const PATCHES = optional(
  fc.array(
    fc.record({ id: fc.constant(null), title: randomText, status: fc.constantFrom(...PATCH_STATUSES) }),
    { maxLength: 2 },
  ),
);

/** A value of the type of the field, or of another type, because reports of devices are not checked. */
const CUSTOM_VALUE: fc.Arbitrary<CustomValue> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: randomText },
  { weight: 3, arbitrary: randomNumber },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 3, arbitrary: randomDateText },
  { weight: 1, arbitrary: fc.constantFrom(...FAULTY_DATES) },
  { weight: 1, arbitrary: fc.constant(null) },
);

function customValues(keys: readonly string[]): fc.Arbitrary<ReadonlyMap<string, CustomValue>> {
  return fc
    .tuple(...keys.map(() => fc.option(CUSTOM_VALUE, { nil: undefined, freq: 6 })))
    .map((values) => new Map(keys.flatMap((key, i) => (values[i] === undefined ? [] : [[key, values[i]]]))));
}
