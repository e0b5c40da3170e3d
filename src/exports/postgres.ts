/** `fleetsift/postgres`: every storage port on one PostgreSQL database. */
import { makeArgon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import {
  openPostgresBackend as openBackend,
  type PostgresBackend,
  type PostgresBackendOptions,
} from '#adapters/postgres/postgres-backend.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import { makeSecretBox } from '#adapters/system/secret-box.ts';
import { DEFAULT_FILTER_TIMEOUT_MS } from '#domain/limits.ts';

export type { PostgresBackend, PostgresBackendOptions } from '#adapters/postgres/postgres-backend.ts';
export type { DatabaseReadiness } from '#adapters/postgres/setup/database-readiness.ts';
export type { SecretBox, SecretPlace } from '#adapters/postgres/transactional/secrets/secrets-at-rest.ts';
export type { ReplicaChange } from '#application/telemetry/database-use.ts';

/** Migrates the database first unless `migrate` is false. Other defaults are those of the service. */
export function openPostgresBackend(
  given: Pick<PostgresBackendOptions, 'url'> & Partial<PostgresBackendOptions>,
): Promise<PostgresBackend> {
  return openBackend({
    migrate: true,
    filterTimeoutMs: DEFAULT_FILTER_TIMEOUT_MS,
    clock: systemClock,
    newId: uuidV7,
    hashPassword: makeArgon2PasswordHasher({ maxConcurrent: 1 }).hashPassword,
    digestSecret,
    makeSecretBox,
    ...given,
  });
}
