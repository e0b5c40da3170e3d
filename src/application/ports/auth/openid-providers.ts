import type { IdTokenClaims } from '#domain/access/id-token.ts';
import type { Result } from '#domain/result.ts';

export interface OpenIdClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callback: CallbackAddresses;
}

/**
 * Where the provider sends the browser. Providers that name themselves in their answers (RFC 9207) use
 * `shared`. Every other provider needs an address that no provider shares, `own`. Otherwise a malicious
 * provider could pass the browser on to an honest one and receive its code.
 */
export interface CallbackAddresses {
  readonly shared: string;
  readonly own: string;
}

/** Made for each sign-in, and known only to the browser that began it. */
export interface OpenIdSecrets {
  readonly state: string;
  readonly nonce: string;
  /** For PKCE. */
  readonly codeVerifier: string;
}

export interface OpenIdFault {
  /**
   * `unreachable`: the provider is down or slow. `denied`: the person refused. `invalid`: the provider's answer is
   * wrong.
   */
  readonly kind: 'unreachable' | 'denied' | 'invalid';
  /** For the log. Contains no token and no code. */
  readonly reason: string;
}

/** OpenID Connect with the authorization code flow and PKCE. */
export interface OpenIdProviders {
  newSecrets(): OpenIdSecrets;
  /** The address to send the browser to. `isFresh` asks the provider to make the person sign in again. */
  start(
    client: OpenIdClient,
    request: OpenIdSecrets & { readonly isFresh: boolean; readonly loginHint: string | null },
  ): Promise<Result<string, OpenIdFault>>;
  /**
   * Redeems the code in the callback address, and checks signature, issuer, audience, nonce, state and times. Claims
   * that the ID token lacks are taken from the provider's user information.
   */
  finish(
    client: OpenIdClient,
    callback: OpenIdSecrets & { readonly address: string },
  ): Promise<Result<IdTokenClaims, OpenIdFault>>;
}
