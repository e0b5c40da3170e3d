/**
 * The clock jumps by a day, either way, while mail is being sent, people sign in and an erasure is half a day
 * away: nothing is sent twice, nothing is erased early, and nobody is locked out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSystemEntryFactory } from '#application/audit/make-entry.ts';
import { makeCautiousClock } from '#application/cautious-clock.ts';
import { type CompleteDeletions, makeCompleteDeletions } from '#application/deletion/complete-deletions.ts';
import { newId } from '#test/support/builders.ts';
import { until } from '#test/support/database/until.ts';
import { type DeletionService, REQUESTS, startDeletionService } from './deletion-service.ts';

const DAY_S = 86_400;

let service: DeletionService;

/** The job of the worker, with the clock that the service has in production. */
let complete: CompleteDeletions = async () => ({ completed: 0, failed: 0 });

beforeAll(async () => {
  service = await startDeletionService({ completeDeletions: (signal) => complete(signal) });
});

afterAll(() => service.close());

test.each([
  ['ahead', 1],
  ['back', -1],
])(
  'a jump %s and back sends nothing twice, erases nothing early and locks nobody out',
  async (_way, sign) => {
    const { composition, now } = service;
    const { backend } = composition;
    let steadyMs = 0;
    const passBoth = (seconds: number) => {
      steadyMs += seconds * 1_000;
      service.pass(seconds);
    };
    const ignore = () => undefined;
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const dueClock = makeCautiousClock({ clock: now, monotonicMs: () => steadyMs, log });
    complete = makeCompleteDeletions({
      ...backend,
      ...{ clock: now, dueClock, log },
      makeSystemEntry: makeSystemEntryFactory({ clock: now, newId }),
    });
    const team = await service.newTeam();
    const { people } = team;
    const request = await service.submit(people.member);
    expect((await service.decide(people.admin, request.id, { action: 'approve' })).status).toBe(200);
    passBoth(29.5 * DAY_S);

    const sent: string[] = [];
    let held: string | null = null;
    let { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const worker = composition.startWorker({
      sendMail: async ({ id }) => {
        sent.push(id);
        // Only the first mail is held, so the worker can send the others.
        held ??= id;
        if (held === id) await gate;
        return { result: 'sent' };
      },
      baseUrl: 'https://fleet.example.com',
      intervalMs: 5,
    });
    const other = await service.addUser({ membership: people.member.membership });
    const strangers = await service.addUser({ membership: people.member.membership });
    const tokens = await service.signIn(other);
    let { refreshToken } = tokens;
    try {
      for (const jump of [sign * DAY_S, -sign * DAY_S]) {
        await until(async () => held !== null);
        service.pass(jump);
        // Every lane of the worker looks for due mail a few times in this time.
        await sleep(100);
        const answers = await Promise.all(
          Array.from({ length: 6 }, () =>
            service.ask('GET', '/api/v1/filters', undefined, tokens.accessToken),
          ),
        );
        for (const { status } of answers) expect([200, 401]).toContain(status);
        const refreshed = await service.refresh(refreshToken);
        expect(refreshed.status).toBe(200);
        ({ refreshToken } = refreshed.body as typeof tokens);
        // Ten attempts in five minutes are allowed, even if the clock jumps between them.
        passBoth(1);
        expect((await service.signIn(strangers)).accessToken).not.toBe('');
        open();
        await until(async () => (await backend.mailOutbox.list('queued', 1)).length === 0);
        held = null;
        ({ promise: gate, resolve: open } = Promise.withResolvers<void>());
        await service.submit(await service.addMember(team));
      }
      open();
      await until(async () => (await backend.mailOutbox.list('queued', 10)).length === 0);
      expect(sent.length).toBeGreaterThan(3);
      expect(new Set(sent).size).toBe(sent.length);
      const still = await service.by(people.admin)('GET', `${REQUESTS}/${request.id}`);
      expect(still.body).toMatchObject({ status: 'processing' });
      passBoth(DAY_S);
      const isErased = async () =>
        (await service.by(people.admin)('GET', `${REQUESTS}/${request.id}`)).text.includes('"completed"');
      await until(isErased);
    } finally {
      open();
      await worker.stop(1_000);
    }
  },
);
