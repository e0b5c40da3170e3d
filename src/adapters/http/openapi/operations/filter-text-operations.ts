/** The routes of filters as text, and of explanations (Contract: §11, §12). */
import * as v from 'valibot';
import {
  type DescribedAnswer,
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
} from '#adapters/http/openapi/shapes/common-shapes.ts';
import { CONDITION_GROUP, EXAMPLE_CONDITIONS } from '#adapters/http/openapi/shapes/filter-shapes.ts';
import { COMPLETION_QUERY, FILTER_TEXT_QUERY } from '#adapters/http/schemas/queries.ts';
import { OPERATORS } from '#domain/filter/catalog/operator.ts';
import { GROUP_OPERATORS } from '#domain/filter/conditions/condition.ts';

const TEXT = 'os:windows disk:>90';

const Q: ParameterText = { description: 'A filter as a line of text.', example: TEXT };

const PARSED: DescribedAnswer = json(
  'The conditions, and the text as it is printed.',
  v.object({ data: v.object({ conditions: CONDITION_GROUP, q: v.string() }) }),
  { data: { conditions: EXAMPLE_CONDITIONS, q: TEXT } },
);

const COMPLETION = v.object({
  data: v.object({
    from: COUNT,
    to: COUNT,
    items: v.array(v.object({ insert: v.string(), label: v.string(), description: v.nullable(v.string()) })),
  }),
});

const EXPLAINED_NODE = v.object({
  path: v.pipe(v.string(), v.description('From the outermost group, such as `conditions[0]`.')),
  operator: v.picklist([...GROUP_OPERATORS, ...OPERATORS]),
  field: v.pipe(v.optional(v.string()), v.description('Of conditions.')),
  count: v.pipe(COUNT, v.description('How many devices it matches alone.')),
  countWithout: v.pipe(v.optional(COUNT), v.description('In an AND: how many match all its siblings.')),
  device: v.optional(
    v.object({
      matches: v.boolean(),
      actual: v.pipe(v.optional(v.unknown()), v.description('What the device has; of conditions.')),
    }),
  ),
});

const EXPLAINED: DescribedAnswer = json(
  'Each condition and group, the outermost group first.',
  v.object({
    data: v.object({
      evaluatedAt: INSTANT,
      deviceCount: v.pipe(COUNT, v.description('How many devices there are in scope.')),
      totalCount: v.pipe(COUNT, v.description('How many of them match.')),
      nodes: v.array(EXPLAINED_NODE),
    }),
  }),
  {
    data: {
      evaluatedAt: EXAMPLE_INSTANT,
      deviceCount: 1388,
      totalCount: 12,
      nodes: [
        { path: '', operator: 'AND', count: 12 },
        { path: 'conditions[0]', operator: 'equals', field: 'osType', count: 902, countWithout: 14 },
        {
          path: 'conditions[1]',
          operator: 'greaterThan',
          field: 'metrics.diskPercent',
          count: 14,
          countWithout: 902,
        },
      ],
    },
  },
);

const DEVICE_ID = v.pipe(v.optional(ID), v.description('Says of each node whether this device matches.'));

const EXPLAIN_PROBLEMS = ['ambiguous_custom_field', 'filter_timeout', 'not_found', 'too_many_nodes'] as const;

export const FILTER_TEXT_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/v1/filters/parse': {
    id: 'parseFilterTextOfQuery',
    tag: 'filters',
    summary: 'Read a filter from a line of text',
    asker: 'caller',
    query: describeQuery(FILTER_TEXT_QUERY, { q: Q }),
    answers: { 200: PARSED },
    problems: ['ambiguous_custom_field'],
  },
  'POST /api/v1/filters/parse': {
    id: 'parseFilterText',
    tag: 'filters',
    summary: 'Read a filter from a text that does not fit a URL',
    asker: 'caller',
    body: { schema: v.object({ q: v.string() }), example: { q: TEXT } },
    answers: { 200: PARSED },
    problems: ['ambiguous_custom_field'],
  },
  'POST /api/v1/filters/format': {
    id: 'formatConditions',
    tag: 'filters',
    summary: 'Write conditions as a line of text',
    asker: 'caller',
    body: {
      schema: v.object({ conditions: CONDITION_GROUP }),
      example: { conditions: EXAMPLE_CONDITIONS },
    },
    answers: {
      200: json('A text of the same meaning.', v.object({ data: v.object({ q: v.string() }) }), {
        data: { q: TEXT },
      }),
    },
    problems: ['ambiguous_custom_field'],
  },
  'GET /api/v1/filters/complete': {
    id: 'completeFilterText',
    tag: 'filters',
    summary: 'Propose what can follow in a filter text',
    asker: 'caller',
    query: describeQuery(COMPLETION_QUERY, {
      q: { ...Q, example: 'os:win' },
      at: {
        description: 'Where the cursor is, in UTF-16 code units; by default at the end.',
        example: 6,
      },
    }),
    answers: {
      200: json('At most 20 items, which replace the text from `from` to `to`.', COMPLETION, {
        data: {
          from: 3,
          to: 6,
          items: [{ insert: 'windows', label: 'windows', description: 'OS Type' }],
        },
      }),
    },
  },
  'POST /api/v1/filters/explain': {
    id: 'explainConditions',
    tag: 'filters',
    summary: 'Say what each condition and group contributes',
    asker: 'caller',
    body: {
      schema: v.object({
        conditions: v.optional(CONDITION_GROUP),
        q: v.pipe(v.optional(v.string()), v.description('A filter text in the place of conditions.')),
        deviceId: DEVICE_ID,
      }),
      example: { conditions: EXAMPLE_CONDITIONS, deviceId: EXAMPLE_ID.device },
    },
    answers: { 200: EXPLAINED },
    problems: EXPLAIN_PROBLEMS,
  },
  'POST /api/v1/filters/:id/explain': {
    id: 'explainFilter',
    tag: 'filters',
    summary: 'Say the same of a saved filter in its organization',
    asker: 'caller',
    body: {
      schema: v.object({ deviceId: DEVICE_ID }),
      example: { deviceId: EXAMPLE_ID.device },
      isOptional: true,
    },
    answers: { 200: EXPLAINED },
    problems: EXPLAIN_PROBLEMS,
  },
};
