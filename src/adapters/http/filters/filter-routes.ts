/** Spec: Endpoints, Saved filters; Contract: §3, §5, §11, §12. */
import { Hono } from 'hono';
import { makePiecesInTurn } from '#adapters/http/answer/piece-turns.ts';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import { respondEmpty, respondJson, respondPieces, respondResult } from '#adapters/http/answer/respond.ts';
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
    'Only filters whose name or description contains this text, in any case.',
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
  force: described(
    optional(flag, false),
    'Deletes the filter even if it has subscriptions, which then end.',
    true,
  ),
});

export interface FilterRoutesDeps {
  /** All except `resolveFilter`, which is for embedders. */
  readonly filters: Omit<FilterUseCases, 'resolveFilter'>;
  readonly authenticate: Authenticate;
}

export function filterRoutes({ filters, authenticate }: FilterRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const inTurn = makePiecesInTurn();

  routes.get('/', authenticate, async (c) => {
    const query = orRefuse(readQuery(c, FILTER_LIST_QUERY));
    const call = c.get('call');
    const pieces = presentFilters(filters.listFilters(call, query.search));
    const headers = { 'Content-Type': 'application/json' };
    return respondPieces(c, inTurn(claimantOf(call.caller), pieces), headers);
  });

  routes.post('/', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, NEW_FILTER));
    const created = orRefuse(await filters.createFilter(c.get('call'), body));
    return respondFilter(c, 201, created, { Location: `${c.req.path}/${created.id}` });
  });

  routes.post('/preview', authenticate, async (c) => {
    const { conditions, limit } = orRefuse(await readJsonObject(c));
    const preview = await filters.previewConditions(c.get('call'), { conditions, limit });
    return respondResult(c, preview, presentPreview);
  });

  routes.get('/fields', authenticate, async (c) =>
    respondJson(c, 200, presentFields(await filters.listFields(c.get('call')))),
  );

  routes.get('/parse', authenticate, async (c) => {
    const query = orRefuse(readQuery(c, FILTER_TEXT_QUERY));
    return respondResult(c, await filters.parseText(c.get('call'), query.q), presentParsedText);
  });

  routes.post('/parse', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, TEXT_BODY));
    return respondResult(c, await filters.parseText(c.get('call'), body.q), presentParsedText);
  });

  routes.post('/format', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, CONDITIONS_BODY));
    return respondResult(c, await filters.formatText(c.get('call'), body.conditions), presentText);
  });

  routes.get('/complete', authenticate, async (c) => {
    const { q, at } = orRefuse(readQuery(c, COMPLETION_QUERY));
    const completion = await filters.completeText(c.get('call'), q, at ?? q.length);
    return respondJson(c, 200, presentCompletion(completion));
  });

  routes.post('/explain', authenticate, async (c) => {
    const { conditions, q, deviceId, orgId } = orRefuse(await readJsonObject(c));
    const explained = await filters.explainConditions(c.get('call'), { conditions, q, deviceId, orgId });
    return respondResult(c, explained, presentExplanation);
  });

  // Answers 405 to other methods. Otherwise `/:id` would take these words for ids.
  for (const path of ['/preview', '/explain', '/fields', '/parse', '/format', '/complete']) {
    routes.all(path, (c) => c.notFound());
  }

  routes.get('/:id', authenticate, async (c) => {
    const id = pathId<'filter'>(c, FILTER_NOT_FOUND);
    const found = orRefuse(await filters.readFilter(c.get('call'), id));
    return isNotModified(c.req.raw.headers.get('if-none-match'), found)
      ? respondEmpty(c, 304, { ETag: entityTagOf(found) })
      : respondFilter(c, 200, found);
  });

  routes.patch('/:id', authenticate, async (c) => {
    const id = pathId<'filter'>(c, FILTER_NOT_FOUND);
    const body = orRefuse(await readBody(c, FILTER_CHANGE));
    const ifMatch = c.req.raw.headers.get('if-match');
    const updated = await filters.updateFilter(c.get('call'), id, body, parseIfMatch(ifMatch));
    return respondFilter(c, 200, orRefuse(explainIfMatch(updated, ifMatch)));
  });

  routes.delete('/:id', authenticate, async (c) => {
    const id = pathId<'filter'>(c, FILTER_NOT_FOUND);
    const ifMatch = c.req.raw.headers.get('if-match');
    const query = orRefuse(readQuery(c, FILTER_DELETION_QUERY));
    const body = orRefuse(await readOptionalJsonObject(c));
    const options = { isForced: query.force, confirm: body.confirm };
    const deleted = await filters.deleteFilter(c.get('call'), id, parseIfMatch(ifMatch), options);
    // No ETag: a deleted filter has no version.
    return respondResult(c, explainIfMatch(deleted, ifMatch), presentFilter);
  });

  routes.get('/:id/versions', authenticate, async (c) => {
    const id = pathId<'filter'>(c, FILTER_NOT_FOUND);
    const call = c.get('call');
    const versions = orRefuse(await filters.listFilterVersions(call, id));
    const pieces = inTurn(claimantOf(call.caller), presentVersions(versions));
    return respondPieces(c, pieces, { 'Content-Type': 'application/json' });
  });

  routes.post('/:id/restore', authenticate, async (c) => {
    const id = pathId<'filter'>(c, FILTER_NOT_FOUND);
    const body = orRefuse(await readBody(c, RESTORED_VERSION));
    const ifMatch = c.req.raw.headers.get('if-match');
    const restored = await filters.restoreFilter(
      c.get('call'),
      id,
      body.version,
      parseIfMatch(ifMatch),
      body.confirm,
    );
    return respondFilter(c, 200, orRefuse(explainIfMatch(restored, ifMatch)));
  });

  routes.post('/:id/preview', authenticate, async (c) => {
    const id = pathId<'filter'>(c, FILTER_NOT_FOUND);
    const query = orRefuse(readQuery(c, PREVIEW_QUERY));
    // The body has no members to read, but it must be JSON.
    orRefuse(await readOptionalJsonObject(c));
    const preview = await filters.previewFilter(c.get('call'), id, query.limit);
    return respondResult(c, preview, presentPreview);
  });

  routes.post('/:id/impact', authenticate, async (c) => {
    const id = pathId<'filter'>(c, FILTER_NOT_FOUND);
    const body = orRefuse(await readBody(c, IMPACT_BODY));
    return respondResult(c, await filters.readFilterImpact(c.get('call'), id, body), presentImpact);
  });

  routes.post('/:id/explain', authenticate, async (c) => {
    const id = pathId<'filter'>(c, FILTER_NOT_FOUND);
    const { deviceId } = orRefuse(await readOptionalJsonObject(c));
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
