/** Passwords as argon2id hashes in PHC format, at OWASP's minimum parameters (Contract: §2). */
import { hash, type ParsedHashOptions, parseOptions, verify } from '@node-rs/argon2';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { PasswordVerifier } from '#application/ports/auth/password-verifier.ts';
import { makeConcurrencyLimit } from './concurrency-limit.ts';

const ARGON2_MEMORY_KIB = 19_456;
const ARGON2_PASSES = 2;
const ARGON2_LANES = 1;

/** The hash of no known password. Verified when there is no hash, so that both cases take equally long. */
const DUMMY_HASH = `$argon2id$v=19$m=${ARGON2_MEMORY_KIB},t=${ARGON2_PASSES},p=${ARGON2_LANES}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** A few seconds' work. */
const MAX_QUEUED = 500;

export interface Argon2PasswordHasher {
  /** A fresh salt each time; the password is taken exactly as typed. */
  readonly hashPassword: PasswordHasher;
  readonly verifyPassword: PasswordVerifier;
}

/**
 * Hashing and verifying, at most `maxConcurrent` of both together at once. Each takes a thread of the process's
 * pool (shared with file access and DNS look-ups) for some 10 ms and 19 MiB, so a burst of sign-ins queues here;
 * if the queue is full, both reject with a `QueueFullError`.
 */
export function makeArgon2PasswordHasher({
  maxConcurrent,
}: {
  readonly maxConcurrent: number;
}): Argon2PasswordHasher {
  const limit = makeConcurrencyLimit(maxConcurrent, MAX_QUEUED);
  return {
    // argon2id is the library's default algorithm.
    hashPassword: (password) =>
      limit(() =>
        hash(password, {
          memoryCost: ARGON2_MEMORY_KIB,
          timeCost: ARGON2_PASSES,
          parallelism: ARGON2_LANES,
        }),
      ),
    verifyPassword: async (storedHash, password) => {
      const options = storedHash === null ? null : readOptions(storedHash);
      if (storedHash === null || options === null) {
        await limit(() => verify(DUMMY_HASH, password));
        return { matches: false, isOutdated: false };
      }
      const matches = await limit(() => verify(storedHash, password));
      return { matches, isOutdated: !storedHash.startsWith('$argon2id$') || isWeaker(options) };
    },
  };
}

/**
 * null for a malformed hash, on which the library throws. Checked up front, because a catch around the verification
 * would report a lack of memory as a wrong password.
 */
function readOptions(storedHash: string): ParsedHashOptions | null {
  try {
    return parseOptions(storedHash);
  } catch {
    return null;
  }
}

function isWeaker({ memoryCost, timeCost }: ParsedHashOptions): boolean {
  return memoryCost < ARGON2_MEMORY_KIB || timeCost < ARGON2_PASSES;
}
