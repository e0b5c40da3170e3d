/** The query of each route that takes one. */
import * as v from 'valibot';
import { parseAuditCursor } from '#adapters/http/read/audit-cursor.ts';
import { ALERT_CURSOR, PATCH_CURSOR, SCRIPT_CURSOR } from '#adapters/http/read/list-cursors.ts';
import { DEVICE_OFFSET } from '#application/devices/page-input.ts';
import { PREVIEW_LIMIT } from '#application/filters/filter-input.ts';
import { PAGE_LIMIT } from '#application/page.ts';
import { SEARCH_LIMIT } from '#application/search/search-input.ts';
import { type AuditAction, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';
import { DELETION_STATUSES } from '#domain/deletion/deletion-request.ts';
import { DEVICE_SORTS } from '#domain/device/device-sort.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES, PATCH_STATUSES } from '#domain/fleet/fleet-record.ts';
import { parseSearchText } from '#domain/search/search-query.ts';
import {
  cursor,
  firstInstant,
  flag,
  idOf,
  lastInstant,
  leftToUseCase,
  oneOf,
  optional,
  readBy,
  text,
  uuid,
  wholeNumber,
} from './parameters.ts';
import { querySchema } from './query-schema.ts';

/** Places from the first to far beyond the end of every list and text, and within what a database takes. */
const FAR_BEYOND = { min: 0, max: 1_000_000_000 };

/** GET /filters (Contract: §5). */
export const FILTER_LIST_QUERY = querySchema({ search: optional(text, '') });

/** GET /filters/parse (Contract: §11). */
export const FILTER_TEXT_QUERY = querySchema({ q: text });

/** GET /filters/complete (Contract: §11). By default the cursor is at the end; it may be beyond that. */
export const COMPLETION_QUERY = querySchema({
  q: text,
  at: optional(wholeNumber(FAR_BEYOND), null),
});

/** POST /filters/:id/preview (Spec: Limits). */
export const PREVIEW_QUERY = querySchema({
  limit: optional(wholeNumber(PREVIEW_LIMIT), PREVIEW_LIMIT.fallback),
});

const deviceText = optional(leftToUseCase(text), undefined);

/** GET /devices (Contract: §10). The use case checks it all, as it does in a body. */
export const DEVICE_LIST_QUERY = querySchema({
  q: deviceText,
  filterId: optional(leftToUseCase(uuid), undefined),
  orgId: optional(leftToUseCase(uuid), undefined),
  sort: optional(leftToUseCase(oneOf(DEVICE_SORTS)), undefined),
  limit: optional(leftToUseCase(wholeNumber(PAGE_LIMIT)), undefined),
  cursor: deviceText,
  offset: optional(leftToUseCase(wholeNumber(DEVICE_OFFSET)), undefined),
  count: optional(leftToUseCase(flag), undefined),
});

/** GET /search (Spec: Limits; Contract: §6). */
export const SEARCH_QUERY = querySchema({
  q: readBy(parseSearchText),
  limit: optional(wholeNumber(SEARCH_LIMIT), SEARCH_LIMIT.fallback),
  match: optional(flag, false),
  approximate: optional(flag, false),
});

/** How many entries a page of a list has. */
const pageSize = optional(wholeNumber(PAGE_LIMIT), PAGE_LIMIT.fallback);

/** The organization that a list is narrowed to; null: all in reach. */
const orgId = optional(idOf<'organization'>(), null);

/** GET /admin/account-deletion-requests (Contract: §7). */
export const DELETION_LIST_QUERY = querySchema({
  status: optional(oneOf(DELETION_STATUSES), null),
  orgId,
  limit: pageSize,
  offset: optional(wholeNumber(FAR_BEYOND), 0),
});

const AUDIT_ACTIONS = Object.keys(RESOURCE_TYPES) as AuditAction[];

/** GET /admin/audit-log (Contract: §8). */
export const AUDIT_QUERY = v.pipe(
  querySchema({
    action: optional(oneOf(AUDIT_ACTIONS), null),
    actorId: optional(uuid, null),
    resourceId: optional(uuid, null),
    orgId,
    from: optional(firstInstant, null),
    to: optional(lastInstant, null),
    cursor: optional(cursor(parseAuditCursor), null),
    limit: pageSize,
  }),
  v.forward(
    v.partialCheck(
      [['from'], ['to']],
      ({ from, to }) => from === null || to === null || from <= to,
      'from must not be after to',
    ),
    ['from'],
  ),
  v.transform(({ cursor: after, ...query }) => ({ ...query, after })),
);

/** GET /sites, GET /summary (Contract: §10), GET /admin/account-deletion-requests/pending-count (Contract: §7). */
export const ORGANIZATION_QUERY = querySchema({ orgId });

/** GET /alerts (Contract: §10). */
export const ALERT_LIST_QUERY = querySchema({
  status: optional(oneOf(ALERT_STATUSES), null),
  severity: optional(oneOf(ALERT_SEVERITIES), null),
  orgId,
  deviceId: optional(idOf<'device'>(), null),
  cursor: optional(cursor(ALERT_CURSOR.parse), null),
  limit: pageSize,
});

/** GET /scripts (Contract: §10). */
export const SCRIPT_LIST_QUERY = querySchema({
  search: optional(text, ''),
  orgId,
  cursor: optional(cursor(SCRIPT_CURSOR.parse), null),
  limit: pageSize,
});

/** GET /patches (Contract: §10). */
export const PATCH_LIST_QUERY = querySchema({
  orgId,
  status: optional(oneOf(PATCH_STATUSES), null),
  cursor: optional(cursor(PATCH_CURSOR.parse), null),
  limit: pageSize,
});
