import * as v from 'valibot';
import {
  count,
  EXAMPLE_ID,
  INSTANT,
  id,
  listOf,
  name,
  optionalText,
  type Shape,
  shown,
  text,
} from '#adapters/http/common-shapes.ts';
import { CHANGE_CAUSES, CHANGE_TYPES } from '#domain/membership/membership-change.ts';
import { SUBSCRIPTION_KINDS, SUBSCRIPTION_STATES } from '#domain/membership/subscription.ts';
import { DELIVERY_STATUSES } from '#domain/membership/webhook-delivery.ts';

const EXAMPLE_NAME = 'Patch group of the engine';

const COUNT = v.pipe(v.number(), v.integer(), v.minValue(0));

export const NOTIFY = v.union([v.literal('changes'), v.object({ above: COUNT }), v.object({ below: COUNT })]);

export const GUARD = v.object({
  devices: v.exactOptional(COUNT),
  percent: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
});

const SETTINGS = {
  url: shown(v.nullable(v.string()), null, 'For webhooks.'),
  recipients: shown(v.nullable(v.array(id('user'))), null, 'For mails.'),
  notify: shown(
    v.nullable(NOTIFY),
    null,
    'For mails: sent on changes, or when the number of members crosses a limit.',
  ),
  batchSeconds: shown(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
    null,
    'For mails: the fewest seconds between two.',
  ),
  guard: shown(v.nullable(GUARD), null, 'The largest change of the filter that needs no confirmation.'),
};

export const SUBSCRIPTION = v.object({
  id: id('subscription'),
  filterId: id('filter'),
  name: name(EXAMPLE_NAME),
  kind: shown(v.picklist(SUBSCRIPTION_KINDS), 'feed'),
  ...SETTINGS,
  state: shown(
    v.picklist(SUBSCRIPTION_STATES),
    'active',
    '`ended`: the filter was deleted, or the receiver is gone.',
  ),
  createdBy: id('user'),
  createdAt: INSTANT,
});
export const SUBSCRIPTIONS = listOf(SUBSCRIPTION);
export type SubscriptionShape = Shape<typeof SUBSCRIPTION>;

const SECRET = text(
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'Signs the deliveries (Standard Webhooks). Only this answer contains it.',
);

export const CREATED_SUBSCRIPTION = v.object({ ...SUBSCRIPTION.entries, secret: v.exactOptional(SECRET) });
export type CreatedShape = Shape<typeof CREATED_SUBSCRIPTION>;

export const RENEWED_SECRET = v.object({ secret: SECRET });

export const NEW_SUBSCRIPTION = v.object({
  filterId: id('filter'),
  name: name(EXAMPLE_NAME),
  kind: shown(v.picklist(SUBSCRIPTION_KINDS), 'feed'),
  ...v.partial(v.object(SETTINGS)).entries,
});

/** `filterId` and `kind` cannot change; a request may only repeat their current values. */
export const SUBSCRIPTION_CHANGE = v.partial(
  v.object({ ...NEW_SUBSCRIPTION.entries, state: shown(v.picklist(SUBSCRIPTION_STATES), 'paused') }),
);

const FILTER_VERSION = count(3, 'The version of the filter that was evaluated.');

const CURSOR = text(
  '9rTgS3bq0aYpGdJq4mOZtTEy',
  'Opaque and signed; works for every subscription to the filter.',
);

export const MEMBERS_HEAD = v.object({
  cursor: CURSOR,
  count: count(2),
  filterVersion: FILTER_VERSION,
  evaluatedAt: INSTANT,
});
export type MembersHead = Shape<typeof MEMBERS_HEAD>;

export const CHANGE = shown(
  v.object({
    seq: count(17, 'Counts from 1 within the filter, without gaps.'),
    at: INSTANT,
    type: v.pipe(
      v.picklist(CHANGE_TYPES),
      v.description(
        'Between `degraded` and `recovered`, the filter cannot be evaluated, so its members do not change.',
      ),
    ),
    deviceId: v.exactOptional(id('device')),
    hostname: v.exactOptional(v.pipe(v.nullable(v.string()), v.description('Null if the device is gone.'))),
    cause: v.exactOptional(v.picklist(CHANGE_CAUSES)),
    filterVersion: FILTER_VERSION,
  }),
  {
    seq: 17,
    at: '2026-02-10T08:00:00.000Z',
    type: 'entered',
    deviceId: EXAMPLE_ID.device,
    hostname: 'till-7',
    cause: 'device',
    filterVersion: 3,
  },
);
export type ChangeShape = Shape<typeof CHANGE>;

export const CHANGES = v.object({
  data: v.array(CHANGE),
  cursor: CURSOR,
  more: shown(v.boolean(), false, 'Whether more changes are waiting.'),
});
export type ChangesShape = Shape<typeof CHANGES>;

const MEMBER_COUNT = v.object({ at: INSTANT, count: count(204) });
export type MemberCountShape = Shape<typeof MEMBER_COUNT>;
export const HISTORY = listOf(MEMBER_COUNT);

export const RESUMPTION = v.object({
  from: shown(
    v.exactOptional(v.nullable(v.string())),
    null,
    'The cursor to continue from; by default where it stopped.',
  ),
});

export const DELIVERY = v.object({
  id: id('other', 'Sent in the header `webhook-id`.'),
  at: INSTANT,
  status: v.pipe(
    v.picklist(DELIVERY_STATUSES),
    v.description('`pending`: not tried yet, or to be tried again.'),
  ),
  httpStatus: shown(v.nullable(count()), 200, 'The status of the answer to the last attempt.'),
  durationMs: shown(v.nullable(count()), 84),
  error: optionalText(null, 'Why the last attempt failed.'),
  from: optionalText('9rTgS3bq0aYpGdJq4mOZtTEy', 'The cursor before the first change; null for a test.'),
  to: optionalText('9rTgS3bq0aYpGdJq4mOZtTEz'),
});
export type DeliveryShape = Shape<typeof DELIVERY>;

export const DELIVERIES = listOf(DELIVERY);
