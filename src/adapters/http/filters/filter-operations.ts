import { dataOf, EXAMPLE_ID } from '#adapters/http/common-shapes.ts';
import { body, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import {
  COMPLETION_QUERY,
  FILTER_DELETION_QUERY,
  FILTER_LIST_QUERY,
  FILTER_TEXT_QUERY,
  PREVIEW_QUERY,
} from './filter-routes.ts';
import {
  COMPLETION,
  CONDITIONS_BODY,
  EXAMPLE_CONDITIONS,
  EXAMPLE_TEXT,
  EXPLAIN_BODY,
  EXPLANATION,
  FIELD_LIST,
  FILTER_CHANGE,
  FILTER_DELETION,
  FILTER_LIST,
  FILTER_VERSIONS,
  FORMATTED_TEXT,
  NEW_FILTER,
  PARSED_TEXT,
  PREVIEW,
  PREVIEW_BODY,
  RESTORED_VERSION,
  SAVED_EXPLAIN_BODY,
  SAVED_FILTER,
  TEXT_BODY,
} from './filter-shapes.ts';
import { IMPACT, IMPACT_BODY } from './impact-shapes.ts';

const PREVIEWED = json('The number of matching devices, and the first of them.', PREVIEW);
const PARSED = json('The conditions, and the text in normal form.', PARSED_TEXT);
const EXPLAINED = json('Every condition and group, outermost group first.', EXPLANATION);

const SAVING_PROBLEMS = [
  'ambiguous_custom_field',
  'filter_cycle',
  'filter_too_deep',
  'quota_exceeded',
] as const;

const EXPLAIN_PROBLEMS = ['ambiguous_custom_field', 'filter_timeout', 'not_found', 'too_many_nodes'] as const;

const GUARDED = ['confirmation_needed', 'filter_timeout', 'forbidden'] as const;

export const FILTER_OPERATIONS: Operations = operations('filters', {
  'GET /api/v1/filters': {
    id: 'listFilters',
    summary: 'List the saved filters in reach, newest first',
    query: FILTER_LIST_QUERY,
    answers: { 200: json('All saved filters in reach.', FILTER_LIST) },
  },
  'POST /api/v1/filters': {
    id: 'createFilter',
    summary: 'Save a filter',
    body: body(NEW_FILTER),
    answers: { 201: json('The filter.', SAVED_FILTER, ['ETag', 'Location']) },
    problems: [...SAVING_PROBLEMS, 'forbidden', 'not_found'],
  },
  'GET /api/v1/filters/:id': {
    id: 'readFilter',
    summary: 'Read a filter',
    conditional: 'If-None-Match',
    answers: { 200: json('The filter.', SAVED_FILTER, ['ETag']) },
  },
  'PATCH /api/v1/filters/:id': {
    id: 'updateFilter',
    summary: 'Change a filter',
    description: 'Absent members do not change.',
    conditional: 'If-Match',
    body: body(FILTER_CHANGE, { name: 'Full disks' }),
    answers: { 200: json('The changed filter.', SAVED_FILTER, ['ETag']) },
    problems: [...SAVING_PROBLEMS, ...GUARDED],
  },
  'DELETE /api/v1/filters/:id': {
    id: 'deleteFilter',
    summary: 'Delete a filter',
    conditional: 'If-Match',
    query: FILTER_DELETION_QUERY,
    body: { ...body(FILTER_DELETION), isOptional: true },
    answers: { 200: json('The deleted filter.', SAVED_FILTER) },
    problems: ['filter_in_use', ...GUARDED],
  },
  'GET /api/v1/filters/:id/versions': {
    id: 'listFilterVersions',
    summary: 'List the versions of a filter, newest first',
    description: 'The last 100. The first is the filter as it is.',
    answers: { 200: json('The versions.', FILTER_VERSIONS) },
  },
  'POST /api/v1/filters/:id/restore': {
    id: 'restoreFilter',
    summary: 'Save an earlier version of a filter as its newest version',
    description: 'Its name, description and conditions become those of the filter.',
    conditional: 'If-Match',
    body: body(RESTORED_VERSION),
    answers: { 200: json('The changed filter.', SAVED_FILTER, ['ETag']) },
    problems: [...SAVING_PROBLEMS, ...GUARDED],
  },
  'POST /api/v1/filters/preview': {
    id: 'previewConditions',
    summary: 'Preview conditions on every organization in reach',
    body: body(PREVIEW_BODY),
    answers: { 200: PREVIEWED },
    problems: ['ambiguous_custom_field', 'filter_timeout'],
  },
  'POST /api/v1/filters/:id/preview': {
    id: 'previewFilter',
    summary: 'Preview a saved filter in the organizations that it covers',
    description: 'Needs no body; the members of a body are ignored.',
    query: PREVIEW_QUERY,
    answers: { 200: PREVIEWED },
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
    summary: 'List the fields that conditions can use, with their operators',
    answers: { 200: json('Custom fields in reach come last.', FIELD_LIST) },
  },
  'GET /api/v1/filters/parse': {
    id: 'parseFilterTextOfQuery',
    summary: 'Parse a filter text',
    query: FILTER_TEXT_QUERY,
    answers: { 200: PARSED },
    problems: ['ambiguous_custom_field'],
  },
  'POST /api/v1/filters/parse': {
    id: 'parseFilterText',
    summary: 'Parse a filter text that does not fit into a URL',
    body: body(TEXT_BODY),
    answers: { 200: PARSED },
    problems: ['ambiguous_custom_field'],
  },
  'POST /api/v1/filters/format': {
    id: 'formatConditions',
    summary: 'Write conditions as a filter text',
    body: body(CONDITIONS_BODY),
    answers: { 200: json('A text with the same meaning.', FORMATTED_TEXT) },
    problems: ['ambiguous_custom_field'],
  },
  'GET /api/v1/filters/complete': {
    id: 'completeFilterText',
    summary: 'Propose what can follow in a filter text',
    query: COMPLETION_QUERY,
    answers: { 200: json('At most 20 items. Each replaces the text between `from` and `to`.', COMPLETION) },
  },
  'POST /api/v1/filters/explain': {
    id: 'explainConditions',
    summary: 'Explain what each condition and group contributes',
    body: body(EXPLAIN_BODY, { conditions: EXAMPLE_CONDITIONS, deviceId: EXAMPLE_ID.device }),
    answers: { 200: EXPLAINED },
    problems: EXPLAIN_PROBLEMS,
  },
  'POST /api/v1/filters/:id/impact': {
    id: 'readFilterImpact',
    summary: 'Read which devices would enter and leave with other conditions',
    description: "Considers the filter's organizations that are in reach.",
    body: body(IMPACT_BODY, { q: EXAMPLE_TEXT }),
    answers: { 200: json('The devices that would enter and leave.', dataOf(IMPACT)) },
    problems: ['ambiguous_custom_field', 'filter_timeout'],
  },
  'POST /api/v1/filters/:id/explain': {
    id: 'explainFilter',
    summary: 'Explain a saved filter in the organizations that it covers',
    body: { ...body(SAVED_EXPLAIN_BODY), isOptional: true },
    answers: { 200: EXPLAINED },
    problems: EXPLAIN_PROBLEMS,
  },
});
