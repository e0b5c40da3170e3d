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
import { ACTOR_TYPES, type AuditAction, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';

export const AUDIT_ACTIONS = Object.keys(RESOURCE_TYPES) as AuditAction[];

const NULL_NAME = 'The current name. Null if gone, erased or nameless; a resource also if out of reach.';

const AUDIT_ENTRY = v.object({
  id: id(),
  at: INSTANT,
  actor: v.object({
    type: v.picklist(ACTOR_TYPES),
    id: v.nullable(id('user')),
    name: shown(v.nullable(v.string()), 'Rosalind Moorcroft', NULL_NAME),
  }),
  orgId: v.nullable(id('organization')),
  resourceName: shown(v.nullable(v.string()), 'Almost out of disk', NULL_NAME),
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
