/** Contract: §16. */
import { Hono } from 'hono';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import { respondDone, respondJson, respondResult } from '#adapters/http/answer/respond.ts';
import { EXAMPLE_ID } from '#adapters/http/common-shapes.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readBody } from '#adapters/http/read/read-body.ts';
import { PROVIDER_NOT_FOUND } from '#application/identity-providers/hold-provider.ts';
import type { IdentityProviderUseCases } from '#application/identity-providers/provider-use-cases.ts';
import type { IdentityProvider } from '#domain/access/identity-provider.ts';
import { idsOfOwner } from '#domain/access/ownership.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { verificationRecord } from '#domain/access/provider-domain.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import {
  NEW_PROVIDER,
  PROVIDER,
  PROVIDER_CHANGE,
  PROVIDERS,
  type Provider,
  type Providers,
} from './provider-shapes.ts';

const BY_ADMINISTRATORS = { permission: USERS_WRITE, needsFreshMfa: true } as const;

export const PROVIDER_OPERATIONS: Operations = operations('people', {
  'GET /api/v1/identity-providers': {
    id: 'listIdentityProviders',
    summary: 'List the identity providers in reach',
    permission: USERS_WRITE,
    answers: { 200: json('By name.', PROVIDERS) },
  },
  'POST /api/v1/identity-providers': {
    id: 'createIdentityProvider',
    summary: 'Set up an identity provider of an organization or a partner',
    ...BY_ADMINISTRATORS,
    body: body(NEW_PROVIDER, {
      orgId: EXAMPLE_ID.organization,
      name: 'Entra',
      issuer: 'https://login.kestrel-lane.example',
      clientId: '6731de76-14a6-49ae-97bc-6eba6914391e',
      clientSecret: 'a-secret-of-the-client',
      domains: [{ domain: 'kestrel-lane.example' }],
      provision: true,
    }),
    answers: { 201: json('The new identity provider.', PROVIDER, ['Location']) },
    problems: ['domain_taken', 'exceeds_own_rights', 'forbidden'],
  },
  'GET /api/v1/identity-providers/:id': {
    id: 'readIdentityProvider',
    summary: 'Read an identity provider',
    permission: USERS_WRITE,
    answers: { 200: json('The identity provider.', PROVIDER) },
  },
  'PATCH /api/v1/identity-providers/:id': {
    id: 'changeIdentityProvider',
    summary: 'Change an identity provider',
    ...BY_ADMINISTRATORS,
    body: body(PROVIDER_CHANGE, { trustMfa: true }),
    answers: { 200: json('The changed identity provider.', PROVIDER) },
    problems: ['domain_taken', 'exceeds_own_rights'],
  },
  'DELETE /api/v1/identity-providers/:id': {
    id: 'deleteIdentityProvider',
    summary: 'Delete an identity provider; its people stay',
    ...BY_ADMINISTRATORS,
    answers: { 204: empty('It is deleted. People without a password get a mail to set one.') },
    problems: ['exceeds_own_rights'],
  },
  'POST /api/v1/identity-providers/:id/domains/verify': {
    id: 'verifyIdentityProviderDomains',
    summary: 'Look up the DNS records of unverified domains',
    ...BY_ADMINISTRATORS,
    answers: {
      200: json('The identity provider, with the domains whose record was found verified.', PROVIDER),
    },
    problems: ['domain_taken', 'exceeds_own_rights'],
  },
});

export interface ProviderRoutesDeps {
  readonly identityProviders: IdentityProviderUseCases;
  readonly authenticate: Authenticate;
}

export function providerRoutes({ identityProviders, authenticate }: ProviderRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) =>
    respondResult(c, await identityProviders.listProviders(c.get('call')), presentProviders),
  );

  routes.post('/', authenticate, async (c) => {
    const created = orRefuse(
      await identityProviders.createProvider(c.get('call'), () => readBody(c, NEW_PROVIDER)),
    );
    const headers = { Location: `${c.req.path}/${created.id}` };
    return respondJson(c, 201, presentProvider(created), headers);
  });

  routes.get('/:id', authenticate, async (c) => {
    const id = pathId<'identity-provider'>(c, PROVIDER_NOT_FOUND);
    return respondResult(c, await identityProviders.readProvider(c.get('call'), id), presentProvider);
  });

  routes.patch('/:id', authenticate, async (c) => {
    const id = pathId<'identity-provider'>(c, PROVIDER_NOT_FOUND);
    const read = () => readBody(c, PROVIDER_CHANGE);
    return respondResult(c, await identityProviders.changeProvider(c.get('call'), id, read), presentProvider);
  });

  routes.delete('/:id', authenticate, async (c) => {
    const id = pathId<'identity-provider'>(c, PROVIDER_NOT_FOUND);
    return respondDone(c, await identityProviders.deleteProvider(c.get('call'), id));
  });

  routes.post('/:id/domains/verify', authenticate, async (c) => {
    const id = pathId<'identity-provider'>(c, PROVIDER_NOT_FOUND);
    return respondResult(c, await identityProviders.verifyDomains(c.get('call'), id), presentProvider);
  });

  return routes;
}

function presentProviders(providers: readonly IdentityProvider[]): string {
  return JSON.stringify({ data: providers.map(toProvider) } satisfies Providers);
}

function presentProvider(provider: IdentityProvider): string {
  return JSON.stringify(toProvider(provider));
}

function toProvider(provider: IdentityProvider): Provider {
  const { id, owner, name, issuer, clientId, domains, provisions, permissions } = provider;
  const { groupsClaim, groups, trustsMfa, acrValues, createdAt } = provider;
  return {
    id,
    ...idsOfOwner(owner),
    ...{ name, issuer, clientId },
    domains: domains.map(({ domain, isVerified }) => ({
      ...{ domain, verified: isVerified, record: verificationRecord(id, domain) },
    })),
    ...{ provision: provisions, permissions, groupsClaim, groups, trustMfa: trustsMfa, acrValues },
    createdAt: printInstant(createdAt),
  };
}
