/** Asking for a new password takes as long for an email that nobody has as for a known one (Contract: §16). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUTH, type AuthService, startAuthService } from '#test/api/service/auth-service.ts';
import { aUser } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

/** Emails of each list. */
const ASKED = 300;
const ROUNDS = 3;

let service: AuthService;
let asked = 0;

beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.close());

/** From a network that has asked for nothing yet, so no limit is reached. Returns milliseconds. */
async function timeOf(email: string): Promise<number> {
  const n = asked++;
  const began = performance.now();
  const answer = await service.askFrom(`10.${n >> 8}.${n & 255}.7`, `${AUTH}/password-reset`, { email });
  expect(answer.status).toBe(202);
  return performance.now() - began;
}

async function knownEmails(): Promise<readonly string[]> {
  const users = Array.from({ length: ASKED }, () => aUser());
  await loadFleet(service.composition.backend, users);
  return users.map(({ email }) => email);
}

const unknownEmails = async () => Array.from({ length: ASKED }, () => aUser().email);

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

interface Round {
  /** The median of how much longer known emails take, in milliseconds. */
  readonly difference: number;
  /** The median of how much longer the first lists take than the second ones of the same kind. */
  readonly chance: number;
  /** How far such a median is from its true value (standard error). */
  readonly spread: number;
  readonly median: number;
}

/** Asks for two lists of each kind in turns, so what else the machine does slows all four alike. */
async function measure(): Promise<Round> {
  const lists = [await knownEmails(), await knownEmails(), await unknownEmails(), await unknownEmails()];
  const turns: number[][] = [];
  for (let i = 0; i < ASKED; i++) {
    const times: number[] = [];
    // Each list is the first as often as the others.
    for (let turn = 0; turn < lists.length; turn++) {
      const list = (i + turn) % lists.length;
      times[list] = await timeOf(lists[list]?.[i] ?? '');
    }
    turns.push(times);
  }
  const pairs = turns.map(([known = 0, knownAgain = 0, unknown = 0, unknownAgain = 0]) => ({
    difference: (known + knownAgain - unknown - unknownAgain) / 2,
    chance: (known - knownAgain + unknown - unknownAgain) / 2,
  }));
  const chances = pairs.map(({ chance }) => chance);
  const chance = medianOf(chances);
  // 1.4826 turns the median deviation into the standard deviation, and 1.2533 that of a mean into that of a median.
  const deviation = medianOf(chances.map((each) => Math.abs(each - chance)));
  return {
    difference: medianOf(pairs.map(({ difference }) => difference)),
    ...{ chance, spread: (1.4826 * 1.2533 * deviation) / Math.sqrt(ASKED) },
    median: medianOf(turns.flat()),
  };
}

test('known and unknown emails differ no more than two equal lists do by chance', async ({ annotate }) => {
  // The first requests open connections and are compiled.
  for (const email of await unknownEmails()) await timeOf(email);
  let excess = Number.POSITIVE_INFINITY;
  // What else the machine does may disturb one round.
  for (let round = 0; round < ROUNDS && excess > 1; round++) {
    const { difference, chance, spread, median } = await measure();
    await annotate(JSON.stringify({ difference, chance, spread, median }));
    // A fiftieth is always allowed: it is far below what a network adds.
    excess = Math.abs(difference) / (3 * spread + median / 50);
  }
  expect(excess).toBeLessThanOrEqual(1);
});
