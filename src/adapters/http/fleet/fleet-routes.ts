/** Contract: §6, §10. */
import { Hono } from 'hono';
import { orRefuse } from '#adapters/http/answer/refusal.ts';
import { respondResult } from '#adapters/http/answer/respond.ts';
import type { RespondList } from '#adapters/http/answer/respond-list.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import {
  described,
  flag,
  oneOf,
  optional,
  readBy,
  text,
  wholeNumber,
} from '#adapters/http/read/query-parameters.ts';
import { AFTER, organization, pageSize, querySchema, readQuery } from '#adapters/http/read/read-query.ts';
import type { FleetUseCases } from '#application/fleet/fleet-use-cases.ts';
import { SEARCH_LIMIT, type SearchEverything } from '#application/search/search-everything.ts';
import { PATCH_STATUSES } from '#domain/fleet/fleet-record.ts';
import { parseSearchText } from '#domain/search/search-hit.ts';
import { ORGANIZATIONS, PATCH_PAGE, SCRIPT_PAGE, SEARCH_RESULTS, SITES, SUMMARY } from './fleet-shapes.ts';
import {
  presentOrganizations,
  presentPatchPage,
  presentScriptPage,
  presentSearchResults,
  presentSites,
  presentSummary,
} from './present-fleet.ts';

const orgId = organization('Only what belongs to this organization.');

const ORGANIZATION_QUERY = querySchema({ orgId });

const SCRIPT_LIST_QUERY = querySchema({
  search: described(
    optional(text, ''),
    'Only scripts whose name or description contains this text, in any case.',
  ),
  orgId,
  cursor: described(optional(text, null), AFTER),
  limit: pageSize,
});

const PATCH_LIST_QUERY = querySchema({
  orgId,
  status: described(
    optional(oneOf(PATCH_STATUSES), null),
    'Only patches that have this status on at least one device.',
    'pending',
  ),
  cursor: described(optional(text, null), AFTER),
  limit: pageSize,
});

const SEARCH_QUERY = querySchema({
  q: described(readBy(parseSearchText), '1 to 255 characters.', 'bay'),
  limit: described(
    optional(wholeNumber(SEARCH_LIMIT), SEARCH_LIMIT.fallback),
    'The maximum number of results.',
    10,
  ),
  match: described(
    optional(flag, false),
    'Whether each result says where the text was found, unless it is in the title.',
    true,
  ),
  approximate: described(
    optional(flag, false),
    'Whether to look for similar titles if nothing contains the text.',
    true,
  ),
  context: described(
    optional(flag, false),
    'Whether each result names its organization, and each alert its device.',
    true,
  ),
  orgId: organization('Only results that belong to this organization or its partner, and settings pages.'),
});

export const FLEET_OPERATIONS: Operations = {
  ...operations('search', {
    'GET /api/v1/search': {
      id: 'search',
      summary: 'Search devices, scripts, alerts and settings pages',
      query: SEARCH_QUERY,
      answers: { 200: json('By category, best matches first.', SEARCH_RESULTS) },
      problems: ['not_found', 'search_timeout'],
    },
  }),
  ...operations('fleet', {
    'GET /api/v1/organizations': {
      id: 'listOrganizations',
      summary: 'List the organizations in reach',
      answers: { 200: json('By name.', ORGANIZATIONS) },
      problems: ['filter_timeout'],
    },
    'GET /api/v1/sites': {
      id: 'listSites',
      summary: 'List sites',
      query: ORGANIZATION_QUERY,
      answers: { 200: json('By name.', SITES) },
      problems: ['not_found'],
    },
    'GET /api/v1/scripts': {
      id: 'listScripts',
      summary: 'List scripts by name',
      query: SCRIPT_LIST_QUERY,
      answers: { 200: json('A page of scripts. Each belongs to an organization or a partner.', SCRIPT_PAGE) },
      problems: ['invalid_cursor', 'not_found'],
    },
    'GET /api/v1/patches': {
      id: 'listPatches',
      summary: 'List patches by title, with device counts',
      query: PATCH_LIST_QUERY,
      answers: { 200: json('A page of patches.', PATCH_PAGE) },
      problems: ['filter_timeout', 'invalid_cursor', 'not_found'],
    },
    'GET /api/v1/summary': {
      id: 'summarizeFleet',
      summary: 'The fleet in a few numbers',
      query: ORGANIZATION_QUERY,
      answers: { 200: json('Numbers of devices, unless a name says otherwise.', SUMMARY) },
      problems: ['filter_timeout', 'not_found'],
    },
  }),
};

export interface FleetRoutesDeps {
  readonly fleet: FleetUseCases;
  readonly respondList: RespondList;
  readonly search: SearchEverything;
  readonly authenticate: Authenticate;
}

export function fleetRoutes({ fleet, search, respondList, authenticate }: FleetRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/search', authenticate, async (c) => {
    const query = orRefuse(readQuery(c, SEARCH_QUERY));
    return respondResult(c, await search(c.get('call'), query), presentSearchResults);
  });

  routes.get('/organizations', authenticate, async (c) =>
    respondResult(c, await fleet.listOrganizations(c.get('call')), presentOrganizations),
  );

  routes.get('/sites', authenticate, async (c) => {
    const query = orRefuse(readQuery(c, ORGANIZATION_QUERY));
    return respondResult(c, await fleet.listSites(c.get('call'), query.orgId), presentSites);
  });

  routes.get('/scripts', authenticate, (c) =>
    respondList(c, 'scripts', SCRIPT_LIST_QUERY, fleet.listScripts, presentScriptPage),
  );

  routes.get('/patches', authenticate, (c) =>
    respondList(c, 'patches', PATCH_LIST_QUERY, fleet.listPatches, presentPatchPage),
  );

  routes.get('/summary', authenticate, async (c) => {
    const query = orRefuse(readQuery(c, ORGANIZATION_QUERY));
    return respondResult(c, await fleet.summarizeFleet(c.get('call'), query.orgId), presentSummary);
  });

  return routes;
}
