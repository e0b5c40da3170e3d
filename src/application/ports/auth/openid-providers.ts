import type { IdTokenClaims } from '#domain/access/id-token.ts';
import type { Result } from '#domain/result.ts';

/** This service as a client of an identity provider. */
export interface OpenIdClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callback: CallbackAddresses;
}

/**
 * Where the provider sends the browser back to. A provider that names itself in its answers (RFC 9207) uses the shared
 * address, any other one its own. Otherwise a provider that lies could pass a browser on to an honest one, and be sent the
 * code that the honest one issues.
 */
export interface CallbackAddresses {
  readonly shared: string;
  readonly own: string;
}

/** Made anew for each sign-in, and known only to the browser that began it. */
export interface OpenIdSecrets {
  readonly state: string;
  readonly nonce: string;
  /** For PKCE. */
  readonly codeVerifier: string;
}

export interface OpenIdFault {
  /** Down or slow, the person has refused, or an answer does not hold. */
  readonly kind: 'unreachable' | 'denied' | 'invalid';
  /** For the log. It contains no token and no code. */
  readonly reason: string;
}

/** OpenID Connect by the code flow with PKCE. */
export interface OpenIdProviders {
  newSecrets(): OpenIdSecrets;
  /** Where the browser goes. `isFresh`: the provider shall ask the person to sign in again. */
  start(
    client: OpenIdClient,
    request: OpenIdSecrets & { readonly isFresh: boolean; readonly loginHint: string | null },
  ): Promise<Result<string, OpenIdFault>>;
  /**
   * Redeems the code in the address that the provider sent the browser back to. Signature, issuer, audience, nonce, state and
   * times are checked. What the ID token does not tell of the person is taken from the provider's user information.
   */
  finish(
    client: OpenIdClient,
    callback: OpenIdSecrets & { readonly address: string },
  ): Promise<Result<IdTokenClaims, OpenIdFault>>;
}
