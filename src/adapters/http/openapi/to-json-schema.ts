/** Valibot's schemas as JSON Schema 2020-12, with references to those that have a name. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { JsonSchema } from '#adapters/http/schemas/parameters.ts';
import { CUSTOM_FIELD } from './operations/custom-field-operations.ts';
import { DELETION_REQUEST, REVIEWED_REQUEST } from './operations/deletion-operations.ts';
import { PREVIEW } from './operations/filter-operations.ts';
import { PROFILE } from './operations/session-operations.ts';
import { DEVICE, DEVICE_LIST, DEVICE_ROW, PREVIEW_DEVICE } from './shapes/device-shapes.ts';
import { CONDITION, CONDITION_GROUP, SAVED_FILTER } from './shapes/filter-shapes.ts';

const NAMED = {
  Condition: CONDITION,
  ConditionGroup: CONDITION_GROUP,
  CustomField: CUSTOM_FIELD,
  DeletionRequest: DELETION_REQUEST,
  Device: DEVICE,
  DeviceList: DEVICE_LIST,
  DeviceRow: DEVICE_ROW,
  Preview: PREVIEW,
  PreviewDevice: PREVIEW_DEVICE,
  Profile: PROFILE,
  ReviewedDeletionRequest: REVIEWED_REQUEST,
  SavedFilter: SAVED_FILTER,
} satisfies Readonly<Record<string, v.GenericSchema>>;

/** The schema as it stands in a body or an answer. */
export function toShownSchema(schema: v.GenericSchema): JsonSchema {
  return convert(schema).shown;
}

/** The schemas with a name. */
export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  return convert(CONDITION).named;
}

function convert(schema: v.GenericSchema) {
  const {
    $schema: _,
    $defs: named = {},
    ...shown
  } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    definitions: NAMED,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  return { shown, named: named as Readonly<Record<string, JsonSchema>> };
}
