/** Passwords as argon2id hashes in PHC format, at OWASP's minimum parameters (Contract: §2). */
import { hash, parseOptions, verify } from '@node-rs/argon2';
import type { PasswordHasher } from '#application/ports/password-hasher.ts';
import { makeConcurrencyLimit } from './concurrency-limit.ts';

const ARGON2_MEMORY_KIB = 19_456;
const ARGON2_PASSES = 2;
const ARGON2_LANES = 1;

export interface Argon2PasswordHasher {
  /** A fresh salt each time; the password is taken exactly as typed. */
  readonly hashPassword: PasswordHasher;
  /** Whether the hash was made from this password; a stored hash that is malformed matches none. */
  readonly verifyPassword: (storedHash: string, password: string) => Promise<boolean>;
}

/**
 * Hashing and verifying, at most `maxConcurrent` of both together at once. Each takes a thread of the process's
 * pool (which files and DNS look-ups share) for some 10 ms and 19 MiB, so a burst of sign-ins waits in line here.
 */
export function makeArgon2PasswordHasher({
  maxConcurrent,
}: {
  readonly maxConcurrent: number;
}): Argon2PasswordHasher {
  const limit = makeConcurrencyLimit(maxConcurrent);
  return {
    // argon2id is the library's algorithm where none is named.
    hashPassword: (password) =>
      limit(() =>
        hash(password, {
          memoryCost: ARGON2_MEMORY_KIB,
          timeCost: ARGON2_PASSES,
          parallelism: ARGON2_LANES,
        }),
      ),
    verifyPassword: async (storedHash, password) =>
      isWellFormed(storedHash) && (await limit(() => verify(storedHash, password))),
  };
}

/**
 * The library throws on a malformed hash. Asked beforehand, because a catch around the verification would also
 * turn a lack of memory into a wrong password.
 */
function isWellFormed(storedHash: string): boolean {
  try {
    parseOptions(storedHash);
    return true;
  } catch {
    return false;
  }
}
