/** Contract: §15. */
import * as v from 'valibot';
import {
  ACTOR_TYPES,
  type AuditAction,
  type AuditActor,
  type AuditDetail,
  RESOURCE_TYPES,
} from '#domain/audit/audit-entry.ts';
import { err, ok } from '#domain/result.ts';
import {
  convertedBy,
  id,
  instant,
  kind,
  listOf,
  members,
  objectOnly,
  oneOf,
  optional,
  text,
} from './schema-parts.ts';
import { nameFault, numberFault } from './value-faults.ts';

const ACTIONS = Object.keys(RESOURCE_TYPES) as readonly AuditAction[];

const detailFault = (value: unknown): string | null => {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'number') return numberFault(value);
  if (typeof value === 'string') return v.is(text, value) ? null : 'must be a text that can be stored';
  return v.is(listOf(text), value) ? null : 'must be a text, a number, true, false, null or a list of texts';
};

const details = v.pipe(
  objectOnly,
  convertedBy((given: Readonly<Record<string, unknown>>) => {
    for (const [name, value] of Object.entries(given)) {
      const fault = nameFault(name) ?? detailFault(value);
      if (fault !== null) return err([`${name} ${fault}`]);
    }
    return ok(given as Readonly<Record<string, AuditDetail>>);
  }),
);

export const auditEntrySchema = v.pipe(
  members({
    kind: kind('auditEntry'),
    id: id<'audit-entry'>(),
    at: instant,
    actorType: oneOf(ACTOR_TYPES),
    actorId: optional(id<string>()),
    orgId: optional(id<'organization'>()),
    partnerId: optional(id<'partner'>()),
    action: oneOf(ACTIONS),
    result: oneOf(['success', 'denied']),
    resourceId: optional(id<string>()),
    details: v.nullish(details, {}),
    requestId: text,
    ip: optional(text),
  }),
  convertedBy(({ actorType, actorId, ...entry }) => {
    if (actorType !== 'system' && actorId === null) return err(['must have actorId']);
    if (actorType === 'system' && actorId !== null)
      return err(['must not have actorId with actorType system']);
    const actor = { type: actorType, id: actorId } as AuditActor;
    return ok({ ...entry, actor, resourceType: RESOURCE_TYPES[entry.action] });
  }),
);
