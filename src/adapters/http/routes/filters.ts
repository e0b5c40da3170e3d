/** The routes under `/api/v1/filters` (Spec: Endpoints, Saved filters; Contract: §3, §5, §11). */
import { Hono } from 'hono';
import { makePiecesInTurn } from '#adapters/http/answer/piece-turns.ts';
import {
  respondEmpty,
  respondJson,
  respondJsonPieces,
  respondProblem,
  respondResult,
} from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import {
  presentCompletion,
  presentParsedText,
  presentText,
} from '#adapters/http/present/present-filter-text.ts';
import {
  presentFields,
  presentFilter,
  presentFilters,
  presentPreview,
} from '#adapters/http/present/present-filters.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { entityTagOf, explainIfMatch, isNotModified, parseIfMatch } from '#adapters/http/read/entity-tag.ts';
import { readJsonObject, readOptionalJsonObject } from '#adapters/http/read/read-body.ts';
import { readQuery } from '#adapters/http/read/read-query.ts';
import {
  COMPLETION_QUERY,
  FILTER_LIST_QUERY,
  FILTER_TEXT_QUERY,
  PREVIEW_QUERY,
} from '#adapters/http/schemas/queries.ts';
import { claimantOf } from '#application/admission/claimant-of.ts';
import { FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { FilterUseCases } from '#application/filters/filter-use-cases.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import { parseId } from '#domain/ids.ts';
import { filterExplainRoutes } from './filter-explain.ts';

/** Every use case except `resolveFilter`, which is for embedders. */
export type FilterRouteUseCases = Omit<FilterUseCases, 'resolveFilter'>;

/** The use cases behind the routes, and the middleware in front of them. */
export interface FilterRoutesDeps {
  readonly filters: FilterRouteUseCases;
  readonly authenticate: Authenticate;
}

/** The routes of saved filters and the list of fields, relative to `/api/v1/filters`. */
export function filterRoutes({ filters, authenticate }: FilterRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const inTurn = makePiecesInTurn();

  routes.route('/', filterExplainRoutes({ filters, authenticate }));

  routes.get('/', authenticate, async (c) => {
    const query = readQuery(c, FILTER_LIST_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const call = c.get('call');
    const pieces = presentFilters(filters.listFilters(call, query.value.search));
    return respondJsonPieces(c, inTurn(claimantOf(call.caller), pieces));
  });

  routes.post('/', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { name, description, conditions, orgId } = body.value;
    const created = await filters.createFilter(c.get('call'), { name, description, conditions, orgId });
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
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    return respondResult(c, await filters.parseText(c.get('call'), body.value.q), presentParsedText);
  });

  routes.post('/format', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    return respondResult(c, await filters.formatText(c.get('call'), body.value.conditions), presentText);
  });

  routes.get('/complete', authenticate, async (c) => {
    const query = readQuery(c, COMPLETION_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const { q, at } = query.value;
    return respondJson(
      c,
      200,
      presentCompletion(await filters.completeText(c.get('call'), q, at ?? q.length)),
    );
  });

  // Other methods on these are 405; without this they would be taken for the id of a filter.
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
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { name, description, conditions } = body.value;
    const ifMatch = c.req.raw.headers.get('if-match');
    const updated = await filters.updateFilter(
      c.get('call'),
      id,
      { name, description, conditions },
      parseIfMatch(ifMatch),
    );
    return updated.ok
      ? respondFilter(c, 200, updated.value)
      : respondProblem(c, explainIfMatch(updated.error, ifMatch));
  });

  routes.delete('/:id', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const ifMatch = c.req.raw.headers.get('if-match');
    const deleted = await filters.deleteFilter(c.get('call'), id, parseIfMatch(ifMatch));
    // A deleted filter has no current version, hence no ETag.
    return deleted.ok
      ? respondJson(c, 200, presentFilter(deleted.value))
      : respondProblem(c, explainIfMatch(deleted.error, ifMatch));
  });

  routes.post('/:id/preview', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const query = readQuery(c, PREVIEW_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    // None is needed, and no member has a meaning.
    const body = await readOptionalJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const preview = await filters.previewFilter(c.get('call'), id, query.value.limit);
    return respondResult(c, preview, presentPreview);
  });

  return routes;
}

function respondFilter(
  c: HttpContext,
  status: 200 | 201,
  filter: SavedFilter,
  headers?: Readonly<Record<string, string>>,
): Response {
  return respondJson(c, status, presentFilter(filter), { ETag: entityTagOf(filter), ...headers });
}
