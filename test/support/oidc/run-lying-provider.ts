/** An OpenID provider that signs whatever the test wants, and counts what it is asked. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface LyingProvider {
  readonly issuer: string;
  /** The paths that were asked for, in order. */
  readonly asked: string[];
  /** Replaces the published key with a new one, which signs from now on. */
  rotate(): Promise<void>;
  /** The ID token of the next answer. The good one follows again. */
  lies(forge: Forge): void;
  /** Where the browser comes back to from `location`. */
  comeBack(location: string): string;
  close(): Promise<void>;
}

/** Makes a token of the claims of a good one. */
export type Forge = (claims: IdClaims, sign: Sign) => string | Promise<string>;

export type IdClaims = Readonly<Record<string, unknown>>;

/** Signs with the published key. */
export type Sign = (claims: IdClaims) => Promise<string>;

const ALGORITHM = 'ES256';

export async function runLyingProvider(clientId: string): Promise<LyingProvider> {
  let [keys, kid, forge]: [Awaited<ReturnType<typeof newKeys>>, number, Forge] = [await newKeys(), 1, honest];
  let nonce: string | null = null;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push(path);
    void answer(path).then((body) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(path: string): Promise<object> {
    if (path === '/keys') {
      return { keys: [{ ...(await exportJWK(keys.publicKey)), kid: `${kid}`, alg: ALGORITHM, use: 'sig' }] };
    }
    if (path === '/token') {
      const now = Math.floor(Date.now() / 1_000);
      const claims = { iss: issuer, aud: clientId, sub: 'mei', nonce, iat: now, exp: now + 60 };
      const made = await forge(claims, (given) => signAs(given, keys.privateKey, `${kid}`));
      forge = honest;
      return { access_token: 'a token', token_type: 'Bearer', id_token: made };
    }
    return {
      issuer,
      ...{ authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: [ALGORITHM, 'HS256', 'none'],
    };
  }

  return {
    issuer,
    asked,
    rotate: async () => {
      [keys, kid] = [await newKeys(), kid + 1];
    },
    lies: (next) => {
      forge = next;
    },
    comeBack: (location) => {
      const { searchParams } = new URL(location);
      nonce = searchParams.get('nonce');
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = `${new URLSearchParams({ code: 'a code', state: searchParams.get('state') ?? '' })}`;
      return back.href;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const honest: Forge = (claims, sign) => sign(claims);

const newKeys = () => generateKeyPair(ALGORITHM, { extractable: true });

/** Signs with a key that is not published, under the name of the published one. */
export async function signedByAnotherKey(claims: IdClaims): Promise<string> {
  return signAs(claims, (await newKeys()).privateKey, '1');
}

function signAs(claims: IdClaims, key: CryptoKey, kid: string): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: ALGORITHM, kid }).sign(key);
}

export function unsigned(claims: IdClaims): string {
  return `${encode({ alg: 'none' })}.${encode(claims)}.`;
}

/** Signs with the client's secret, which the provider's symmetric algorithms would use. */
export function signedBySecret(claims: IdClaims, secret: string): string {
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
