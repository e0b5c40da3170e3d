/** `fleetsift/memory`: every storage port without a database. */
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import {
  createMemoryBackend as createBackend,
  type MemoryBackend,
  type MemoryBackendDeps,
} from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import { makeHashOnDemand } from './hash-on-demand.ts';

export type { MemoryBackend, MemoryBackendDeps } from '#adapters/memory/memory-backend.ts';

/** A backend with nothing in it, as durable as the process. What is not given is what the service uses. */
export function createMemoryBackend(given: Partial<MemoryBackendDeps> = {}): MemoryBackend {
  return createBackend({
    clock: systemClock,
    newId: uuidV7,
    hashPassword: makeHashOnDemand(),
    digestSecret,
    translatePattern,
    ...given,
  });
}
