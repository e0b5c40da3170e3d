/** The use cases of authentication on a separate backend in memory, with a clock that only the test moves. */
import { makeCredentialVerifier } from '#adapters/auth/credential-verifier.ts';
import { makeCursorSigner } from '#adapters/auth/cursor-signer.ts';
import { makeIssueAccessToken } from '#adapters/auth/issue-access-token.ts';
import { makeOpenIdProviders } from '#adapters/auth/openid-providers.ts';
import { otpauthTotp } from '#adapters/auth/otpauth-totp.ts';
import { digestSecret, randomSecrets } from '#adapters/auth/secret-generator.ts';
import { makeTokenKeys } from '#adapters/auth/token-keys.ts';
import { webauthn } from '#adapters/auth/webauthn.ts';
import { createMemoryBackend, type MemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { type AuthUseCases, makeAuthUseCases } from '#application/auth/auth-use-cases.ts';
import { makeRequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { CredentialVerifier } from '#application/ports/auth/credential-verifier.ts';
import type { OpenIdProviders } from '#application/ports/auth/openid-providers.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { EpochMs } from '#domain/time.ts';
import { movableClock, newId } from '#test/support/builders.ts';

export interface MemoryAuth {
  readonly auth: AuthUseCases;
  readonly backend: MemoryBackend;
  /** Sees every change at once. */
  readonly credentials: CredentialVerifier;
  now(): EpochMs;
  moveClockTo(instant: EpochMs): void;
  /** Takes the audit entries since the last call. */
  takeEntries(): readonly AuditEntry[];
  /** The stored hashes that passwords were compared with; null if there was no hash. */
  readonly hashesLookedAt: (string | null)[];
}

const ignore = () => undefined;

/** Hashes that begin with "old" are outdated. New hashes never do. */
export function makeMemoryAuth(given: { readonly openIdProviders?: OpenIdProviders } = {}): MemoryAuth {
  const { clock, moveTo } = movableClock();
  const hashPassword = async (password: string) => `hash of ${password}`;
  const backend = createMemoryBackend({ translatePattern, digestSecret, clock, newId, hashPassword });
  const keys = makeTokenKeys({ store: backend.signingKeys, clock, newId });
  const hashesLookedAt: (string | null)[] = [];
  const auth = makeAuthUseCases({
    ...backend,
    ...{ clock, newId, hashPassword },
    verifyPassword: async (storedHash, password) => {
      hashesLookedAt.push(storedHash);
      const isOutdated = storedHash?.startsWith('old ') ?? false;
      const matches = storedHash === `${isOutdated ? 'old ' : ''}hash of ${password}`;
      return { matches, isOutdated };
    },
    requireFreshMfa: makeRequireFreshMfa({ clock, maxAgeSeconds: 900 }),
    issueAccessToken: makeIssueAccessToken({ keys, clock, newId, lifetimeMs: keys.tokenLifetimeMs }),
    ceremonies: webauthn,
    cursors: makeCursorSigner(backend.cursorKey),
    totp: otpauthTotp,
    secrets: randomSecrets,
    openIdProviders: makeOpenIdProviders({
      ask: () => Promise.reject(new Error('nobody is asked')),
      allowsInsecure: false,
    }),
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    ...given,
  });
  let taken = 0;
  return {
    auth,
    backend,
    credentials: makeCredentialVerifier({ principals: backend.principals, keys, clock, maxAgeMs: 0 }),
    now: clock,
    moveClockTo: moveTo,
    takeEntries: () => {
      const entries = backend.auditEntries().slice(taken);
      taken += entries.length;
      return entries;
    },
    hashesLookedAt,
  };
}
