/** Loads argon2 at its first use, because many fleets have no users. */
import type { Argon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';

export function makeHashOnDemand(): PasswordHasher {
  let hasher: Promise<Argon2PasswordHasher> | undefined;
  return async (password) => {
    hasher ??= load();
    return (await hasher).hashPassword(password);
  };
}

async function load(): Promise<Argon2PasswordHasher> {
  const { makeArgon2PasswordHasher } = await import('#adapters/auth/argon2-password-hasher.ts');
  return makeArgon2PasswordHasher({ maxConcurrent: 1 });
}
