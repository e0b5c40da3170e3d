/** Sign-ins at a real OpenID provider, and at ones that lie (Contract: §16). */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type AskProvider, makeOpenIdProviders } from '#adapters/auth/openid-providers.ts';
import { makeAskOutbound } from '#adapters/system/outbound.ts';
import type { OpenIdProviders } from '#application/ports/auth/openid-providers.ts';
import { type LyingProvider, runLyingProvider } from '#test/support/oidc/run-lying-provider.ts';
import { type RunningProvider, runProvider } from '#test/support/oidc/run-provider.ts';

const redirectUri = 'https://fleetsift.example/api/v1/auth/oidc/callback';
const [clientId, clientSecret] = ['fleetsift', 'a secret: with / characters & more'];
const ask = makeAskOutbound({ allowsPrivate: true, timeoutMs: 10_000, maxBytes: 1_048_576 });
const providers = makeOpenIdProviders({ ask, allowsInsecure: true });
const request = { isFresh: false, loginHint: null };

let provider: RunningProvider;
const servers: Server[] = [];

beforeAll(async () => {
  provider = await runProvider({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri, `${redirectUri}/of-this-one`],
  });
});
afterAll(async () => {
  await provider.close();
  for (const server of servers) server.close();
});

const callback = { shared: redirectUri, own: `${redirectUri}/of-this-one` };
const client = () => ({ issuer: provider.issuer, clientId, clientSecret, callback });
async function begin(secrets = providers.newSecrets()) {
  const started = await providers.start(client(), { ...secrets, ...request });
  if (!started.ok) throw new Error(started.error.reason);
  return { secrets, url: new URL(started.value), address: await provider.browse(started.value) };
}

describe('a sign-in', () => {
  test('asks with PKCE, state and nonce, and gets what the provider knows of the person', async () => {
    provider.signsIn({ sub: 'mei', email: 'mei@kestrel.example', email_verified: true, groups: ['ops'] });
    const { secrets, url, address } = await begin();
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri },
      ...{ scope: 'openid email profile groups', code_challenge_method: 'S256' },
      ...{ state: secrets.state, nonce: secrets.nonce },
    });
    expect(url.href).not.toContain(secrets.codeVerifier);
    expect(await providers.finish(client(), { ...secrets, address })).toMatchObject({
      ok: true,
      value: { sub: 'mei', email: 'mei@kestrel.example', email_verified: true, groups: ['ops'] },
    });
  });

  test('can ask for a fresh sign-in, and suggest an email address', async () => {
    const secrets = providers.newSecrets();
    const started = await providers.start(client(), { ...secrets, isFresh: true, loginHint: 'a@b.example' });
    const { searchParams } = new URL(started.ok ? started.value : '');
    expect([searchParams.get('max_age'), searchParams.get('login_hint')]).toStrictEqual(['0', 'a@b.example']);
  });

  test('can be redeemed only once', async () => {
    const { secrets, address } = await begin();
    expect((await providers.finish(client(), { ...secrets, address })).ok).toBe(true);
    expect(await providers.finish(client(), { ...secrets, address })).toMatchObject({
      ok: false,
      error: { kind: 'invalid', reason: 'invalid_grant' },
    });
  });

  test.each(['state', 'nonce', 'codeVerifier'] as const)(
    'fails with the %s of another browser',
    async (name) => {
      const { secrets, address } = await begin();
      const others = { ...secrets, [name]: providers.newSecrets()[name] };
      expect(await providers.finish(client(), { ...others, address })).toMatchObject({
        ok: false,
        error: { kind: 'invalid' },
      });
    },
  );

  test("at a provider that does not name itself must come back to that provider's address", async () => {
    const silent = makeOpenIdProviders({ ask: namelessly(ask), allowsInsecure: true });
    const secrets = silent.newSecrets();
    const started = await silent.start(client(), { ...secrets, ...request });
    if (!started.ok) throw new Error(started.error.reason);
    const address = await provider.browse(started.value);
    expect(address).toMatch(`${callback.own}?`);
    const elsewhere = address.replace(callback.own, callback.shared);
    expect(await silent.finish(client(), { ...secrets, address: elsewhere })).toMatchObject({
      ok: false,
      error: { kind: 'invalid', reason: 'the answer came to the address of another provider' },
    });
    expect((await silent.finish(client(), { ...secrets, address })).ok).toBe(true);
  });

  test('fails with the answer of another provider, or of one that hides its name', async () => {
    for (const iss of ['https://id.other.example', null]) {
      const { secrets, address } = await begin();
      const mixed = new URL(address);
      if (iss === null) mixed.searchParams.delete('iss');
      else mixed.searchParams.set('iss', iss);
      expect(await providers.finish(client(), { ...secrets, address: mixed.href })).toMatchObject({
        ok: false,
        error: { kind: 'invalid' },
      });
    }
  });

  test('fails with a wrong secret, and reveals neither it nor the code', async () => {
    const { secrets, address } = await begin();
    const wrong = { ...client(), clientSecret: 'wrong secret' };
    const failed = await providers.finish(wrong, { ...secrets, address });
    expect(failed).toStrictEqual({ ok: false, error: { kind: 'invalid', reason: 'invalid_client' } });
  });

  test('fails if the person refuses', async () => {
    const secrets = providers.newSecrets();
    const address = `${redirectUri}?error=access_denied&state=${secrets.state}&iss=${provider.issuer}`;
    expect(await providers.finish(client(), { ...secrets, address })).toStrictEqual({
      ok: false,
      error: { kind: 'denied', reason: 'access_denied' },
    });
  });
});

async function signInAt(directory: LyingProvider, by: OpenIdProviders) {
  const at = { ...client(), issuer: directory.issuer };
  const secrets = by.newSecrets();
  const started = await by.start(at, { ...secrets, ...request });
  if (!started.ok) throw new Error(started.error.reason);
  return by.finish(at, { ...secrets, address: directory.comeBack(started.value) });
}

test('metadata and keys are asked for once, and keys again for an unknown one after a minute', async () => {
  const directory = await runLyingProvider(clientId);
  onTestFinished(() => directory.close());
  const signIn = () => signInAt(directory, providers);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (let i = 0; i < 3; i++) expect(await signIn()).toMatchObject({ ok: true, value: { sub: 'mei' } });
  const first = ['/.well-known/openid-configuration', '/token', '/keys', '/token', '/token'];
  expect(directory.asked).toStrictEqual(first);

  await directory.rotate();
  vi.setSystemTime(Date.now() + 59_000);
  expect(await signIn()).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  vi.setSystemTime(Date.now() + 1_000);
  expect((await signIn()).ok).toBe(true);
  expect(directory.asked).toStrictEqual([...first, '/token', '/token', '/keys']);
});

describe('what is kept of providers', () => {
  const metadataOf = (url: string, length: number) => {
    const issuer = new URL(url).origin;
    return { issuer, authorization_endpoint: `${issuer}/auth`, filler: 'x'.repeat(length) };
  };
  const answering = (body: object) => ({
    ...{ status: 200, headers: new Headers({ 'Content-Type': 'application/json' }) },
    body: Buffer.from(JSON.stringify(body)),
  });

  test('is not more than two million characters, nor very long metadata', async () => {
    const asked = vi.fn<AskProvider>(async (url) =>
      answering(metadataOf(url, url.includes('long') ? 300_000 : 150_000)),
    );
    const bounded = makeOpenIdProviders({ ask: asked, allowsInsecure: false });
    const isAsked = async (name: string) => {
      asked.mockClear();
      const at = { ...client(), issuer: `https://${name}.example` };
      expect((await bounded.start(at, { ...bounded.newSecrets(), ...request })).ok).toBe(true);
      return asked.mock.calls.length > 0;
    };
    for (let i = 0; i < 15; i++) expect(await isAsked(`of-${i}`)).toBe(true);
    expect([await isAsked('of-14'), await isAsked('of-0')]).toStrictEqual([false, true]);
    expect([await isAsked('long'), await isAsked('long')]).toStrictEqual([true, true]);
  });

  test('counts the keys too', async () => {
    const directory = await runLyingProvider(clientId);
    onTestFinished(() => directory.close());
    const filling: AskProvider = async (url, sent) => {
      const answer = await ask(url, sent);
      if (!url.endsWith('/keys')) return answer;
      return answering({ ...JSON.parse(Buffer.from(answer.body).toString()), filler: 'x'.repeat(300_000) });
    };
    const bounded = makeOpenIdProviders({ ask: filling, allowsInsecure: true });
    for (let i = 0; i < 2; i++) expect((await signInAt(directory, bounded)).ok).toBe(true);
    const once = ['/.well-known/openid-configuration', '/token', '/keys'];
    expect(directory.asked).toStrictEqual([...once, ...once]);
  });
});

/** As if the provider did not know RFC 9207. */
function namelessly(asked: AskProvider): AskProvider {
  return async (url, sent) => {
    const answer = await asked(url, sent);
    if (!url.endsWith('/.well-known/openid-configuration')) return answer;
    const { authorization_response_iss_parameter_supported: _, ...rest } = JSON.parse(
      Buffer.from(answer.body).toString(),
    );
    return { ...answer, body: Buffer.from(JSON.stringify(rest)) };
  };
}

describe('a provider', () => {
  async function serve(answer: (path: string, issuer: string) => [number, unknown]): Promise<string> {
    const server = createServer((asked, response) => {
      const [status, body] = answer(asked.url ?? '', issuer);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return issuer;
  }
  const startAt = (issuer: string, at = providers) =>
    at.start({ ...client(), issuer }, { ...at.newSecrets(), ...request });

  test('that is down is unreachable', async () => {
    const issuer = await serve(() => [200, {}]);
    await new Promise((resolve) => servers.at(-1)?.close(resolve));
    expect(await startAt(issuer)).toStrictEqual({
      ok: false,
      error: { kind: 'unreachable', reason: 'it could not be reached' },
    });
  });

  test('that answers with an error or too much is unreachable', async () => {
    for (const answer of [
      [503, {}],
      [200, { filler: 'x'.repeat(1_048_577) }],
    ] as const) {
      const issuer = await serve(() => [...answer]);
      expect(await startAt(issuer)).toMatchObject({ ok: false, error: { kind: 'unreachable' } });
    }
  });

  test('that calls itself another issuer is refused', async () => {
    const issuer = await serve(() => [
      200,
      { issuer: 'https://accounts.example', authorization_endpoint: 'https://accounts.example/auth' },
    ]);
    expect(await startAt(issuer)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  test('that hangs keeps at most 32 sign-ins waiting, and none at another provider', async () => {
    let release = () => {};
    const opened = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hanging = makeOpenIdProviders({
      ask: async (url, sent) => {
        if (!url.startsWith(provider.issuer)) await opened;
        return ask(url, sent);
      },
      allowsInsecure: true,
    });
    const issuer = await serve(() => [503, {}]);
    const waiting = Array.from({ length: 32 }, () => startAt(issuer, hanging));
    expect(await startAt(issuer, hanging)).toMatchObject({
      error: { kind: 'unreachable', reason: 'too many sign-ins wait for it' },
    });
    expect((await startAt(provider.issuer, hanging)).ok).toBe(true);
    release();
    for (const each of await Promise.all(waiting))
      expect(each).toMatchObject({ error: { kind: 'unreachable' } });
    expect(await startAt(issuer, hanging)).toMatchObject({
      error: { reason: expect.not.stringContaining('too many') },
    });
  });

  test('is not asked at a private address, nor by http, unless that is allowed', async () => {
    const publicOnly = makeAskOutbound({ allowsPrivate: false, timeoutMs: 10_000, maxBytes: 1_048_576 });
    const careful = makeOpenIdProviders({ ask: publicOnly, allowsInsecure: false });
    for (const issuer of [provider.issuer, 'https://127.0.0.1:1']) {
      expect((await startAt(issuer, careful)).ok).toBe(false);
    }
  });
});
