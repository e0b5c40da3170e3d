/** Filters as bodies and answers have them (Contract: §4, §5). */
import * as v from 'valibot';
import { OPERATORS } from '#domain/filter/catalog/operator.ts';
import { GROUP_OPERATORS } from '#domain/filter/conditions/condition.ts';
import { EXAMPLE_ID, EXAMPLE_INSTANT, ID, INSTANT } from './common-shapes.ts';

export const CONDITION = v.pipe(
  v.strictObject({
    field: v.pipe(v.string(), v.description('The key of a field of `GET /filters/fields`.')),
    operator: v.picklist(OPERATORS),
    value: v.pipe(
      v.optional(v.unknown()),
      v.description('Its shape depends on the operator; `isNull` and its kin take none.'),
    ),
  }),
  v.description('One field, compared with a value. Unknown members are refused.'),
);

export interface GroupShape {
  readonly operator: (typeof GROUP_OPERATORS)[number];
  readonly conditions: readonly (v.InferOutput<typeof CONDITION> | GroupShape)[];
}

export const CONDITION_GROUP: v.GenericSchema<unknown, GroupShape> = v.pipe(
  v.strictObject({
    operator: v.picklist(GROUP_OPERATORS),
    conditions: v.array(v.union([CONDITION, v.lazy(() => CONDITION_GROUP)])),
  }),
  v.description('Conditions and groups, at least one. Only the size of the body limits how deep they nest.'),
);

export const SAVED_FILTER = v.object({
  id: ID,
  orgId: ID,
  name: v.string(),
  description: v.nullable(v.string()),
  conditions: CONDITION_GROUP,
  createdBy: v.nullable(ID),
  createdAt: INSTANT,
  updatedAt: INSTANT,
});

export const EXAMPLE_CONDITIONS = {
  operator: 'AND',
  conditions: [
    { field: 'osType', operator: 'equals', value: 'windows' },
    { field: 'metrics.diskPercent', operator: 'greaterThan', value: 90 },
  ],
};

export const EXAMPLE_FILTER = {
  id: EXAMPLE_ID.filter,
  orgId: EXAMPLE_ID.organization,
  name: 'Almost out of disk',
  description: null,
  conditions: EXAMPLE_CONDITIONS,
  createdBy: EXAMPLE_ID.user,
  createdAt: EXAMPLE_INSTANT,
  updatedAt: EXAMPLE_INSTANT,
};
