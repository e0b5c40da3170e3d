/** Contract: §8. */
import { Hono } from 'hono';
import * as v from 'valibot';
import type { PrintCursor, RespondList } from '#adapters/http/answer/respond-list.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import {
  described,
  firstInstant,
  lastInstant,
  oneOf,
  optional,
  text,
  textBy,
  uuid,
} from '#adapters/http/read/query-parameters.ts';
import { AFTER, organization, pageSize, querySchema } from '#adapters/http/read/read-query.ts';
import type { AuditPage as FoundEntries, ReadAuditLog } from '#application/audit/read-audit-log.ts';
import type { AuditPosition } from '#application/ports/audit/audit-reader.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import { trimText, unstorableReason } from '#domain/text/storable-text.ts';
import { AUDIT_ACTIONS, AUDIT_PAGE, type AuditEntry, type AuditPage } from './audit-shapes.ts';

const AUDIT_QUERY = v.pipe(
  querySchema({
    action: described(optional(oneOf(AUDIT_ACTIONS), null), 'Only entries of this action.', 'filter.create'),
    actor: described(
      optional(textBy({ type: 'string' }, parseActorText), null),
      'Only what was done by people whose name or email contains this text, in any case: 2 to 200 characters.',
      'moorcroft',
    ),
    actorId: described(optional(uuid, null), 'Only what this user or API key did.'),
    resourceId: described(optional(uuid, null), 'Only what was done to this resource.'),
    orgId: organization('Only what concerns this organization.'),
    result: described(
      optional(oneOf(['success', 'denied']), null),
      'Only entries with this result.',
      'denied',
    ),
    from: described(optional(firstInstant, null), 'The first instant, or the first day.', '2026-02-01'),
    to: described(optional(lastInstant, null), 'The last instant, or the last day.', '2026-02-28'),
    cursor: described(optional(text, null), AFTER),
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
);

function parseActorText(value: string): Result<string, string> {
  const text = trimText(value);
  const reason = unstorableReason(text);
  if (reason !== null) return err(reason);
  const length = countCodePoints(text);
  return length >= 2 && length <= MAX_ACTOR_LENGTH
    ? ok(text)
    : err(`must have 2 to ${MAX_ACTOR_LENGTH} characters after trimming; it has ${length}`);
}

const MAX_ACTOR_LENGTH = 200;

export const AUDIT_OPERATIONS: Operations = operations('audit', {
  'GET /api/v1/admin/audit-log': {
    id: 'readAuditLog',
    summary: 'List who did what, newest first',
    permission: USERS_WRITE,
    query: AUDIT_QUERY,
    answers: { 200: json('A page of entries.', AUDIT_PAGE) },
    problems: ['invalid_cursor', 'not_found'],
  },
});

export interface AuditRoutesDeps {
  readonly readAuditLog: ReadAuditLog;
  readonly respondList: RespondList;
  readonly authenticate: Authenticate;
}

export function auditRoutes({ readAuditLog, respondList, authenticate }: AuditRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, (c) =>
    respondList(c, 'audit log', AUDIT_QUERY, readAuditLog, presentAuditPage),
  );

  return routes;
}

/** Lists every field, so that a new one is never exposed by accident. */
function presentAuditPage({ entries, next }: FoundEntries, print: PrintCursor<AuditPosition>): string {
  const data = entries.map((entry): AuditEntry => {
    const { id, actor, orgId, action, result, resourceType, resourceId, details, requestId, ip } = entry;
    const { actorName, resourceName } = entry;
    return {
      id,
      at: printInstant(entry.at),
      actor: { type: actor.type, id: actor.id, name: actorName },
      orgId,
      resourceName,
      action,
      result,
      resourceType,
      resourceId,
      details,
      requestId,
      ip,
    };
  });
  const nextCursor = next === null ? null : print(next);
  return JSON.stringify({ data, nextCursor } satisfies AuditPage);
}
