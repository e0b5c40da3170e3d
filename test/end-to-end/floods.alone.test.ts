/**
 * Floods against the service in a separate process with the memory of a small container (issue 8): another organization
 * is served throughout. `npm run attack` measures how much slower it is; a busy machine would make such a test fail.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ATTACKS } from '../../bench/attack/all-attacks.ts';
import { type Observer, startObserver } from '../../bench/attack/observe/observer.ts';
import { HEAP_MIB, type OwnService, startOwnService } from '../../bench/attack/own-service.ts';
import { runAttack } from '../../bench/attack/run-attack.ts';
import { otherAddress } from '../../bench/attack/target/target.ts';

/** Beside the heap: code, buffers of connections, and what hashing takes. */
const MAX_PEAK_BYTES = (HEAP_MIB + 256) * 1_048_576;

const SETTINGS = { quietMs: 200, floodMs: 1_200, maxRounds: 4 };

let service: OwnService;
let observer: Observer;

beforeAll(async () => {
  service = await startOwnService();
  const { url, other: credential } = service.target;
  observer = await startObserver({ url, credential, from: otherAddress(url) ?? null });
}, 120_000);

afterAll(async () => {
  observer?.close();
  await service?.close();
}, 120_000);

test.each(ATTACKS)(
  '$title: other callers are served',
  async (attack) => {
    const { turns, refusals, tally } = await runAttack(attack, service.target, observer, SETTINGS);
    expect(refusals).toStrictEqual([]);
    expect(tally.requests).toBeGreaterThan(0);
    // A caller that waits behind the flood completes no request before it ends.
    expect(turns).toBeGreaterThan(0);
  },
  120_000,
);

test('the service is still alive, and its memory has stayed below the limit', async () => {
  expect(service.isAlive()).toBe(true);
  const peak = await service.peakMemory();
  // Only Linux reports the peak.
  if (process.platform === 'linux') expect(peak).toBeLessThan(MAX_PEAK_BYTES);
  else expect(peak).toBeNull();
});
