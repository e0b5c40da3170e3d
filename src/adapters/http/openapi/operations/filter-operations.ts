/** The routes of saved filters and previews (Contract: §3, §5). */
import * as v from 'valibot';
import {
  type DescribedBody,
  describeQuery,
  json,
  type Operation,
  type ParameterText,
} from '#adapters/http/openapi/operation.ts';
import {
  COUNT,
  EXAMPLE_ID,
  EXAMPLE_INSTANT,
  ID,
  INSTANT,
  lengthOfName,
  wholeNumber,
} from '#adapters/http/openapi/shapes/common-shapes.ts';
import { EXAMPLE_ROW, PREVIEW_DEVICE } from '#adapters/http/openapi/shapes/device-shapes.ts';
import {
  CONDITION_GROUP,
  EXAMPLE_CONDITIONS,
  EXAMPLE_FILTER,
  SAVED_FILTER,
} from '#adapters/http/openapi/shapes/filter-shapes.ts';
import { FILTER_LIST_QUERY, PREVIEW_QUERY } from '#adapters/http/schemas/queries.ts';
import { PREVIEW_LIMIT } from '#application/filters/filter-input.ts';
import { OPERATORS } from '#domain/filter/catalog/operator.ts';
import { OPERATORS_BY_TYPE } from '#domain/filter/catalog/operator-matrix.ts';
import { MAX_FILTER_DESCRIPTION_LENGTH, MAX_FILTER_NAME_LENGTH } from '#domain/filter/saved-filter.ts';

const NAME = v.pipe(v.string(), v.description(lengthOfName(MAX_FILTER_NAME_LENGTH)));
const DESCRIPTION = v.nullish(v.pipe(v.string(), v.maxLength(MAX_FILTER_DESCRIPTION_LENGTH)));

const NEW_FILTER: DescribedBody = {
  schema: v.object({
    name: NAME,
    description: DESCRIPTION,
    conditions: CONDITION_GROUP,
    orgId: v.pipe(
      v.nullish(ID),
      v.description('Whose filter it is; needed by whoever reaches several organizations.'),
    ),
  }),
  example: {
    name: EXAMPLE_FILTER.name,
    conditions: EXAMPLE_CONDITIONS,
    orgId: EXAMPLE_ID.organization,
  },
};

const FILTER_CHANGE: DescribedBody = {
  schema: v.object({
    name: v.optional(NAME),
    description: DESCRIPTION,
    conditions: v.optional(CONDITION_GROUP),
  }),
  example: { name: 'Full disks' },
};

export const PREVIEW = v.object({
  data: v.object({
    totalCount: v.pipe(COUNT, v.description('How many devices match.')),
    devices: v.array(PREVIEW_DEVICE),
    evaluatedAt: INSTANT,
  }),
});

const { id, hostname, displayName, osType, status, lastSeenAt } = EXAMPLE_ROW;
const EXAMPLE_PREVIEW = {
  data: {
    totalCount: 1,
    devices: [{ id, hostname, displayName, osType, status, lastSeenAt }],
    evaluatedAt: EXAMPLE_INSTANT,
  },
};

const FIELD_TYPES = Object.keys(OPERATORS_BY_TYPE);

const FIELD = v.object({
  key: v.string(),
  label: v.string(),
  category: v.string(),
  type: v.optional(v.picklist(FIELD_TYPES)),
  operators: v.array(v.picklist(OPERATORS)),
  values: v.pipe(v.optional(v.array(v.string())), v.description('What an enum field can hold.')),
  description: v.optional(v.string()),
  ambiguous: v.pipe(
    v.optional(v.literal(true)),
    v.description('Organizations in reach define it with different types, so that it cannot be asked here.'),
  ),
});

const SEARCH: ParameterText = {
  description: 'Only filters whose name or description contains it, in any case.',
  example: 'disk',
};

export const FILTER_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/v1/filters': {
    id: 'listFilters',
    tag: 'filters',
    summary: 'List the saved filters in reach, newest first',
    asker: 'caller',
    query: describeQuery(FILTER_LIST_QUERY, { search: SEARCH }),
    answers: {
      200: json('All of them.', v.object({ data: v.array(SAVED_FILTER), total: COUNT }), {
        data: [EXAMPLE_FILTER],
        total: 1,
      }),
    },
  },
  'POST /api/v1/filters': {
    id: 'createFilter',
    tag: 'filters',
    summary: 'Save a filter',
    asker: 'caller',
    body: NEW_FILTER,
    answers: { 201: json('The filter.', SAVED_FILTER, EXAMPLE_FILTER, ['ETag', 'Location']) },
    problems: ['ambiguous_custom_field', 'forbidden', 'not_found', 'quota_exceeded'],
  },
  'GET /api/v1/filters/:id': {
    id: 'readFilter',
    tag: 'filters',
    summary: 'Read a filter',
    asker: 'caller',
    conditional: 'If-None-Match',
    answers: { 200: json('The filter.', SAVED_FILTER, EXAMPLE_FILTER, ['ETag']) },
  },
  'PATCH /api/v1/filters/:id': {
    id: 'updateFilter',
    tag: 'filters',
    summary: 'Change a filter',
    description: 'Members that are absent stay as they are.',
    asker: 'caller',
    conditional: 'If-Match',
    body: FILTER_CHANGE,
    answers: { 200: json('The filter as it is now.', SAVED_FILTER, EXAMPLE_FILTER, ['ETag']) },
    problems: ['ambiguous_custom_field', 'quota_exceeded'],
  },
  'DELETE /api/v1/filters/:id': {
    id: 'deleteFilter',
    tag: 'filters',
    summary: 'Delete a filter',
    asker: 'caller',
    conditional: 'If-Match',
    answers: { 200: json('The filter as it was.', SAVED_FILTER, EXAMPLE_FILTER) },
  },
  'POST /api/v1/filters/preview': {
    id: 'previewConditions',
    tag: 'filters',
    summary: 'Preview conditions on every organization in reach',
    asker: 'caller',
    body: {
      schema: v.object({
        conditions: CONDITION_GROUP,
        limit: v.optional(wholeNumber(PREVIEW_LIMIT), PREVIEW_LIMIT.fallback),
      }),
      example: { conditions: EXAMPLE_CONDITIONS, limit: 10 },
    },
    answers: { 200: json('How many devices match, and the first of them.', PREVIEW, EXAMPLE_PREVIEW) },
    problems: ['ambiguous_custom_field', 'filter_timeout'],
  },
  'POST /api/v1/filters/:id/preview': {
    id: 'previewFilter',
    tag: 'filters',
    summary: 'Preview a saved filter in its organization',
    description: 'No body is needed, and the members of one have no meaning here.',
    asker: 'caller',
    query: describeQuery(PREVIEW_QUERY, {
      limit: { description: 'How many devices are answered.', example: 10 },
    }),
    answers: { 200: json('How many devices match, and the first of them.', PREVIEW, EXAMPLE_PREVIEW) },
    problems: [
      'ambiguous_custom_field',
      'filter_timeout',
      'invalid_json',
      'payload_too_large',
      'unsupported_media_type',
    ],
  },
  'GET /api/v1/filters/fields': {
    id: 'listFields',
    tag: 'filters',
    summary: 'List the fields that filters can be on, with their operators',
    asker: 'caller',
    answers: {
      200: json('Custom fields in reach come last.', v.object({ data: v.array(FIELD) }), {
        data: [
          {
            key: 'osType',
            label: 'OS Type',
            category: 'os',
            type: 'enum',
            operators: ['equals', 'notEquals', 'in', 'notIn'],
            values: ['windows', 'macos', 'linux'],
          },
        ],
      }),
    },
  },
};
