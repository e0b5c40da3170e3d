/** The query of each route that takes one. */
import * as v from 'valibot';
import { parseAuditCursor } from '#adapters/http/read/audit-cursor.ts';
import {
  DEFAULT_PREVIEW_LIMIT,
  MAX_PREVIEW_LIMIT,
  MIN_PREVIEW_LIMIT,
} from '#application/filters/filter-input.ts';
import { type AuditAction, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';
import { DELETION_STATUSES } from '#domain/deletion/deletion-request.ts';
import {
  DEFAULT_SEARCH_LIMIT,
  MAX_SEARCH_LIMIT,
  MIN_SEARCH_LIMIT,
  parseSearchText,
} from '#domain/search/search-query.ts';
import {
  cursor,
  firstInstant,
  flag,
  lastInstant,
  oneOf,
  optional,
  readBy,
  text,
  uuid,
  wholeNumber,
} from './parameters.ts';
import { querySchema } from './query-schema.ts';

/** GET /filters (Contract: §5). */
export const FILTER_LIST_QUERY = querySchema({ search: optional(text, '') });

/** GET /filters/parse (Contract: §11). */
export const FILTER_TEXT_QUERY = querySchema({ q: text });

/** GET /filters/complete (Contract: §11). By default the cursor is at the end; it may be beyond that. */
export const COMPLETION_QUERY = querySchema({
  q: text,
  at: optional(wholeNumber(0, 1_000_000_000), null),
});

/** POST /filters/:id/preview (Spec: Limits). */
export const PREVIEW_QUERY = querySchema({
  limit: optional(wholeNumber(MIN_PREVIEW_LIMIT, MAX_PREVIEW_LIMIT), DEFAULT_PREVIEW_LIMIT),
});

/** GET /search (Spec: Limits; Contract: §6). */
export const SEARCH_QUERY = querySchema({
  q: readBy(parseSearchText),
  limit: optional(wholeNumber(MIN_SEARCH_LIMIT, MAX_SEARCH_LIMIT), DEFAULT_SEARCH_LIMIT),
  match: optional(flag, false),
  approximate: optional(flag, false),
});

/** How many entries a page of an administrator's list has. */
const pageSize = optional(wholeNumber(1, 200), 50);

/** GET /admin/account-deletion-requests (Contract: §7). */
export const DELETION_LIST_QUERY = querySchema({
  status: optional(oneOf(DELETION_STATUSES), null),
  limit: pageSize,
  // Far beyond the end of every list, and within what a database takes.
  offset: optional(wholeNumber(0, 1_000_000_000), 0),
});

const AUDIT_ACTIONS = Object.keys(RESOURCE_TYPES) as AuditAction[];

/** GET /admin/audit-log (Contract: §8). */
export const AUDIT_QUERY = v.pipe(
  querySchema({
    action: optional(oneOf(AUDIT_ACTIONS), null),
    actorId: optional(uuid, null),
    resourceId: optional(uuid, null),
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
