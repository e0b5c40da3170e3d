/** Entries of the audit log in answers (Contract: §8). */
import * as v from 'valibot';
import {
  EXAMPLE_ID,
  INSTANT,
  id,
  optionalText,
  pageOf,
  type Shape,
  shown,
  text,
} from '#adapters/http/common-shapes.ts';
import { type AuditAction, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';

export const AUDIT_ACTIONS = Object.keys(RESOURCE_TYPES) as AuditAction[];

const AUDIT_ENTRY = v.object({
  id: id(),
  at: INSTANT,
  actor: v.object({ type: v.picklist(['user', 'api_key', 'system']), id: v.nullable(id('user')) }),
  orgId: v.nullable(id('organization')),
  action: v.picklist(AUDIT_ACTIONS),
  result: v.picklist(['success', 'denied']),
  resourceType: v.picklist([...new Set(Object.values(RESOURCE_TYPES))]),
  resourceId: optionalText(EXAMPLE_ID.filter),
  details: shown(
    v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean(), v.array(v.string())]))),
    {},
  ),
  requestId: text('01a20146-3761-70a3-8118-b63b5b8966e9'),
  ip: optionalText('203.0.113.7'),
});
export type AuditEntry = Shape<typeof AUDIT_ENTRY>;

export const AUDIT_PAGE = pageOf(AUDIT_ENTRY);
export type AuditPage = Shape<typeof AUDIT_PAGE>;
