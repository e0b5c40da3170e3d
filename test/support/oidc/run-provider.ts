/** An OpenID provider in the process of the test, in which people sign in without a page. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ClientMetadata } from 'oidc-provider';
import type { IdTokenClaims } from '#domain/access/id-token.ts';

export interface RunningProvider {
  readonly issuer: string;
  /** Sets the claims of the person who signs in next. `sub` is the account. */
  signsIn(claims: IdTokenClaims & { readonly sub: string }): void;
  /** Follows redirects like a browser, from the address to an address of the client. */
  browse(address: string): Promise<string>;
  close(): Promise<void>;
}

/** `host` is the name of the machine in the issuer. */
export async function runProvider(client: ClientMetadata, host = '127.0.0.1'): Promise<RunningProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  let person: IdTokenClaims & { readonly sub: string } = { sub: 'nobody' };
  const provider = new Provider(issuer, {
    clients: [client],
    claims: {
      openid: ['sub', 'amr'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...person, sub }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the test'] },
    pkce: { required: () => true },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response);
    void (async () => {
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      if (prompt.name === 'login') {
        const amr = Array.isArray(person.amr) ? person.amr.map(String) : undefined;
        const login = { accountId: person.sub, ...(amr !== undefined && { amr }) };
        await provider.interactionFinished(request, response, { login });
        return;
      }
      const grant = new provider.Grant({
        accountId: session?.accountId ?? person.sub,
        clientId: String(params.client_id),
      });
      grant.addOIDCScope(String(params.scope));
      const grantId = await grant.save();
      await provider.interactionFinished(request, response, { consent: { grantId } });
    })();
  });

  return {
    issuer,
    signsIn: (claims) => {
      person = claims;
    },
    browse: async (address) => {
      const cookies = new Map<string, string>();
      let next = address;
      for (let step = 0; step < 12 && next.startsWith(issuer); step++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answered = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const line of answered.headers.getSetCookie()) {
          const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
          cookies.set(name, value);
        }
        const location = answered.headers.get('location');
        if (location === null)
          throw new Error(`${next} answered ${answered.status}: ${await answered.text()}`);
        next = new URL(location, next).href;
      }
      return next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
