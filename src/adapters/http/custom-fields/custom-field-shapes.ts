import * as v from 'valibot';
import { EXAMPLE_ID, id, listOf, name, type Shape, shown, text } from '#adapters/http/common-shapes.ts';
import { CUSTOM_FIELD_TYPES } from '#domain/fleet/fleet-record.ts';

const EXAMPLE_CHOICES = ['4711', '4712'];

const MEMBERS = {
  key: text('cost_centre', 'Filters name the field `custom.` and this key.'),
  name: name('Cost centre'),
  type: shown(v.picklist(CUSTOM_FIELD_TYPES), 'dropdown'),
};

/** Has either `orgId` or `partnerId`. */
export const CUSTOM_FIELD = shown(
  v.object({
    id: id(),
    orgId: v.exactOptional(id('organization')),
    partnerId: v.exactOptional(id('partner', 'Present if the field is for all organizations of a partner.')),
    ...MEMBERS,
    choices: v.exactOptional(v.pipe(v.array(v.string()), v.description('For dropdowns only.'))),
  }),
  {
    id: EXAMPLE_ID.other,
    orgId: EXAMPLE_ID.organization,
    key: 'cost_centre',
    name: 'Cost centre',
    type: 'dropdown',
    choices: EXAMPLE_CHOICES,
  },
);
export const CUSTOM_FIELDS = listOf(CUSTOM_FIELD);
export type CustomField = Shape<typeof CUSTOM_FIELD>;

export const NEW_CUSTOM_FIELD = v.object({
  orgId: v.nullish(id('organization')),
  partnerId: shown(v.nullish(id('partner')), null),
  ...MEMBERS,
  choices: v.nullish(shown(v.array(v.string()), EXAMPLE_CHOICES)),
});

export const CUSTOM_FIELD_CHANGE = v.partial(NEW_CUSTOM_FIELD);
