/** The public keys that verify access tokens (Contract: §2; RFC 7517). */
import { Hono } from 'hono';
import { respondJson } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';

/** Where the keys come from. */
export interface PublicKeysDeps {
  /** A JWK set. */
  readonly publicKeys: () => Promise<{ readonly keys: readonly object[] }>;
}

/** `/.well-known/jwks.json`. */
export function publicKeyRoutes({ publicKeys }: PublicKeysDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get('/.well-known/jwks.json', async (c) => {
    const { keys } = await publicKeys();
    return respondJson(c, 200, JSON.stringify({ keys: keys.map(presentKey) }), CACHEABLE);
  });
  return routes;
}

/** Five minutes: a verifier that meets an unknown key asks again anyway. */
const CACHEABLE = { 'Cache-Control': 'public, max-age=300' };

/** The public members of an OKP key (RFC 8037). Everything else stays here, above all the private half. */
const PUBLIC_MEMBERS: ReadonlySet<string> = new Set(['kty', 'crv', 'x', 'kid', 'alg', 'use']);

function presentKey(key: object): object {
  return Object.fromEntries(Object.entries(key).filter(([member]) => PUBLIC_MEMBERS.has(member)));
}
