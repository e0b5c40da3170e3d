/** Contract: §16. */
import { Hono } from 'hono';
import { pathId } from '#adapters/http/answer/refusal.ts';
import { respondDone, respondResult } from '#adapters/http/answer/respond.ts';
import type { Shape } from '#adapters/http/common-shapes.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readBody } from '#adapters/http/read/read-body.ts';
import { NOT_FOUND } from '#application/fleet/manage-tenants.ts';
import type { TenantUseCases } from '#application/fleet/tenant-use-cases.ts';
import type { Place, PlaceKind } from '#application/ports/fleet/tenant-directory.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { ok } from '#domain/result.ts';
import { NAME, NEW_SITE, NEW_TENANT, PARTNER, PARTNERS, SITE, TENANT } from './tenant-shapes.ts';

const BY_ADMINISTRATORS = { permission: USERS_WRITE, needsFreshMfa: true } as const;

export const TENANT_OPERATIONS: Operations = operations('fleet', {
  'POST /api/v1/organizations': {
    id: 'createOrganization',
    summary: 'Create an organization of a partner',
    ...BY_ADMINISTRATORS,
    body: body(NEW_TENANT),
    answers: { 201: json('The new organization.', TENANT) },
    problems: ['name_taken'],
  },
  'PATCH /api/v1/organizations/:id': {
    id: 'renameOrganization',
    summary: 'Rename an organization',
    ...BY_ADMINISTRATORS,
    body: body(NAME),
    answers: { 200: json('The renamed organization.', TENANT) },
    problems: ['name_taken'],
  },
  'DELETE /api/v1/organizations/:id': {
    id: 'deleteOrganization',
    summary: 'Delete an organization that has no devices, people or filters',
    ...BY_ADMINISTRATORS,
    answers: { 204: empty('It is deleted, with its sites, keys and custom fields.') },
    problems: ['not_empty'],
  },
  'GET /api/v1/partners': {
    id: 'listPartners',
    summary: 'List the partners',
    permission: USERS_WRITE,
    answers: { 200: json('By name.', PARTNERS) },
  },
  'POST /api/v1/partners': {
    id: 'createPartner',
    summary: 'Create a partner',
    ...BY_ADMINISTRATORS,
    body: body(NAME),
    answers: { 201: json('The new partner.', PARTNER) },
    problems: ['name_taken'],
  },
  'PATCH /api/v1/partners/:id': {
    id: 'renamePartner',
    summary: 'Rename a partner',
    ...BY_ADMINISTRATORS,
    body: body(NAME),
    answers: { 200: json('The renamed partner.', PARTNER) },
    problems: ['name_taken'],
  },
  'POST /api/v1/sites': {
    id: 'createSite',
    summary: 'Create a site of an organization',
    ...BY_ADMINISTRATORS,
    body: body(NEW_SITE),
    answers: { 201: json('The new site.', SITE) },
    problems: ['name_taken'],
  },
  'PATCH /api/v1/sites/:id': {
    id: 'renameSite',
    summary: 'Rename a site',
    ...BY_ADMINISTRATORS,
    body: body(NAME),
    answers: { 200: json('The renamed site.', SITE) },
    problems: ['name_taken'],
  },
  'DELETE /api/v1/sites/:id': {
    id: 'deleteSite',
    summary: 'Delete a site; its devices stay, without a site',
    ...BY_ADMINISTRATORS,
    answers: { 204: empty('It is deleted.') },
  },
});

const PATHS = { partner: '/partners', organization: '/organizations', site: '/sites' } as const;

export interface TenantRoutesDeps {
  readonly tenants: TenantUseCases;
  readonly authenticate: Authenticate;
}

export function tenantRoutes({ tenants, authenticate }: TenantRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/partners', authenticate, async (c) =>
    respondResult(c, await tenants.listPartners(c.get('call')), (partners) =>
      JSON.stringify({ data: partners.map((partner) => toPartner(partner)) } satisfies Shape<
        typeof PARTNERS
      >),
    ),
  );

  for (const kind of Object.keys(PATHS) as PlaceKind[]) {
    routes.post(PATHS[kind], authenticate, async (c) => {
      const created = await tenants.createPlace(c.get('call'), kind, () => readNew(c, kind));
      return respondResult(c, created, (place) => present(kind, place), 201);
    });

    routes.patch(`${PATHS[kind]}/:id`, authenticate, async (c) => {
      const placeId = pathId(c, NOT_FOUND[kind]);
      const renamed = await tenants.renamePlace(c.get('call'), kind, placeId, () => readBody(c, NAME));
      return respondResult(c, renamed, (place) => present(kind, place));
    });

    if (kind === 'partner') continue;
    routes.delete(`${PATHS[kind]}/:id`, authenticate, async (c) => {
      const placeId = pathId(c, NOT_FOUND[kind]);
      return respondDone(c, await tenants.deletePlace(c.get('call'), kind, placeId));
    });
  }

  return routes;
}

async function readNew(c: HttpContext, kind: PlaceKind) {
  if (kind === 'partner') return readBody(c, NAME);
  if (kind === 'site') {
    const sent = await readBody(c, NEW_SITE);
    return sent.ok ? ok({ name: sent.value.name, parentId: sent.value.orgId }) : sent;
  }
  const sent = await readBody(c, NEW_TENANT);
  return sent.ok ? ok({ name: sent.value.name, parentId: sent.value.partnerId }) : sent;
}

function present(kind: PlaceKind, place: Place): string {
  const { parentId } = place;
  if (kind === 'partner') return JSON.stringify(toPartner(place));
  const { id: placeId, name: placeName } = place;
  return JSON.stringify(
    kind === 'site'
      ? ({ id: placeId, orgId: parentId ?? '', name: placeName } satisfies Shape<typeof SITE>)
      : ({ id: placeId, partnerId: parentId ?? '', name: placeName } satisfies Shape<typeof TENANT>),
  );
}

function toPartner({ id: partnerId, name: partnerName }: Pick<Place, 'id' | 'name'>): Shape<typeof PARTNER> {
  return { id: partnerId, name: partnerName };
}
