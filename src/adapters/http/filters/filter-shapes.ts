/** Contract: §3, §4, §5, §11, §12. */
import * as v from 'valibot';
import {
  count,
  dataOf,
  INSTANT,
  id,
  listOf,
  NAMED_PERSON,
  name,
  optionalText,
  type Shape,
  shown,
  text,
  wholeNumber,
} from '#adapters/http/common-shapes.ts';
import { PREVIEW_LIMIT } from '#application/filters/filter-input.ts';
import { DEVICE_STATUSES, OS_TYPES } from '#domain/device/device.ts';
import type { FieldCategory } from '#domain/filter/catalog/core-fields.ts';
import { OPERATORS } from '#domain/filter/catalog/operator.ts';
import { type FieldType, OPERATORS_BY_TYPE } from '#domain/filter/catalog/operator-matrix.ts';
import { GROUP_OPERATORS } from '#domain/filter/conditions/condition.ts';
import { MAX_FILTER_DESCRIPTION_LENGTH, MAX_FILTER_NAME_LENGTH } from '#domain/filter/saved-filter.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';

export const EXAMPLE_TEXT = 'os:windows disk:>90';

export const EXAMPLE_CONDITIONS = {
  operator: 'AND',
  conditions: [
    { field: 'osType', operator: 'equals', value: 'windows' },
    { field: 'metrics.diskPercent', operator: 'greaterThan', value: 90 },
  ],
} satisfies ConditionJson;

export const CONDITION = v.pipe(
  v.strictObject({
    field: v.pipe(v.string(), v.description('A key from `GET /filters/fields`.')),
    operator: v.picklist(OPERATORS),
    value: v.exactOptional(
      v.pipe(
        v.unknown(),
        v.description('The shape depends on the operator. Operators such as `isNull` take no value.'),
      ),
    ),
  }),
  v.description('Compares a field with a value. Unknown members are refused.'),
);

export const CONDITION_GROUP: v.GenericSchema<ConditionJson> = shown(
  v.strictObject({
    operator: v.picklist(GROUP_OPERATORS),
    conditions: v.array(v.union([CONDITION, v.lazy(() => CONDITION_GROUP)])),
  }),
  EXAMPLE_CONDITIONS,
  'At least one condition or group. Only the size of the body limits nesting.',
);

const NAME = name('Almost out of disk', MAX_FILTER_NAME_LENGTH);
const DESCRIPTION = shown(
  v.nullish(v.pipe(v.string(), v.maxLength(MAX_FILTER_DESCRIPTION_LENGTH))),
  'Windows above 90 %',
);

export const SAVED_FILTER = v.object({
  id: id('filter'),
  orgId: v.nullable(id('organization', 'Null if the filter is for all organizations of a partner.')),
  partnerId: v.nullable(id('partner', 'Null if the filter is for one organization.')),
  name: text('Almost out of disk'),
  description: optionalText('Windows above 90 %'),
  conditions: CONDITION_GROUP,
  createdBy: v.nullable(id('user')),
  creator: NAMED_PERSON,
  createdAt: INSTANT,
  updatedAt: INSTANT,
});
export type SavedFilter = Shape<typeof SAVED_FILTER>;

export const FILTER_VERSIONS = listOf(
  v.object({
    version: count(7),
    at: shown(v.string(), '2026-03-02T08:00:00.000Z', 'When this version was saved.'),
    by: NAMED_PERSON,
    name: text('Almost out of disk'),
    description: optionalText('Windows above 90 %'),
    conditions: CONDITION_GROUP,
  }),
);
export type FilterVersion = Shape<typeof FILTER_VERSIONS>['data'][number];

export const CONFIRMATION = v.object({ version: count(3), entering: count(12), leaving: count(3) });

const CONFIRM = v.nullish(
  v.pipe(
    CONFIRMATION,
    v.description('Copied from the impact, after a guard answered `confirmation_needed`.'),
  ),
);

export const FILTER_DELETION = v.object({ confirm: CONFIRM });

export const RESTORED_VERSION = v.object({
  confirm: CONFIRM,
  version: shown(v.pipe(v.number(), v.integer(), v.minValue(1)), 3, 'The number of an earlier version.'),
});

export const FILTER_LIST = v.object({ data: v.array(SAVED_FILTER), total: count() });

export const NEW_FILTER = v.object({
  name: NAME,
  description: DESCRIPTION,
  conditions: CONDITION_GROUP,
  orgId: v.nullish(
    id(
      'organization',
      'The owner; it or `partnerId` is required if the caller reaches several organizations.',
    ),
  ),
  partnerId: v.nullish(
    id('partner', 'The owner, with all of its organizations; only for callers who reach the whole partner.'),
  ),
});

export const FILTER_CHANGE = v.object({
  name: v.optional(NAME),
  description: DESCRIPTION,
  conditions: v.optional(CONDITION_GROUP),
  confirm: CONFIRM,
});

export const PREVIEW_MEMBERS = {
  id: id('device'),
  hostname: text('BAY-07'),
  displayName: optionalText('Loading bay'),
  osType: shown(v.nullable(v.picklist(OS_TYPES)), 'windows'),
  status: shown(v.picklist(DEVICE_STATUSES), 'online'),
  lastSeenAt: v.nullable(INSTANT),
};

export const PREVIEW_DEVICE = v.object(PREVIEW_MEMBERS);

export const PREVIEW_BODY = v.object({
  conditions: CONDITION_GROUP,
  limit: v.optional(wholeNumber(PREVIEW_LIMIT, 10), PREVIEW_LIMIT.fallback),
});

export const PREVIEW = dataOf(
  v.object({
    totalCount: count(1, 'The number of matching devices.'),
    devices: v.array(PREVIEW_DEVICE),
    evaluatedAt: INSTANT,
  }),
);
export type Preview = Shape<typeof PREVIEW>['data'];

const FIELD = shown(
  v.object({
    key: v.string(),
    label: v.string(),
    category: v.string() as v.GenericSchema<FieldCategory>,
    type: v.exactOptional(v.picklist(Object.keys(OPERATORS_BY_TYPE) as FieldType[])),
    operators: v.array(v.picklist(OPERATORS)),
    values: v.exactOptional(v.pipe(v.array(v.string()), v.description('The values of an enum field.'))),
    description: v.exactOptional(v.string()),
    ambiguous: v.exactOptional(
      v.pipe(
        v.literal(true),
        v.description(
          'Organizations in reach define this field with different types, so conditions cannot use it.',
        ),
      ),
    ),
  }),
  {
    key: 'osType',
    label: 'OS Type',
    category: 'os',
    type: 'enum',
    operators: ['equals', 'notEquals', 'in', 'notIn'],
    values: ['windows', 'macos', 'linux'],
  },
);
export type ListedField = Shape<typeof FIELD>;

export const FIELD_LIST = listOf(FIELD);

export const TEXT_BODY = v.object({ q: text(EXAMPLE_TEXT) });

export const PARSED_TEXT = dataOf(v.object({ conditions: CONDITION_GROUP, q: text(EXAMPLE_TEXT) }));
export type ParsedText = Shape<typeof PARSED_TEXT>['data'];

export const CONDITIONS_BODY = v.object({ conditions: CONDITION_GROUP });

export const FORMATTED_TEXT = dataOf(TEXT_BODY);
export type FormattedText = Shape<typeof FORMATTED_TEXT>['data'];

export const COMPLETION = dataOf(
  v.object({
    from: count(3),
    to: count(6),
    items: v.array(
      v.object({ insert: text('windows'), label: text('windows'), description: optionalText('OS Type') }),
    ),
  }),
);
export type Completion = Shape<typeof COMPLETION>['data'];

const DEVICE_ID = v.exactOptional(id('device', 'Adds to each node whether this device matches it.'));

export const SAVED_EXPLAIN_BODY = v.object({ deviceId: DEVICE_ID });

export const EXPLAIN_BODY = v.object({
  conditions: v.exactOptional(CONDITION_GROUP),
  q: v.exactOptional(text(EXAMPLE_TEXT, 'A filter text instead of conditions.')),
  deviceId: DEVICE_ID,
});

const EXPLAINED_NODE = v.object({
  path: text('conditions[0]', 'The path from the outermost group, such as `conditions[0]`.'),
  operator: shown(v.picklist([...GROUP_OPERATORS, ...OPERATORS]), 'equals'),
  field: v.exactOptional(text('osType', 'For conditions only.')),
  count: count(902, 'The number of devices that match this node on its own.'),
  countWithout: v.exactOptional(count(14, 'In an AND: the number of devices that match all other members.')),
  device: v.exactOptional(
    v.object({
      matches: v.boolean(),
      actual: v.exactOptional(shown(v.unknown(), 'macos', "The device's value; for conditions only.")),
    }),
  ),
});
export type ExplainedNode = Shape<typeof EXPLAINED_NODE>;

export const EXPLANATION = dataOf(
  v.object({
    evaluatedAt: INSTANT,
    deviceCount: count(1388, 'The number of devices in scope.'),
    totalCount: count(12, 'The number of matching devices.'),
    sample: v.exactOptional(
      v.pipe(
        v.object({ devices: count(10_000), of: count(1_000_000) }),
        v.description(
          'If present, the counts of nodes are estimates from a sample of devices. `totalCount` and `device` are exact.',
        ),
      ),
    ),
    nodes: v.array(EXPLAINED_NODE),
  }),
);
export type Explanation = Shape<typeof EXPLANATION>['data'];
