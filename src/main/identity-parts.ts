/** Authentication: token keys, credentials, MFA, passwords, and signing in. */
import { announcing } from './announcing.ts';
import type { Factories } from './ingredients.ts';

const DEFAULT_MFA_MAX_AGE_SECONDS = 900;

export const IDENTITY_PARTS: Factories<
  'tokenKeys' | 'credentials' | 'requireFreshMfa' | 'checkPassword' | 'auth'
> = {
  tokenKeys: async (from) => {
    const { makeTokenKeys } = await import('#adapters/auth/token-keys.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeTokenKeys({ ...deps, store: backend.signingKeys });
  },
  credentials: async (from, run) => {
    const { makeCredentialVerifier } = await import('#adapters/auth/credential-verifier.ts');
    const { backend, tokenKeys, clock } = await from('backend', 'tokenKeys', 'clock');
    run.credentials = makeCredentialVerifier({ principals: backend.principals, keys: tokenKeys, clock });
    return run.credentials;
  },
  requireFreshMfa: async (from, { config }) => {
    const { makeRequireFreshMfa } = await import('#application/auth/mfa/require-fresh-mfa.ts');
    const maxAgeSeconds = config.mfaMaxAgeSeconds ?? DEFAULT_MFA_MAX_AGE_SECONDS;
    return makeRequireFreshMfa({ ...(await from('clock')), maxAgeSeconds });
  },
  checkPassword: async (from) => {
    const { makeCheckPassword } = await import('#application/auth/check-password.ts');
    const { backend, ...deps } = await from('backend', 'verifyPassword', 'hashPassword');
    return makeCheckPassword({ ...deps, signIns: backend.signIns });
  },
  auth: async (from, run) => {
    const { makeAuthUseCases } = await import('#application/auth/auth-use-cases.ts');
    const { makeIssueAccessToken } = await import('#adapters/auth/issue-access-token.ts');
    const { otpauthTotp } = await import('#adapters/auth/otpauth-totp.ts');
    const { randomSecrets } = await import('#adapters/auth/secret-generator.ts');
    const { backend, tokenKeys: keys, storage } = await from('backend', 'tokenKeys', 'storage');
    const { signInUnitOfWork } = storage;
    const deps = await from('clock', 'newId', 'requireFreshMfa', 'verifyPassword', 'hashPassword');
    const issueAccessToken = makeIssueAccessToken({ ...deps, keys, lifetimeMs: keys.tokenLifetimeMs });
    return makeAuthUseCases({
      ...backend,
      ...(signInUnitOfWork !== undefined &&
        (await announcing({ ...backend, unitOfWork: signInUnitOfWork }, run))),
      ...deps,
      issueAccessToken,
      totp: otpauthTotp,
      secrets: randomSecrets,
    });
  },
};
