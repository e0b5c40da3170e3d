import type { IdTokenClaims } from '#domain/access/id-token.ts';
import type { Result } from '#domain/result.ts';

export interface OpenIdClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callback: CallbackAddresses;
}

/**
 * Where the provider sends the browser. A provider that names itself in its answers (RFC 9207) uses the shared
 * address, any other its own. Otherwise a lying provider could pass a browser on to an honest one and receive the
 * code of the honest one.
 */
export interface CallbackAddresses {
  readonly shared: string;
  readonly own: string;
}

/** New for each sign-in, and known only to the browser that began it. */
export interface OpenIdSecrets {
  readonly state: string;
  readonly nonce: string;
  /** For PKCE. */
  readonly codeVerifier: string;
}

export interface OpenIdFault {
  /** `unreachable`: down or slow. `denied`: by the person. `invalid`: the answer is wrong. */
  readonly kind: 'unreachable' | 'denied' | 'invalid';
  /** For the log. Contains no token and no code. */
  readonly reason: string;
}

/** OpenID Connect by the code flow with PKCE. */
export interface OpenIdProviders {
  newSecrets(): OpenIdSecrets;
  /** Returns the address to send the browser to. `isFresh` asks the provider for a new sign-in. */
  start(
    client: OpenIdClient,
    request: OpenIdSecrets & { readonly isFresh: boolean; readonly loginHint: string | null },
  ): Promise<Result<string, OpenIdFault>>;
  /**
   * Redeems the code in the callback address. Checks signature, issuer, audience, nonce, state and times. The
   * provider's user information fills the gaps of the ID token.
   */
  finish(
    client: OpenIdClient,
    callback: OpenIdSecrets & { readonly address: string },
  ): Promise<Result<IdTokenClaims, OpenIdFault>>;
}
