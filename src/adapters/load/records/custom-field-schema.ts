/** Definitions of custom fields (Contract: §3 and §9, "The load file"). */
import * as v from 'valibot';
import { CUSTOM_FIELD_TYPES } from '#domain/fleet/fleet-record.ts';
import { members } from './members.ts';
import { readOwner } from './owner.ts';
import { faultless, id, kind, listOf, name, oneOf, optional } from './scalar-schemas.ts';
import { fieldKeyFault } from './value-faults.ts';

/** Dropdowns have choices; other types must not. */
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
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { orgId, partnerId, choices, ...field } = dataset.value;
    const owner = readOwner(orgId, partnerId);
    if (!owner.ok) addIssue({ message: owner.error });
    const isDropdown = field.type === 'dropdown';
    if (isDropdown && choices === null) addIssue({ message: 'must have choices with type dropdown' });
    if (!isDropdown && choices !== null) {
      addIssue({ message: `must not have choices with type ${field.type}` });
    }
    return owner.ok && isDropdown === (choices !== null)
      ? { ...field, owner: owner.value, choices: choices ?? [] }
      : NEVER;
  }),
);
