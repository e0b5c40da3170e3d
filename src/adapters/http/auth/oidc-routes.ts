/**
 * Sign-in at an identity provider, under `/api/v1/auth` (Contract: §16). The browser navigates to these addresses, so a
 * page explains failures.
 */
import { Hono, type MiddlewareHandler } from 'hono';
import type { Admission } from '#adapters/http/admission/admit-requests.ts';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import {
  type ExtraHeaders,
  respondDone,
  respondJson,
  respondProblem,
  respondRedirect,
  respondResult,
} from '#adapters/http/answer/respond.ts';
import { EXAMPLE_ID } from '#adapters/http/common-shapes.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import { empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { FindPages } from '#adapters/http/pages.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import type { FindClientAddress } from '#adapters/http/read/client-address.ts';
import type { OwnOrigin } from '#adapters/http/read/own-origin.ts';
import { described, flag, idOf, optional, text } from '#adapters/http/read/query-parameters.ts';
import { querySchema, readQuery } from '#adapters/http/read/read-query.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import type { ProviderProblem } from '#application/auth/providers/provider-visit.ts';
import type { Call } from '#application/call.ts';
import { PROVIDER_NOT_FOUND } from '#application/identity-providers/hold-provider.ts';
import type { CallbackAddresses } from '#application/ports/auth/openid-providers.ts';
import type { PersonsProvider } from '#application/ports/auth/stores/identity-provider-store.ts';
import { PROVIDER_VISIT_MS } from '#domain/access/identity-provider.ts';
import type { IdentityProviderId } from '#domain/ids.ts';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';
import { OWN_PROVIDERS, type OwnProviders, VISIT, type VisitStart } from './oidc-shapes.ts';
import { printSessionCookie, readCookies, visitors } from './sign-in-routes.ts';

const START_QUERY = querySchema({
  email: described(
    optional(text, null),
    "Finds the provider by the email's verified domain.",
    'mei@kestrel-lane.example',
  ),
  provider: described(
    optional(idOf<'identity-provider'>(), null),
    'The id of the provider, instead of the email.',
    EXAMPLE_ID.other,
  ),
  next: described(optional(text, null), 'The page of the console to open afterward.', '/devices'),
  link: described(
    optional(flag, false),
    "Whether to link the caller's account; needs an access token with fresh MFA.",
  ),
  fresh: described(optional(flag, false), 'Whether the provider must make the person sign in again.'),
});

const BACK = empty(
  'To `next` with a session cookie, or to a page that explains the `problem` in its query.',
  ['Location', 'Set-Cookie'],
);

export const OIDC_OPERATIONS: Operations = operations('session', {
  'GET /api/v1/auth/oidc/start': {
    id: 'startProviderSignIn',
    summary: 'Go to an identity provider to sign in, or to link the account',
    description:
      'For a browser. With `Accept: application/json` the body has the address, because a page that sends an access token cannot follow the redirect.',
    asker: 'visitor',
    query: START_QUERY,
    answers: {
      200: json('With `Accept: application/json`.', VISIT, ['Set-Cookie']),
      302: empty('To the provider, or to a page that explains the `problem` in its query.', [
        'Location',
        'Set-Cookie',
      ]),
    },
    problems: [
      'ambiguous_credentials',
      'forbidden',
      'mfa_enrollment_required',
      'mfa_not_possible',
      'mfa_required',
      'unauthenticated',
    ],
  },
  'GET /api/v1/auth/oidc/callback': {
    id: 'finishProviderSignIn',
    summary: 'Return from a provider that names itself (RFC 9207)',
    asker: 'visitor',
    answers: { 302: BACK },
  },
  'GET /api/v1/auth/oidc/callback/:id': {
    id: 'finishSignInAtProvider',
    summary: 'Return from a provider that does not name itself',
    asker: 'visitor',
    answers: { 302: BACK },
  },
  'GET /api/v1/auth/identity-providers': {
    id: 'listOwnIdentityProviders',
    summary: 'List the identity providers that the caller signs in with or can link',
    answers: { 200: json('By name.', OWN_PROVIDERS) },
    problems: ['forbidden'],
  },
  'DELETE /api/v1/auth/identity-providers/:id': {
    id: 'unlinkIdentityProvider',
    summary: "Unlink the caller's account from an identity provider",
    needsFreshMfa: true,
    answers: { 204: empty('The provider no longer signs in the caller.') },
    problems: ['conflict', 'forbidden'],
  },
});

export interface OidcRoutesDeps {
  readonly auth: AuthUseCases;
  readonly findClientAddress: FindClientAddress;
  readonly admission: Admission;
  readonly authenticate: Authenticate;
  readonly ownOrigin: OwnOrigin;
  readonly findPages?: FindPages;
  readonly basePath: string;
}

const PATH = '/api/v1/auth/oidc';

export function oidcRoutes(deps: OidcRoutesDeps): Hono<HttpEnv> {
  const { auth, authenticate, ownOrigin, findPages, basePath } = deps;
  const { visitOf, admitVisitor } = visitors(deps);
  const routes = new Hono<HttpEnv>();
  const authenticateLinker = authenticate as unknown as MiddlewareHandler<HttpEnv>;

  const originOf = (c: HttpContext) => ownOrigin.relyingPartyOf(c).origin;
  const callbacksAt =
    (c: HttpContext) =>
    (id: IdentityProviderId): CallbackAddresses => {
      const shared = `${originOf(c)}${basePath}${PATH}/callback`;
      return { shared, own: `${shared}/${id}` };
    };
  /** Returns null unless the address is a page of the console, so a sign-in never redirects to another site. */
  const ownPage = (address: string | null): string | null => {
    const isShort = address !== null && address.length <= LONGEST_NEXT;
    const url = isShort && address.startsWith('/') ? URL.parse(address, ANY_ORIGIN) : null;
    if (url === null || url.origin !== ANY_ORIGIN) return null;
    // `/.//host` resolves to `//host`, which browsers take for another host.
    const page = url.pathname.startsWith('//') ? null : (findPages?.()?.find(url.pathname, false) ?? null);
    return page?.status === 200 ? `${url.pathname}${url.search}${url.hash}` : null;
  };
  const go = (c: HttpContext, location: string, cookie?: string): Response => {
    const headers: ExtraHeaders = cookie === undefined ? {} : { 'Set-Cookie': cookie };
    if (!/\bapplication\/json\b/.test(c.req.header('accept') ?? ''))
      return respondRedirect(c, location, headers);
    const address = location.startsWith('/') ? `${basePath}${location}` : location;
    return respondJson(c, 200, JSON.stringify({ location: address } satisfies VisitStart), headers);
  };
  const explain = (
    c: HttpContext,
    isLinking: boolean,
    problem: ProviderProblem,
    next: string | null,
  ): Response => {
    const query = new URLSearchParams({ problem, request: c.get('requestId') });
    if (next !== null && !isLinking) query.set('next', next);
    const page = isLinking ? '/settings/security' : '/login';
    return go(c, `${page}?${query}`);
  };

  routes.get(
    '/oidc/start',
    (c, next) => (c.req.query('link') === 'true' ? authenticateLinker(c, next) : admitVisitor(c, next)),
    async (c) => {
      const query = orRefuse(readQuery(c, START_QUERY));
      const { email, provider, fresh: isFresh, link: isLinking } = query;
      const next = ownPage(query.next);
      const call: Call | null = c.get('call') ?? null;
      const begun = await auth.visitProvider(
        call ?? visitOf(c),
        call,
        { email, provider, next, isFresh },
        callbacksAt(c),
      );
      if (!begun.ok) {
        const refusal = begun.error;
        return 'problem' in refusal
          ? explain(c, isLinking, refusal.problem, next)
          : respondProblem(c, refusal);
      }
      const { location, sealed } = begun.value;
      const maxAge = PROVIDER_VISIT_MS / 1_000;
      // The browser returns from another site, so the cookie cannot be `Strict`.
      const attributes = `Path=${basePath}${PATH}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
      const cookie = `${COOKIE}=${sealed}; ${attributes}${ownOrigin.isSecure(c) ? '; Secure' : ''}`;
      return go(c, location, cookie);
    },
  );

  const finish = async (c: HttpContext & Parameters<typeof visitOf>[0]) => {
    const sent = new URL(c.req.url);
    const [sealed = null, ...others] = readCookies(c, COOKIE);
    const { next, isLinking, outcome } = await auth.finishVisit(
      visitOf(c),
      {
        // With several cookies, a neighboring host may have set one, so none is used.
        sealed: others.length === 0 ? sealed : null,
        state: sent.searchParams.get('state'),
        address: `${originOf(c)}${basePath}${c.req.path}${sent.search}`,
      },
      callbacksAt(c),
      'cookie',
    );
    if (!outcome.ok) return explain(c, isLinking, outcome.error, next);
    if (outcome.value === null) return go(c, next ?? '/settings/security');
    const { refreshToken, refreshExpiresIn } = outcome.value;
    return go(
      c,
      next ?? '/',
      printSessionCookie(basePath, ownOrigin.isSecure(c), refreshToken, refreshExpiresIn),
    );
  };
  routes.get('/oidc/callback', admitVisitor, finish);
  routes.get('/oidc/callback/:id', admitVisitor, finish);

  routes.get('/identity-providers', authenticate, async (c) =>
    respondResult(c, await auth.listOwnProviders(c.get('call')), presentOwnProviders),
  );

  routes.delete('/identity-providers/:id', authenticate, async (c) => {
    const id = pathId<'identity-provider'>(c, PROVIDER_NOT_FOUND);
    return respondDone(c, await auth.unlinkProvider(c.get('call'), id));
  });

  return routes;
}

const COOKIE = 'fleetsift_provider';

const ANY_ORIGIN = 'https://console.invalid';

/** In UTF-16 code units. `next` is stored in a cookie, which browsers limit to 4,096 bytes. */
const LONGEST_NEXT = 1_500;

function presentOwnProviders(providers: readonly PersonsProvider[]): string {
  const data = providers.map(({ provider: { id, name }, identity }) => ({
    ...{ id, name },
    linkedAt: identity === null ? null : printInstant(identity.createdAt),
    lastSignInAt: printInstantOrNull(identity?.lastSignInAt ?? null),
    permanent: identity?.isMade ?? false,
  }));
  return JSON.stringify({ data } satisfies OwnProviders);
}
