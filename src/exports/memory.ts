/** `fleetsift/memory`: every storage port without a database. */
import { makeArgon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import {
  createMemoryBackend as createBackend,
  type MemoryBackend,
  type MemoryBackendDeps,
} from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';

export type { MemoryBackend, MemoryBackendDeps } from '#adapters/memory/memory-backend.ts';

/** Defaults are those of the service. */
export function createMemoryBackend(given: Partial<MemoryBackendDeps> = {}): MemoryBackend {
  return createBackend({
    clock: systemClock,
    newId: uuidV7,
    hashPassword: makeArgon2PasswordHasher({ maxConcurrent: 1 }).hashPassword,
    digestSecret,
    translatePattern,
    ...given,
  });
}
