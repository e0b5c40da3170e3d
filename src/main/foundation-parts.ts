/** The parts that all others depend on. */
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import type { Factories } from './ingredients.ts';

export const FOUNDATION_PARTS: Factories<
  'clock' | 'newId' | 'hashPassword' | 'verifyPassword' | 'log' | 'argon2'
> = {
  clock: () => systemClock,
  newId: () => uuidV7,
  hashPassword: async (from) => (await from('argon2')).argon2.hashPassword,
  verifyPassword: async (from) => (await from('argon2')).argon2.verifyPassword,
  log: async (_, { config }) => (await import('#adapters/system/logger.ts')).makeLogger(config.logLevel),
  argon2: async () => {
    const { makeArgon2PasswordHasher } = await import('#adapters/auth/argon2-password-hasher.ts');
    const { availableParallelism } = await import('node:os');
    // Leaves half of the machine's cores to previews.
    return makeArgon2PasswordHasher({ maxConcurrent: Math.max(1, Math.floor(availableParallelism() / 2)) });
  },
};
