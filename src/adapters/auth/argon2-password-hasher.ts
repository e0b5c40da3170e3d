/** Argon2id with OWASP's minimum parameters, in PHC format (Contract: §2). */
import type * as Argon2 from '@node-rs/argon2';
import { FairShare } from '#application/admission/fair-share.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import {
  type PasswordClaimant,
  PasswordQueueFullError,
  type PasswordVerifier,
} from '#application/ports/auth/password-verifier.ts';

const ARGON2_MEMORY_KIB = 19_456;
const ARGON2_PASSES = 2;
const ARGON2_LANES = 1;

/** If there is no stored hash, this one is verified, so that the response takes as long. */
const DUMMY_HASH = `$argon2id$v=19$m=${ARGON2_MEMORY_KIB},t=${ARGON2_PASSES},p=${ARGON2_LANES}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Checking 100 passwords takes one or two seconds. The rate limits keep a site's clients below this number. */
const MAX_WAITING_PER_SITE = 100;
const MAX_WAITING_PER_CLIENT = 50;
const MAX_WAIT_MS = 10_000;

const THE_SERVICE: PasswordClaimant = { site: 'service', client: 'service' };

export interface Argon2PasswordHasher {
  readonly hashPassword: PasswordHasher;
  readonly verifyPassword: PasswordVerifier;
}

/**
 * Each hash occupies a thread of the process's pool for some 10 ms and takes 19 MiB, so bursts queue here and
 * sites take turns. A site whose queue is full gets a `PasswordQueueFullError`.
 */
export function makeArgon2PasswordHasher({
  maxConcurrent,
}: {
  readonly maxConcurrent: number;
}): Argon2PasswordHasher {
  if (!Number.isInteger(maxConcurrent) || maxConcurrent < 1) {
    throw new RangeError(`maxConcurrent must be a positive integer, not ${maxConcurrent}`);
  }
  // One slot stays free for other sites.
  const perSite = Math.max(1, maxConcurrent - 1);
  const share = new FairShare({
    total: maxConcurrent,
    perTenant: perSite,
    perCaller: perSite,
    maxWaitingPerCaller: MAX_WAITING_PER_CLIENT,
    maxWaitingPerTenant: MAX_WAITING_PER_SITE,
    maxWaitMs: MAX_WAIT_MS,
  });
  const inTurn = async <T>({ site, client }: PasswordClaimant, task: () => Promise<T>): Promise<T> => {
    const turn = await share.claim({ tenant: site, caller: client }, 1);
    if (turn.kind !== 'granted') throw new PasswordQueueFullError();
    try {
      return await task();
    } finally {
      turn.release();
    }
  };
  // `load` hashes hundreds of passwords, more than may wait for a turn. So they wait here in a few lines, and only the
  // first of each line asks for a turn.
  const lines: Promise<unknown>[] = Array.from({ length: perSite }, () => Promise.resolve());
  let joined = 0;
  const inLine = <T>(task: () => Promise<T>): Promise<T> => {
    const index = joined++ % perSite;
    const done = (lines[index] ?? Promise.resolve()).then(task);
    lines[index] = Promise.allSettled([done]);
    return done;
  };
  return {
    hashPassword: (password) =>
      inLine(() =>
        inTurn(THE_SERVICE, async () =>
          (await loadArgon2()).hash(password, {
            memoryCost: ARGON2_MEMORY_KIB,
            timeCost: ARGON2_PASSES,
            parallelism: ARGON2_LANES,
          }),
        ),
      ),
    verifyPassword: async (storedHash, password, claimant) => {
      const argon2 = await loadArgon2();
      const options = storedHash === null ? null : readOptions(argon2, storedHash);
      if (storedHash === null || options === null) {
        await inTurn(claimant, () => argon2.verify(DUMMY_HASH, password));
        return { matches: false, isOutdated: false };
      }
      const matches = await inTurn(claimant, () => argon2.verify(storedHash, password));
      return { matches, isOutdated: !storedHash.startsWith('$argon2id$') || isWeaker(options) };
    },
  };
}

/** Loaded at the first password: the binary may be missing, and a service without local users needs none. */
async function loadArgon2(): Promise<typeof Argon2> {
  return import('@node-rs/argon2').catch((error: unknown) => {
    throw new Error(
      `Passwords cannot be hashed: the binary of @node-rs/argon2 for ${process.platform}-${process.arch} is not installed. Install fleetsift without --omit=optional.`,
      { cause: error },
    );
  });
}

/**
 * Null for a malformed hash. Hashes are parsed first, because catching errors of the verification would
 * report a lack of memory as a wrong password.
 */
function readOptions(argon2: typeof Argon2, storedHash: string): Argon2.ParsedHashOptions | null {
  try {
    return argon2.parseOptions(storedHash);
  } catch {
    return null;
  }
}

function isWeaker({ memoryCost, timeCost }: Argon2.ParsedHashOptions): boolean {
  return memoryCost < ARGON2_MEMORY_KIB || timeCost < ARGON2_PASSES;
}
