import { LRUCache } from 'lru-cache';
import * as openid from 'openid-client';
import type { OpenIdClient, OpenIdFault, OpenIdProviders } from '#application/ports/auth/openid-providers.ts';
import type { IdTokenClaims } from '#domain/access/id-token.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Sends a request to the provider. Rejects after 10 s. */
export type AskProvider = (
  url: string,
  request: {
    readonly method: 'GET' | 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  },
) => Promise<{ readonly status: number; readonly headers: Headers; readonly body: Uint8Array }>;

export interface OpenIdDeps {
  readonly ask: AskProvider;
  /** Also allows http (Contract: §17, OUTBOUND_PRIVATE). */
  readonly allowsInsecure: boolean;
}

/**
 * Metadata is cached this long. The library caches keys with it for five minutes, and fetches them again for an
 * unknown key, but at most once a minute.
 */
const METADATA_MS = 10 * 60_000;

/** In characters of JSON, metadata and keys together. Once parsed, hostile JSON takes twenty times as much memory. */
const CACHED_LENGTH = 2_000_000;
const LONGEST_CACHED = 200_000;

/** Providers choose their error codes, so the length is limited. */
const LONGEST_REASON = 300;

/** The maximum number of sign-ins in progress per issuer. Limits the memory and sockets that a slow issuer uses. */
const MOST_WAITING = 32;

export function makeOpenIdProviders({ ask, allowsInsecure }: OpenIdDeps): OpenIdProviders {
  const known = new LRUCache<string, openid.Configuration>({
    ttl: METADATA_MS,
    maxSize: CACHED_LENGTH,
    maxEntrySize: LONGEST_CACHED,
    sizeCalculation: lengthOf,
  });
  const waiting = new Map<string, number>();

  async function attempt<T>(
    { issuer }: OpenIdClient,
    work: () => Promise<T>,
  ): Promise<Result<T, OpenIdFault>> {
    const others = waiting.get(issuer) ?? 0;
    if (others >= MOST_WAITING) return err({ kind: 'unreachable', reason: 'too many sign-ins wait for it' });
    waiting.set(issuer, others + 1);
    try {
      return ok(await work());
    } catch (error) {
      const { kind, reason } = explain(error);
      return err({ kind, reason: reason.slice(0, LONGEST_REASON) });
    } finally {
      const left = (waiting.get(issuer) ?? 1) - 1;
      if (left === 0) waiting.delete(issuer);
      else waiting.set(issuer, left);
    }
  }

  const fetchFrom: openid.CustomFetch = async (url, { method, headers, body }) => {
    const answer = await ask(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body != null && { body: String(body) }),
    });
    const isEmpty = answer.status === 204 || answer.status === 304;
    return new Response(isEmpty ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  };

  async function discover(client: OpenIdClient): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = client;
    const found = known.get(keyOf(client));
    if (found !== undefined) return found;
    const config = await openid.discovery(
      new URL(issuer),
      clientId,
      undefined,
      authenticateBy(clientSecret),
      {
        [openid.customFetch]: fetchFrom,
        // Without these checks, the library trusts the connection and verifies no signature.
        execute: [
          openid.enableNonRepudiationChecks,
          ...(allowsInsecure ? [openid.allowInsecureRequests] : []),
        ],
      },
    );
    known.set(keyOf(client), config);
    return config;
  }

  /** Counts the keys too, which the library adds to the configuration at a sign-in. */
  function measureAgain(client: OpenIdClient, config: openid.Configuration): void {
    const ttl = known.getRemainingTTL(keyOf(client));
    if (known.delete(keyOf(client)) && ttl > 0) known.set(keyOf(client), config, { ttl });
  }

  return {
    newSecrets: () => ({
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      codeVerifier: openid.randomPKCECodeVerifier(),
    }),

    start: (client, { state, nonce, codeVerifier, isFresh, loginHint }) =>
      attempt(client, async () => {
        const config = await discover(client);
        const url = openid.buildAuthorizationUrl(config, {
          response_type: 'code',
          redirect_uri: redirectUriOf(config, client),
          scope: scopeFor(config),
          ...{ state, nonce },
          code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(isFresh && { max_age: '0' }),
          ...(loginHint !== null && { login_hint: loginHint }),
        });
        return url.href;
      }),

    finish: (client, { state, nonce, codeVerifier, address }) =>
      attempt(client, async () => {
        const config = await discover(client);
        const { origin, pathname } = new URL(address);
        if (origin + pathname !== redirectUriOf(config, client)) {
          throw new Error('the answer came to the address of another provider');
        }
        const granted = openid.authorizationCodeGrant(config, new URL(address), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const tokens = await granted.finally(() => measureAgain(client, config));
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('the answer has no ID token');
        const hasInformation = config.serverMetadata().userinfo_endpoint !== undefined;
        if (!hasInformation) return claims;
        return mergeClaims(claims, await openid.fetchUserInfo(config, tokens.access_token, claims.sub));
      }),
  };
}

const keyOf = ({ issuer, clientId, clientSecret }: OpenIdClient) =>
  JSON.stringify([issuer, clientId, clientSecret]);

function lengthOf(config: openid.Configuration): number {
  return JSON.stringify([config.serverMetadata(), openid.getJwksCache(config)]).length;
}

function redirectUriOf(config: openid.Configuration, { callback }: OpenIdClient): string {
  const namesItself = config.serverMetadata().authorization_response_iss_parameter_supported === true;
  return namesItself ? callback.shared : callback.own;
}

/** Sends the secret in the header, OpenID Connect's default, unless the provider takes it only in the body. */
function authenticateBy(clientSecret: string): openid.ClientAuth {
  const [byHeader, byBody] = [openid.ClientSecretBasic(clientSecret), openid.ClientSecretPost(clientSecret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? byHeader : byBody;
    return authenticate(server, client, body, headers);
  };
}

/** Okta lists groups only if the `groups` scope is requested. Other providers refuse unknown scopes. */
function scopeFor(config: openid.Configuration): string {
  const { scopes_supported: supported = [] } = config.serverMetadata();
  return ['openid', 'email', 'profile', ...(supported.includes('groups') ? ['groups'] : [])].join(' ');
}

/**
 * Claims about how the user signed in come only from the ID token. `email` and its verification come from the
 * same source.
 */
function mergeClaims(token: IdTokenClaims, information: IdTokenClaims): IdTokenClaims {
  const ofTokenOnly = ['amr', 'acr', 'auth_time', ...('email' in token ? EMAIL_CLAIMS : [])];
  const rest = Object.entries(information).filter(([name]) => !ofTokenOnly.includes(name));
  return { ...Object.fromEntries(rest), ...token };
}

const EMAIL_CLAIMS = ['email', 'email_verified', 'xms_edov'];

function explain(error: unknown): OpenIdFault {
  if (error instanceof openid.AuthorizationResponseError) return { kind: 'denied', reason: error.error };
  if (error instanceof openid.ResponseBodyError) return { kind: 'invalid', reason: error.error };
  if (error instanceof openid.WWWAuthenticateChallengeError) {
    return { kind: 'invalid', reason: error.cause[0]?.parameters.error ?? 'unauthorized' };
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'OutboundError') return { kind: 'unreachable', reason: cause.message };
  }
  if (error instanceof openid.ClientError && error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') {
    return { kind: 'unreachable', reason: error.message };
  }
  return { kind: 'invalid', reason: error instanceof Error ? error.message : 'unknown' };
}
