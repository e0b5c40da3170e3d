/** Callers sign in at another service, whose tokens this one verifies. None of them needs a row here. */
import { compose } from 'fleetsift';
import { type CredentialVerifier, makeCaller } from 'fleetsift/application';
import { parseId } from 'fleetsift/domain';
import { serveApp } from 'fleetsift/http';
import { createMemoryBackend } from 'fleetsift/memory';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

const { JWKS_URL = '', ISSUER = '', AUDIENCE = 'fleetsift', PORT = '3000' } = process.env;
const keys = createRemoteJWKSet(new URL(JWKS_URL));

/** The keys cannot be read, which says nothing about the token. */
const UNREADABLE = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

const credentials: CredentialVerifier = {
  verifyAccessToken: async (token, began = Date.now()) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: ISSUER,
        audience: AUDIENCE,
        algorithms: ['EdDSA', 'ES256', 'RS256'],
        requiredClaims: ['exp', 'sub'],
        // A token that expires during long work does not stop it.
        currentDate: new Date(began),
      });
      const userId = parseId<'user'>(payload.sub ?? '');
      const orgId = parseId<'organization'>(String(payload.org_id));
      if (userId === null || orgId === null) return null;
      const permissions = String(payload.scope ?? '').split(' ');
      return makeCaller({ userId, scope: { kind: 'organization', orgId }, permissions });
    } catch (error) {
      if (error instanceof errors.JOSEError && !UNREADABLE.has(error.code)) return null;
      throw error;
    }
  },
  verifyApiKey: async () => null,
};

const service = await compose(
  { databaseUrl: null, logLevel: 'silent' },
  { backend: createMemoryBackend(), credentials },
);
const server = await serveApp(service.app, { host: '127.0.0.1', port: Number(PORT) });
console.log(`listening at ${server.url}`);

process.once('SIGTERM', async () => {
  service.stopBeingReady();
  await server.close(10_000);
  await service.close();
});
