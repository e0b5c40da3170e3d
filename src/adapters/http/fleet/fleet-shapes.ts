import * as v from 'valibot';
import {
  count,
  EXAMPLE_ID,
  INSTANT,
  id,
  listOf,
  optionalText,
  pageOf,
  type Shape,
  shown,
  text,
} from '#adapters/http/common-shapes.ts';
import { DEVICE_ROLES, DEVICE_STATUSES, OS_TYPES } from '#domain/device/device.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES } from '#domain/fleet/fleet-record.ts';
import { SEARCH_CATEGORIES } from '#domain/search/search-hit.ts';

const ORGANIZATION = v.object({
  id: id('organization'),
  name: text('Kestrel Lane'),
  partnerId: id('partner'),
  partnerName: text('Northgate IT'),
  deviceCount: count(212),
});
export const ORGANIZATIONS = listOf(ORGANIZATION);
export type Organization = Shape<typeof ORGANIZATION>;

const SITE = v.object({ id: id('site'), orgId: id('organization'), name: text('Warehouse') });
export const SITES = listOf(SITE);
export type Site = Shape<typeof SITE>;

const ALERT = v.object({
  id: id(),
  orgId: id('organization'),
  deviceId: v.nullable(id('device')),
  deviceName: optionalText('Loading bay'),
  title: text('Disk almost full'),
  message: optionalText('C: is 93.5 % full'),
  severity: v.picklist(ALERT_SEVERITIES),
  status: v.picklist(ALERT_STATUSES),
  createdAt: INSTANT,
});
export const ALERT_PAGE = v.object({
  ...pageOf(ALERT).entries,
  totalCount: v.exactOptional(count(12, 'Only with `count=true`.')),
});
export type Alert = Shape<typeof ALERT>;

export const ALERT_DETAILS = v.object({
  ...ALERT.entries,
  device: v.nullable(v.object({ id: id('device'), hostname: text('BAY-07') })),
  organization: v.object({ id: id('organization'), name: text('Kestrel Lane') }),
});
export type AlertDetails = Shape<typeof ALERT_DETAILS>;

export const ALERT_CHANGE = v.object({ status: shown(v.picklist(ALERT_STATUSES), 'acknowledged') });

const SCRIPT = v.object({
  id: id(),
  orgId: v.nullable(id('organization')),
  partnerId: shown(v.nullable(id('partner')), null),
  name: text('Clear temporary files'),
  description: optionalText(null),
});
export const SCRIPT_PAGE = pageOf(SCRIPT);
export type Script = Shape<typeof SCRIPT>;

const PATCH = v.object({
  title: text('2026-02 Cumulative Update'),
  pending: count(12),
  installed: count(890),
  failed: count(3),
});
export const PATCH_PAGE = pageOf(PATCH);
export type Patch = Shape<typeof PATCH>;

function countOfEach<const Word extends string>(words: readonly Word[]) {
  return v.object(v.entriesFromList(words, count(70)));
}

export const SUMMARY = v.object({
  devices: v.object({
    total: count(212),
    byStatus: countOfEach(DEVICE_STATUSES),
    byOsType: countOfEach(OS_TYPES),
    byRole: countOfEach(DEVICE_ROLES),
  }),
  notSeen: v.pipe(
    v.object({ days7: count(9), days30: count(4) }),
    v.description(
      'Last seen more than 7 or 30 days ago. Like `neverSeen`, `patchesPending` and `rebootRequired`, without decommissioned devices.',
    ),
  ),
  neverSeen: count(3),
  alerts: v.object({ critical: count(2), high: count(7) }),
  patchesPending: count(41, 'Devices with a pending patch.'),
  rebootRequired: count(6, 'Devices that need a reboot.'),
  deletionRequestsPending: v.exactOptional(count(1, 'Only for callers with `users:write`.')),
});
export type Summary = Shape<typeof SUMMARY>;

const RESULT = shown(
  v.object({
    id: v.string(),
    type: v.picklist(SEARCH_CATEGORIES),
    title: v.string(),
    description: v.exactOptional(v.string()),
    href: v.exactOptional(v.pipe(v.string(), v.description('For settings pages only.'))),
    match: v.exactOptional(
      v.pipe(
        v.object({ field: v.string(), value: v.string() }),
        v.description('Where the text was found, unless it is in the title.'),
      ),
    ),
    organization: v.exactOptional(
      v.pipe(v.object({ id: v.string(), name: v.string() }), v.description('Only with `context=true`.')),
    ),
    device: v.exactOptional(
      v.nullable(
        v.pipe(
          v.object({ id: v.string(), hostname: v.string() }),
          v.description('For alerts, with `context=true`.'),
        ),
      ),
    ),
    approximate: v.exactOptional(
      v.pipe(v.literal(true), v.description('Present if the title only resembles the text.')),
    ),
  }),
  {
    id: EXAMPLE_ID.device,
    type: 'devices',
    title: 'Loading bay',
    description: 'BAY-07',
    match: { field: 'hostname', value: 'BAY-07' },
  },
);
export const SEARCH_RESULTS = v.object({ results: v.array(RESULT) });
export type SearchItem = Shape<typeof RESULT>;
