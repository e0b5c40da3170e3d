/** Counters of different limits, or of different people, never share a name (Contract: §2). */
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as limits from '#application/auth/attempt-limits.ts';
import { counterName, type RateKey } from '#application/ports/auth/stores/rate-limiter.ts';
import { networkOf } from '#domain/access/network.ts';
import { foldCase } from '#domain/text/fold-case.ts';

const { tooManyAttempts: _, TOO_MANY_WAITING: __, ...all } = limits;
const LIMITS = Object.values(all) as unknown as readonly ((...given: readonly string[]) => RateKey)[];

const nameOf = (key: RateKey) => counterName(key, (text) => hash('sha256', text, 'hex'));

/** Only a few addresses, so that equal ones are drawn often. */
const address = fc.constantFrom('192.0.2.7', '192.0.2.8', '198.51.100.7', '2001:db8::1', '2001:db8:0:1::1');

/** Separators, quotes and hashes, for emails that try to look like the key of another counter. */
const fragment = fc.constantFrom(
  ...['it@example.com', 'IT@example.com', ' from ', ':', '","', '["', '"]', '\\', ' ', '', '192.0.2.0/24'],
  ...['sign-in-email', 'sign-in-own-network', hash('sha256', 'it@example.com', 'hex'), '2001:db8::/64'],
);
const email = fc.oneof(
  fc.array(fragment, { maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);

const attempt = fc.record({ limit: fc.nat(LIMITS.length - 1), email, address });
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

const keyOf = ({ limit, email, address }: Attempt): RateKey => {
  const make = LIMITS[limit];
  if (make === undefined) throw new RangeError(`no limit ${limit}`);
  return make === (limits.signInsOfAddress as unknown) ? make(address) : make(email, address);
};

test('different keys have different names, and equal keys have equal names', () => {
  fc.assert(
    fc.property(attempt, attempt, (one, other) => {
      const keys = [keyOf(one), keyOf(other)];
      const [first, second] = keys.map(({ rule, parts }) => JSON.stringify([rule.name, parts]));
      const [nameOfFirst, nameOfSecond] = keys.map(nameOf);
      expect(nameOfFirst === nameOfSecond).toBe(first === second);
    }),
    { numRuns: 20_000 },
  );
});

test('an attempt counts only for its own person and network', () => {
  fc.assert(
    fc.property(email, email, address, address, (one, other, here, there) => {
      const isSame = foldCase(one) === foldCase(other);
      const shared = [one, other].map((text) => nameOf(limits.signInsOfEmail(text)));
      const own = [
        nameOf(limits.signInsFromOwnNetwork(one, here)),
        nameOf(limits.signInsFromOwnNetwork(other, there)),
      ];
      expect(shared[0] === shared[1]).toBe(isSame);
      expect(own[0] === own[1]).toBe(isSame && networkOf(here) === networkOf(there));
      expect(shared.filter((name) => own.includes(name))).toStrictEqual([]);
    }),
    { numRuns: 5_000 },
  );
});

test('every limit has a unique name, without the colon that precedes parts', () => {
  const names = LIMITS.map((make) => make('a@example.com', '192.0.2.7').rule.name);
  expect(new Set(names).size).toBe(LIMITS.length);
  for (const name of names) expect(name).toMatch(/^[a-z-]+$/);
});
