/** Scripts, alerts and saved filters (Contract: §9, "The load file"). */
import * as v from 'valibot';
import { parseFilterDescription, parseFilterName } from '#domain/filter/saved-filter.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES } from '#domain/fleet/fleet-record.ts';
import type { Result } from '#domain/result.ts';
import { members, objectOnly } from './members.ts';
import { readOwner } from './owner.ts';
import { count, id, instant, kind, name, oneOf, optional, text } from './scalar-schemas.ts';

export const scriptSchema = v.pipe(
  members({
    kind: kind('script'),
    id: id<'script'>(),
    orgId: optional(id<'organization'>()),
    partnerId: optional(id<'partner'>()),
    name,
    description: optional(text),
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { orgId, partnerId, ...script } = dataset.value;
    const owner = readOwner(orgId, partnerId);
    if (owner.ok) return { ...script, owner: owner.value };
    addIssue({ message: owner.error });
    return NEVER;
  }),
);

export const alertSchema = members({
  kind: kind('alert'),
  id: id<'alert'>(),
  orgId: id<'organization'>(),
  deviceId: optional(id<'device'>()),
  title: name,
  message: optional(text),
  severity: oneOf(ALERT_SEVERITIES),
  status: oneOf(ALERT_STATUSES),
  createdAt: optional(instant),
});

/** A saved filter. Its conditions may be any object here; they are checked against the catalogue when stored. */
export const filterSchema = members({
  kind: kind('filter'),
  id: id<'filter'>(),
  orgId: id<'organization'>(),
  name: parsedBy(parseFilterName),
  description: v.nullish(parsedBy(parseFilterDescription), null),
  conditions: v.pipe(
    objectOnly,
    v.transform((conditions): unknown => conditions),
  ),
  createdBy: id<'user'>(),
  createdAt: v.nullish(instant),
  updatedAt: v.nullish(instant),
  version: v.nullish(count),
});

/** Delegates to a parser of the domain, and reports its reason if it refuses. */
function parsedBy<T>(parse: (value: unknown) => Result<T, string>) {
  return v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const parsed = parse(dataset.value);
      if (parsed.ok) return parsed.value;
      addIssue({ message: parsed.error });
      return NEVER;
    }),
  );
}
