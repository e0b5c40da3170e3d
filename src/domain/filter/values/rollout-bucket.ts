/**
 * A device's rollout bucket (Contract: §18) is the first four bytes of the SHA-256 of its id, big-endian,
 * modulo 100. The hash is written out because the domain imports nothing and its callers are synchronous.
 */

/** From 0 to 99. */
export function rolloutBucket(id: string): number {
  return firstWordOfSha256(id.toLowerCase()) % 100;
}

/** `text` must fit into one block: at most 55 ASCII characters (FIPS 180-4). */
function firstWordOfSha256(text: string): number {
  const schedule = new Uint32Array(64);
  for (let i = 0; i < text.length; i++) {
    schedule[i >> 2] = at(schedule, i >> 2) | (text.charCodeAt(i) << (24 - 8 * (i & 3)));
  }
  schedule[text.length >> 2] = at(schedule, text.length >> 2) | (0x80 << (24 - 8 * (text.length & 3)));
  schedule[15] = text.length * 8;
  for (let i = 16; i < 64; i++) {
    const [x, y] = [at(schedule, i - 15), at(schedule, i - 2)];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    schedule[i] = at(schedule, i - 16) + s0 + at(schedule, i - 7) + s1;
  }
  let [a, b, c, d, e, f, g, h] = INITIAL;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(ROUND_CONSTANTS, i) + at(schedule, i)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
  }
  return (a + INITIAL[0]) >>> 0;
}

function at(words: Uint32Array, i: number): number {
  return words[i] ?? 0;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

const PRIMES = firstPrimes(64);

/** Fractions of the square roots of the first eight primes. */
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(prime ** (1 / 2))) as unknown as Readonly<Eight>;

/** Fractions of the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

type Eight = [number, number, number, number, number, number, number, number];

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
