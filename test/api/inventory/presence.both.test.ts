/**
 * Simulates machines with stock agents second by second, and compares which are on with the status that the
 * service shows (Contract: §13). `npm run bench -- --only presence` does the same with 100,000.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SeededRandom, seededRandom } from '#adapters/demo/seeded-random.ts';
import { makeSilenceJob } from '#application/fleet/fleet-jobs.ts';
import { silenceMinutes } from '#domain/inventory/presence.ts';
import type { TestService } from '#test/api/service/service.ts';
import { movableClock, SOME_INSTANT } from '#test/support/builders.ts';
import { addReporter, devicesOf, type Reporter, recorded, startAgentService } from './agents.ts';

const MINUTE_MS = 60_000;
const DAY = 1_440;
const MACHINES = 12;
/** After so many seconds without a contact, a machine has the status offline. */
const WITHIN_SECONDS = 36 * 60;
/** The worker's pause of five seconds, and a run of two. */
const POLL_SECONDS = 7;

const { clock, moveTo } = movableClock(SOME_INSTANT);
let service: TestService;

beforeAll(async () => {
  service = await startAgentService({ clock });
});
afterAll(() => service.close());

const CONTACT = JSON.parse(recorded('contact.json'));
const AGENT = { headers: { 'User-Agent': 'GLPI-Agent_v1.12-dev' } };
const neverStops = new AbortController().signal;

/** Behaves as `Target.pm` and `Daemon.pm` of GLPI Agent do. */
class Machine {
  readonly hostname: string;
  /** Of each minute, when the agent runs. */
  readonly second: number;
  readonly #reporter: Reporter;
  readonly #random: SeededRandom;
  #nextRun = 0;
  #retryAfter = 0;
  inventories = 0;
  isOn = true;
  /** Whether the service has heard of the machine since it was last turned on. */
  isHeard = false;
  turnedAt = 0;
  /** The second of the last contact. */
  heardAt = 0;

  constructor(reporter: Reporter, number: number, random: SeededRandom) {
    this.second = number * 5;
    this.hostname = `machine-${number}`;
    this.#reporter = reporter;
    this.#random = random;
  }

  turn(isOn: boolean, minute: number): void {
    this.isOn = isOn;
    this.isHeard = false;
    this.turnedAt = minute;
    if (isOn) this.#nextRun = minute;
  }

  async run(minute: number, isUp: boolean): Promise<void> {
    if (!this.isOn || minute < this.#nextRun) return;
    if (!isUp) {
      this.#retryAfter = Math.min(15, Math.max(1, 2 * this.#retryAfter));
      this.#nextRun = minute + this.#retryAfter;
      return;
    }
    this.#retryAfter = 0;
    this.#nextRun = minute + this.#random.integer(13, 15);
    const deviceid = `${this.hostname}-2026-02-10-08-00-00`;
    const { status, body } = await this.#reporter.report({ ...CONTACT, deviceid }, AGENT);
    expect([status, body]).toMatchObject([200, { expiration: '15m' }]);
    this.isHeard = true;
    this.heardAt = minute * 60 + this.second;
    if ((body as { readonly disabled: readonly string[] }).disabled.includes('inventory')) return;
    this.inventories++;
    const content = { hardware: { name: this.hostname }, versionclient: 'GLPI-Agent_v1.12-dev' };
    const inventory = { action: 'inventory', deviceid, itemtype: 'Computer', content };
    expect((await this.#reporter.report(inventory, AGENT)).status).toBe(200);
  }
}

/** What happens to the service or its clock at a minute. The minutes of the machines are not affected. */
type Events = Readonly<Record<number, { readonly isUp?: boolean; readonly jump?: number }>>;

async function live(minutes: number, events: Events, changes: number) {
  const reporter = await addReporter(service);
  const random = seededRandom(`presence ${minutes} ${changes}`);
  const machines = Array.from({ length: MACHINES }, (_, i) => new Machine(reporter, i, random));
  const settings = { contactMinutes: 15, expirationHours: 24, offlineAfterMinutes: null };
  /** Seconds without a contact, of each machine that became offline. */
  const silences: number[] = [];
  const { backend } = service.composition;
  let hasLooked = false;
  const restart = () =>
    makeSilenceJob({
      ...backend,
      markSilent: (...args) => {
        hasLooked = true;
        return backend.markSilent(...args);
      },
      silenceMinutes: silenceMinutes(settings),
      intervalMs: 5_000,
      clock,
    });
  let job = restart();
  let isUp = true;
  /** The service may have lost what it knew before this second. */
  let known = 0;
  let before = new Map<string, string>();
  const wrong: string[] = [];
  for (let second = 0; second < minutes * 60; second++) {
    const minute = Math.floor(second / 60);
    moveTo(clock() + 1_000);
    if (second % 60 === 0) {
      const event = events[minute];
      if (event !== undefined) {
        known = second;
        isUp = event.isUp ?? isUp;
        job = restart();
        moveTo(clock() + (event.jump ?? 0) * MINUTE_MS);
      }
      if (minute > 0 && random.chance(changes / minutes)) {
        const machine = random.pick(machines);
        machine.turn(!machine.isOn, minute);
      }
    }
    for (const machine of machines) if (machine.second === second % 60) await machine.run(minute, isUp);
    if (!isUp || second % POLL_SECONDS !== 0) continue;
    hasLooked = false;
    await job.run({ stopping: neverStops, aborting: neverStops });
    if (!hasLooked) continue;
    const statuses = new Map(
      (await devicesOf(service, reporter)).map(({ hostname, status }) => [hostname, status]),
    );
    for (const { hostname, isOn, isHeard, turnedAt, heardAt } of machines) {
      const isSettled = second - Math.max(turnedAt * 60, known) >= WITHIN_SECONDS;
      const expected = isHeard ? 'online' : isSettled && statuses.has(hostname) ? 'offline' : null;
      const status = statuses.get(hostname);
      if (isOn && isSettled && !isHeard) wrong.push(`${minute}: ${hostname} is on, but was not heard`);
      if (expected !== null && status !== expected) {
        wrong.push(`${minute}: ${hostname} is ${isOn ? 'on' : 'off'}, but ${status}`);
      }
      const isMarked = status === 'offline' && before.get(hostname) === 'online';
      if (isMarked) silences.push(second - Math.max(heardAt, known));
    }
    before = statuses;
  }
  return { wrong, silences, inventories: machines.map((machine) => machine.inventories) };
}

test('each machine has the right status within 36 minutes, and sends one inventory a day', async () => {
  const { wrong, silences, inventories } = await live(400, {}, 40);
  expect(wrong).toStrictEqual([]);
  expect(silences.length).toBeGreaterThan(5);
  expect(Math.max(...silences)).toBeLessThanOrEqual(WITHIN_SECONDS);
  expect(inventories).toStrictEqual(Array(MACHINES).fill(1));
});

test('restarts of the service, short or long, put no machine offline', async () => {
  const restarts = { 60: { isUp: false }, 64: { isUp: true }, 100: { isUp: false }, 190: { isUp: true } };
  const { wrong } = await live(300, restarts, 20);
  expect(wrong).toStrictEqual([]);
});

test.each([
  ['ahead', DAY],
  ['back', -DAY],
])('a clock that jumps %s by a day puts no machine offline', async (_way, jump) => {
  const { wrong } = await live(160, { 70: { jump } }, 12);
  expect(wrong).toStrictEqual([]);
});
