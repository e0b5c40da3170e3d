/** The routes under `/api/v1/filters` (Spec: Endpoints, Saved filters; Contract: §3, §5, §11, §12). */
import { Hono } from 'hono';
import { makePiecesInTurn } from '#adapters/http/answer/piece-turns.ts';
import {
  respondEmpty,
  respondJson,
  respondPieces,
  respondProblem,
  respondResult,
} from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { entityTagOf, explainIfMatch, isNotModified, parseIfMatch } from '#adapters/http/read/entity-tag.ts';
import { described, flag, optional, text, wholeNumber } from '#adapters/http/read/query-parameters.ts';
import { readBody, readJsonObject, readOptionalJsonObject } from '#adapters/http/read/read-body.ts';
import { FAR_BEYOND, querySchema, readQuery } from '#adapters/http/read/read-query.ts';
import { claimantOf } from '#application/admission/request-budgets.ts';
import { FILTER_NOT_FOUND } from '#application/application-error.ts';
import { PREVIEW_LIMIT } from '#application/filters/filter-input.ts';
import type { FilterUseCases } from '#application/filters/filter-use-cases.ts';
import type { NamedFilter } from '#application/filters/saved/name-creator.ts';
import { parseId } from '#domain/ids.ts';
import {
  CONDITIONS_BODY,
  EXAMPLE_TEXT,
  FILTER_CHANGE,
  NEW_FILTER,
  RESTORED_VERSION,
  TEXT_BODY,
} from './filter-shapes.ts';
import { IMPACT_BODY } from './impact-shapes.ts';
import {
  presentCompletion,
  presentExplanation,
  presentFields,
  presentFilter,
  presentFilters,
  presentParsedText,
  presentPreview,
  presentText,
  presentVersions,
} from './present-filters.ts';
import { presentImpact } from './present-impact.ts';

export const FILTER_LIST_QUERY = querySchema({
  search: described(
    optional(text, ''),
    'Only filters whose name or description contains it, in any case.',
    'disk',
  ),
});

const Q_TEXT = 'A filter as a line of text.';

export const FILTER_TEXT_QUERY = querySchema({ q: described(text, Q_TEXT, EXAMPLE_TEXT) });

export const COMPLETION_QUERY = querySchema({
  q: described(text, Q_TEXT, 'os:win'),
  at: described(
    optional(wholeNumber(FAR_BEYOND), null),
    'The place of the cursor, in UTF-16 code units; by default the end.',
    6,
  ),
});

export const PREVIEW_QUERY = querySchema({
  limit: described(
    optional(wholeNumber(PREVIEW_LIMIT), PREVIEW_LIMIT.fallback),
    'The number of devices in the answer.',
    10,
  ),
});

export const FILTER_DELETION_QUERY = querySchema({
  force: described(optional(flag, false), 'Whether subscriptions to the filter end with it.', true),
});

export interface FilterRoutesDeps {
  /** `resolveFilter` is for embedders. */
  readonly filters: Omit<FilterUseCases, 'resolveFilter'>;
  readonly authenticate: Authenticate;
}

export function filterRoutes({ filters, authenticate }: FilterRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const inTurn = makePiecesInTurn();

  routes.get('/', authenticate, async (c) => {
    const query = readQuery(c, FILTER_LIST_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const call = c.get('call');
    const pieces = presentFilters(filters.listFilters(call, query.value.search));
    const headers = { 'Content-Type': 'application/json' };
    return respondPieces(c, inTurn(claimantOf(call.caller), pieces), headers);
  });

  routes.post('/', authenticate, async (c) => {
    const body = await readBody(c, NEW_FILTER);
    if (!body.ok) return respondProblem(c, body.error);
    const created = await filters.createFilter(c.get('call'), body.value);
    if (!created.ok) return respondProblem(c, created.error);
    return respondFilter(c, 201, created.value, { Location: `${c.req.path}/${created.value.id}` });
  });

  routes.post('/preview', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { conditions, limit } = body.value;
    const preview = await filters.previewConditions(c.get('call'), { conditions, limit });
    return respondResult(c, preview, presentPreview);
  });

  routes.get('/fields', authenticate, async (c) =>
    respondJson(c, 200, presentFields(await filters.listFields(c.get('call')))),
  );

  routes.get('/parse', authenticate, async (c) => {
    const query = readQuery(c, FILTER_TEXT_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    return respondResult(c, await filters.parseText(c.get('call'), query.value.q), presentParsedText);
  });

  routes.post('/parse', authenticate, async (c) => {
    const body = await readBody(c, TEXT_BODY);
    if (!body.ok) return respondProblem(c, body.error);
    return respondResult(c, await filters.parseText(c.get('call'), body.value.q), presentParsedText);
  });

  routes.post('/format', authenticate, async (c) => {
    const body = await readBody(c, CONDITIONS_BODY);
    if (!body.ok) return respondProblem(c, body.error);
    return respondResult(c, await filters.formatText(c.get('call'), body.value.conditions), presentText);
  });

  routes.get('/complete', authenticate, async (c) => {
    const query = readQuery(c, COMPLETION_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const { q, at } = query.value;
    const completion = await filters.completeText(c.get('call'), q, at ?? q.length);
    return respondJson(c, 200, presentCompletion(completion));
  });

  routes.post('/explain', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { conditions, q, deviceId, orgId } = body.value;
    const explained = await filters.explainConditions(c.get('call'), { conditions, q, deviceId, orgId });
    return respondResult(c, explained, presentExplanation);
  });

  // Answers other methods with 405. Otherwise the words would be taken for ids.
  for (const path of ['/preview', '/explain', '/fields', '/parse', '/format', '/complete']) {
    routes.all(path, (c) => c.notFound());
  }

  routes.get('/:id', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const found = await filters.readFilter(c.get('call'), id);
    if (!found.ok) return respondProblem(c, found.error);
    return isNotModified(c.req.raw.headers.get('if-none-match'), found.value)
      ? respondEmpty(c, 304, { ETag: entityTagOf(found.value) })
      : respondFilter(c, 200, found.value);
  });

  routes.patch('/:id', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const body = await readBody(c, FILTER_CHANGE);
    if (!body.ok) return respondProblem(c, body.error);
    const ifMatch = c.req.raw.headers.get('if-match');
    const updated = await filters.updateFilter(c.get('call'), id, body.value, parseIfMatch(ifMatch));
    return updated.ok
      ? respondFilter(c, 200, updated.value)
      : respondProblem(c, explainIfMatch(updated.error, ifMatch));
  });

  routes.delete('/:id', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const ifMatch = c.req.raw.headers.get('if-match');
    const query = readQuery(c, FILTER_DELETION_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const body = await readOptionalJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const options = { isForced: query.value.force, confirm: body.value.confirm };
    const deleted = await filters.deleteFilter(c.get('call'), id, parseIfMatch(ifMatch), options);
    // A deleted filter has no version, so there is no ETag.
    return deleted.ok
      ? respondJson(c, 200, presentFilter(deleted.value))
      : respondProblem(c, explainIfMatch(deleted.error, ifMatch));
  });

  routes.get('/:id/versions', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const call = c.get('call');
    const versions = await filters.listFilterVersions(call, id);
    if (!versions.ok) return respondProblem(c, versions.error);
    const pieces = inTurn(claimantOf(call.caller), presentVersions(versions.value));
    return respondPieces(c, pieces, { 'Content-Type': 'application/json' });
  });

  routes.post('/:id/restore', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const body = await readBody(c, RESTORED_VERSION);
    if (!body.ok) return respondProblem(c, body.error);
    const ifMatch = c.req.raw.headers.get('if-match');
    const restored = await filters.restoreFilter(
      c.get('call'),
      id,
      body.value.version,
      parseIfMatch(ifMatch),
      body.value.confirm,
    );
    return restored.ok
      ? respondFilter(c, 200, restored.value)
      : respondProblem(c, explainIfMatch(restored.error, ifMatch));
  });

  routes.post('/:id/preview', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const query = readQuery(c, PREVIEW_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    // No member is read, but a body must be JSON.
    const body = await readOptionalJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const preview = await filters.previewFilter(c.get('call'), id, query.value.limit);
    return respondResult(c, preview, presentPreview);
  });

  routes.post('/:id/impact', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const body = await readBody(c, IMPACT_BODY);
    if (!body.ok) return respondProblem(c, body.error);
    return respondResult(c, await filters.readFilterImpact(c.get('call'), id, body.value), presentImpact);
  });

  routes.post('/:id/explain', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const body = await readOptionalJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { deviceId } = body.value;
    return respondResult(c, await filters.explainFilter(c.get('call'), id, { deviceId }), presentExplanation);
  });

  return routes;
}

function respondFilter(
  c: HttpContext,
  status: 200 | 201,
  filter: NamedFilter,
  headers?: Readonly<Record<string, string>>,
): Response {
  return respondJson(c, status, presentFilter(filter), { ETag: entityTagOf(filter), ...headers });
}
