/**
 * A product with its own sign-in has the console below a path: tokens of its identity service are verified, people are
 * known here as they arrive, and nobody signs in twice (docs/embedding.md).
 */
import { compose, openConsole, readLoadFile } from 'fleetsift';
import { makeCaller } from 'fleetsift/application';
import { type OrgId, parseId, type UserId } from 'fleetsift/domain';
import { serveApp } from 'fleetsift/http';
import { createMemoryBackend } from 'fleetsift/memory';
import { Hono } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

const { JWKS_URL = '', ISSUER = '', PORT = '3000' } = process.env;
const keys = createRemoteJWKSet(new URL(JWKS_URL));

/** The host's cookie: HttpOnly, Secure, SameSite=Strict. It holds the token of the identity service. */
const COOKIE = 'portal_session';

const backend = createMemoryBackend();
const service = await compose(
  { databaseUrl: null, logLevel: 'silent', findPages: await pagesBelow('/fleet') },
  {
    backend,
    credentials: {
      verifyAccessToken: async (token, began) => (await signedIn(token, began))?.caller ?? null,
      verifyApiKey: async () => null,
    },
  },
);
const loaded = await backend.fleetWriter(readLoadFile(new URL('fleet.json', import.meta.url).pathname));
if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));

async function pagesBelow(path: string) {
  const pages = await openConsole({ baseUrl: `http://127.0.0.1${path}` });
  return () => pages;
}

/** Null where the token is not good. An identity service that is down is an error, so nobody is signed out by it. */
async function signedIn(token: string, began = Date.now()) {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: ISSUER,
      audience: 'fleetsift',
      algorithms: ['ES256'],
      requiredClaims: ['exp', 'sub'],
      // A token that expires during long work does not stop it.
      currentDate: new Date(began),
    });
    const userId = parseId<'user'>(payload.sub ?? '');
    const orgId = parseId<'organization'>(String(payload['org_id']));
    if (userId === null || orgId === null) return null;
    const { email, name } = payload;
    const permissions = String(payload['scope'] ?? '').split(' ');
    await remember({ id: userId, orgId, email: String(email), name: String(name) });
    const caller = makeCaller({ userId, scope: { kind: 'organization', orgId }, permissions });
    return { caller, expiresIn: (payload.exp ?? 0) - Math.floor(began / 1_000) };
  } catch (error) {
    const saysNothing = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];
    if (error instanceof errors.JOSEError && !saysNothing.includes(error.code)) return null;
    throw error;
  }
}

interface Person {
  readonly id: UserId;
  readonly orgId: OrgId;
  readonly email: string;
  readonly name: string;
}

const known = new Map<string, string>();

/**
 * Gives lists, mails and the audit log a name. The row has no password, so nobody signs in by it, and no permissions, because
 * those of the token count.
 */
async function remember({ id, orgId, email, name }: Person): Promise<void> {
  const told = JSON.stringify([orgId, email, name]);
  if (known.get(id) === told) return;
  const written = await backend.fleetWriter([
    {
      ...{ line: 1, member: 'user' },
      record: {
        ...{ kind: 'user', id, email, name, password: null, totpSecret: null },
        membership: { scope: 'organization', orgId },
        ...{ permissions: [], isPlatformAdmin: false },
      },
    },
  ]);
  // Such as an email that another person has: they work here without a name.
  if (written.ok) known.set(id, told);
}

const app = new Hono();
app.get('/sign-in', (c) => c.text('the sign-in page of the portal'));

// The console asks these two for its session, so the host answers them.
app.post('/fleet/api/v1/auth/session/refresh', async (c) => {
  const accessToken = getCookie(c, COOKIE);
  const session = accessToken === undefined ? null : await signedIn(accessToken);
  if (session === null) return c.json({ code: 'unauthenticated', detail: 'Sign in at the portal.' }, 401);
  const { caller, expiresIn } = session;
  return c.json({ accessToken, expiresIn, user: { id: caller.userId } });
});
app.delete('/fleet/api/v1/auth/session', (c) => {
  deleteCookie(c, COOKIE);
  return c.body(null, 204);
});
// Pages of the console lead to the portal's sign-in page, not to one for passwords.
app.get('/fleet/*', async (c, next) => {
  const isPage = c.req.header('Accept')?.includes('text/html') === true;
  return isPage && getCookie(c, COOKIE) === undefined ? c.redirect('/sign-in') : next();
});
app.mount('/fleet', service.app.fetch, (c) => c.env);

const server = await serveApp(app, { host: '127.0.0.1', port: Number(PORT) });
console.log(`listening at ${server.url}`);

process.once('SIGTERM', async () => {
  service.stopBeingReady();
  await server.close(10_000);
  await service.close();
});
