import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import type { Clock } from '#application/ports/clock.ts';
import { contractsWith } from '#test/contracts/testing.ts';
import { movableClock } from '#test/support/builders.ts';

const create = (clock: Clock) =>
  createMemoryBackend({
    translatePattern,
    digestSecret,
    clock,
    newId: uuidV7,
    hashPassword: async (password) => `hash of ${password}`,
    // The machine may be busy, and completions have half of the time of a search.
    filterTimeoutMs: 20_000,
    searchTimeoutMs: 20_000,
  });

const memory = create(systemClock);
const backend = { ...memory, auditEntries: async () => memory.auditEntries() };

contractsWith({ describe, test, beforeAll, beforeEach, expect }).testAllContracts(() => backend, {
  clockedLimiter: () => {
    const { clock, moveTo } = movableClock();
    return { limiter: create(clock).rateLimiter, moveTo };
  },
});
