/** Contract: §3 and §9, "The load file". */
import * as v from 'valibot';
import { parseFilterDescription, parseFilterName } from '#domain/filter/saved-filter.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  CUSTOM_FIELD_TYPES,
  type Owner,
} from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import {
  convertedBy,
  count,
  faultless,
  id,
  instant,
  kind,
  listOf,
  members,
  name,
  objectOnly,
  oneOf,
  optional,
  text,
} from './schema-parts.ts';
import { fieldKeyFault } from './value-faults.ts';

export const partnerSchema = members({
  kind: kind('partner'),
  id: id<'partner'>(),
  name,
});

export const organizationSchema = members({
  kind: kind('organization'),
  id: id<'organization'>(),
  partnerId: id<'partner'>(),
  name,
});

export const siteSchema = members({
  kind: kind('site'),
  id: id<'site'>(),
  orgId: id<'organization'>(),
  name,
});

export const customFieldSchema = v.pipe(
  members({
    kind: kind('customField'),
    id: id<'custom-field'>(),
    orgId: optional(id<'organization'>()),
    partnerId: optional(id<'partner'>()),
    key: faultless<string>(fieldKeyFault),
    name,
    type: oneOf(CUSTOM_FIELD_TYPES),
    choices: optional(v.pipe(listOf(name), v.minLength(1, 'must have at least one choice'))),
  }),
  convertedBy(({ orgId, partnerId, choices, ...field }) => {
    const owner = readOwner(orgId, partnerId);
    const faults = owner.ok ? [] : [...owner.error];
    const isDropdown = field.type === 'dropdown';
    if (isDropdown && choices === null) faults.push('must have choices with type dropdown');
    if (!isDropdown && choices !== null) faults.push(`must not have choices with type ${field.type}`);
    return owner.ok && faults.length === 0
      ? ok({ ...field, owner: owner.value, choices: choices ?? [] })
      : err(faults);
  }),
);

export const scriptSchema = v.pipe(
  members({
    kind: kind('script'),
    id: id<'script'>(),
    orgId: optional(id<'organization'>()),
    partnerId: optional(id<'partner'>()),
    name,
    description: optional(text),
  }),
  convertedBy(({ orgId, partnerId, ...script }) => {
    const owner = readOwner(orgId, partnerId);
    return owner.ok ? ok({ ...script, owner: owner.value }) : owner;
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

/** `conditions` may be any object: they are checked against the catalog when they are stored. */
export const filterSchema = v.pipe(
  members({
    kind: kind('filter'),
    id: id<'filter'>(),
    orgId: optional(id<'organization'>()),
    partnerId: optional(id<'partner'>()),
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
  }),
  convertedBy((filter) => {
    const owner = readOwner(filter.orgId, filter.partnerId);
    return owner.ok ? ok(filter) : owner;
  }),
);

function parsedBy<T>(parse: (value: unknown) => Result<T, string>) {
  return v.pipe(
    v.unknown(),
    convertedBy((value: unknown) => {
      const parsed = parse(value);
      return parsed.ok ? parsed : err([parsed.error]);
    }),
  );
}

function readOwner(orgId: OrgId | null, partnerId: PartnerId | null): Result<Owner, readonly string[]> {
  if (orgId !== null && partnerId !== null) return err(['must have orgId or partnerId, not both']);
  if (orgId !== null) return ok({ kind: 'organization', orgId });
  if (partnerId !== null) return ok({ kind: 'partner', partnerId });
  return err(['must have orgId or partnerId']);
}
