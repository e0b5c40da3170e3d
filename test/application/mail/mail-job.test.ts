/** Sending queued mails: what becomes of a mail, and when it is tried again. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SendOutcome } from '#application/ports/mail/mail-sender.ts';
import { aMail, aMailOfKind, aMailRecipient } from '#test/support/mail/mails.ts';
import { DEFERRED, type MailDeskOptions, openMailDesk, REFUSED, SENT, UNREACHABLE } from './mail-desk.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the mail job', () => {
  test('sends every mail once, with its text, its address and the time when it was queued', async () => {
    const desk = openMailDesk();
    const mail = await desk.queue(
      aMail({ to: aMailRecipient({ name: 'Ada\r\nLovelace', email: 'ada@example.com' }) }),
    );
    await desk.queue();
    const queuedAt = desk.now();
    desk.advance(HOUR);
    await desk.run();
    await desk.run();
    expect(desk.given).toHaveLength(2);
    expect(desk.given[0]).toMatchObject({
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      queuedAt,
      subject: 'Your account deletion request was approved',
      text: expect.stringContaining('Hello Ada Lovelace,'),
      html: expect.stringContaining('Hello Ada Lovelace,'),
    });
    expect((await desk.mails()).map(({ status }) => status)).toStrictEqual(['sent', 'sent']);
    expect(mail.requestId).toBe((await desk.mails())[0]?.requestId);
  });

  test('links to the base URL that it was given', async () => {
    const desk = openMailDesk();
    await desk.queue(aMail());
    await desk.run();
    expect(desk.given[0]?.text).toContain('https://fleet.example.com');
  });

  test('sends each of 200 mails once, four at a time', async () => {
    const desk = openMailDesk({ send: async () => Promise.resolve(SENT) });
    for (let i = 0; i < 200; i++) await desk.queue();
    await desk.run(4);
    expect(desk.given).toHaveLength(200);
    expect(new Set(desk.given.map(({ id }) => id)).size).toBe(200);
  });

  test('tries a deferred mail again after 5 s, 30 s, 2 min, 10 min, 1 h and then every hour', async () => {
    const desk = openMailDesk({ send: (_mail, attempt) => (attempt < 8 ? DEFERRED : SENT) });
    await desk.queue();
    for (const delay of [0, 5_000, 30_000, 2 * MINUTE, 10 * MINUTE, HOUR, HOUR, HOUR]) {
      const before = desk.given.length;
      desk.advance(Math.max(0, delay - 1));
      if (delay > 0) await desk.run();
      expect(desk.given).toHaveLength(before);
      desk.advance(delay > 0 ? 1 : 0);
      await desk.run();
      expect(desk.given).toHaveLength(before + 1);
    }
    expect((await desk.mails())[0]).toMatchObject({ status: 'sent', attempts: 8 });
    expect(new Set(desk.given.map(({ id }) => id)).size).toBe(1);
  });

  test('gives up a deferred mail after 72 hours, and says so', async () => {
    const desk = openMailDesk({ send: () => DEFERRED });
    await desk.queue();
    const queuedAt = desk.now();
    let lastTried = 0;
    for (let runs = 0; (await desk.mails())[0]?.status === 'queued' && runs < 200; runs++) {
      await desk.run();
      lastTried = desk.now();
      desk.advance(((await desk.mails())[0]?.nextAttemptAt ?? desk.now()) - desk.now());
    }
    expect(await desk.mails()).toStrictEqual([
      expect.objectContaining({
        status: 'failed',
        problem: 'gave up after 72 hours: 451 busy (RCPT TO)',
        email: 'ada@example.com',
      }),
    ]);
    expect(lastTried - queuedAt).toBeGreaterThan(71 * HOUR);
    expect(lastTried - queuedAt).toBeLessThanOrEqual(72 * HOUR);
    // 5 s to 10 min, and then every hour.
    expect(desk.given).toHaveLength(76);
  });

  test('counts the 72 hours of a mail that is retried by hand from its retry', async () => {
    const desk = openMailDesk({ send: (_mail, attempt) => (attempt === 1 ? REFUSED : DEFERRED) });
    await desk.queue();
    await desk.run();
    desk.advance(100 * HOUR);
    const [failed] = await desk.mails();
    if (failed === undefined) throw new Error('the mail is gone');
    await desk.outbox.retry(failed.id, desk.now());
    await desk.run();
    expect((await desk.mails())[0]).toMatchObject({ status: 'queued', nextAttemptAt: desk.now() + 5_000 });
  });

  test('fails a refused mail at once, and sends the others', async () => {
    const desk = openMailDesk({ send: ({ email }) => (email === 'gone@example.com' ? REFUSED : SENT) });
    await desk.queue(aMail({ to: aMailRecipient({ email: 'gone@example.com' }) }));
    await desk.queue();
    await desk.run();
    expect(await desk.mails()).toStrictEqual([
      expect.objectContaining({ status: 'failed', problem: '550 no (RCPT TO)', email: 'gone@example.com' }),
      expect.objectContaining({ status: 'sent', problem: null, email: null }),
    ]);
    desk.advance(100 * HOUR);
    await desk.run();
    expect(desk.given).toHaveLength(2);
  });

  test('tries a mail again after an internal error, and does not let it block the others', async () => {
    const desk = openMailDesk({
      send: ({ email }) => {
        if (email === 'odd@example.com') throw new TypeError('about odd@example.com');
        return SENT;
      },
    });
    await desk.queue(aMail({ to: aMailRecipient({ email: 'odd@example.com' }) }));
    await desk.queue();
    await desk.run();
    expect((await desk.mails()).map(({ status, problem }) => [status, problem])).toStrictEqual([
      ['queued', 'internal error (TypeError)'],
      ['sent', null],
    ]);
  });

  test('does not let a mail that cannot be rendered block the others', async () => {
    const desk = openMailDesk();
    await desk.queue(aMailOfKind('deletion-completed', { facts: { completedAt: Number.NaN } }));
    await desk.queue();
    await desk.run();
    expect((await desk.mails()).map(({ status, problem }) => [status, problem])).toStrictEqual([
      ['queued', 'internal error (RangeError)'],
      ['sent', null],
    ]);
  });

  test('takes over the mail of a dead worker once its claim has expired', async () => {
    const desk = openMailDesk();
    await desk.queue();
    const claimed = await desk.outbox.claim(desk.now(), 180_000);
    await desk.run();
    expect(desk.given).toStrictEqual([]);
    desk.advance(180_000);
    await desk.run();
    expect(desk.given.map(({ id }) => id)).toStrictEqual([claimed?.id]);
  });

  describe('while a mail is being sent', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    /** A desk whose sending lasts until the test or the signal ends it. */
    function openSlowDesk(changeOutbox: MailDeskOptions['changeOutbox'] = () => ({})) {
      const sending = Promise.withResolvers<SendOutcome>();
      const signals: AbortSignal[] = [];
      const desk = openMailDesk({
        send: (_mail, _attempt, signal) => {
          signals.push(signal);
          signal.addEventListener('abort', () => sending.resolve(DEFERRED));
          return sending.promise;
        },
        changeOutbox,
      });
      const pass = async (ms: number) => {
        desk.advance(ms);
        await vi.advanceTimersByTimeAsync(ms);
      };
      return { desk, pass, signals, end: () => sending.resolve(SENT) };
    }

    test('no other worker gets it, however long the sending takes', async () => {
      const { desk, pass, signals, end } = openSlowDesk();
      await desk.queue();
      const run = desk.run();
      for (let second = 0; second < 30; second++) {
        await pass(1_000);
        expect(await desk.outbox.claim(desk.now(), 1)).toBeNull();
      }
      end();
      await run;
      expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false]);
      expect((await desk.mails())[0]).toMatchObject({ status: 'sent', attempts: 1 });
    });

    test('its claim lasts five seconds, so that others take it if the worker dies', async () => {
      const leases: number[] = [];
      const { desk, pass, end } = openSlowDesk((outbox) => ({
        claim: (now, leaseMs) => {
          leases.push(leaseMs);
          return outbox.claim(now, leaseMs);
        },
        renew: (claimed, now, leaseMs) => {
          leases.push(leaseMs);
          return outbox.renew(claimed, now, leaseMs);
        },
      }));
      await desk.queue();
      const run = desk.run();
      await pass(2_000);
      end();
      await run;
      expect(new Set(leases)).toStrictEqual(new Set([5_000]));
    });

    test.each([
      ['could not be renewed', () => Promise.reject(new Error('the database is away')), 4_000],
      ['was taken over', () => Promise.resolve(false), 1_000],
    ])('it is abandoned once its claim %s, before another worker begins', async (_what, renew, after) => {
      const { desk, pass, signals } = openSlowDesk(() => ({ renew }));
      await desk.queue();
      const run = desk.run();
      await pass(after - 1);
      expect(signals[0]?.aborted).toBe(false);
      await pass(1);
      expect(signals[0]?.aborted).toBe(true);
      await run;
    });

    test('its claim is not renewed once the sending is over', async () => {
      let renewals = 0;
      const { desk, pass, end } = openSlowDesk((outbox) => ({
        renew: (...args) => {
          renewals++;
          return outbox.renew(...args);
        },
      }));
      await desk.queue();
      const run = desk.run();
      await pass(3_000);
      end();
      await run;
      await pass(60_000);
      expect(renewals).toBe(3);
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  test.each<['settle' | 'time']>([['settle'], ['time']])(
    'settles a sent mail when the database is back (%s), and does not send it again',
    async (failing) => {
      let isAway = false;
      const beAwayAt = (step: typeof failing) => {
        if (isAway && step === failing) throw new Error('the database is away');
      };
      const desk = openMailDesk({
        send: () => {
          isAway = true;
          return SENT;
        },
        beforeTime: () => beAwayAt('time'),
        changeOutbox: (outbox) => ({
          settle: async (claimed, settlement) => {
            beAwayAt('settle');
            return outbox.settle(claimed, settlement);
          },
        }),
      });
      await desk.queue();
      await expect(desk.run()).rejects.toThrow('the database is away');
      await expect(desk.run()).rejects.toThrow('the database is away');
      isAway = false;
      // The claim has expired meanwhile, and no other worker has taken the mail.
      desk.advance(HOUR);
      await desk.run(4);
      expect(desk.given).toHaveLength(1);
      expect((await desk.mails())[0]).toMatchObject({ status: 'sent', attempts: 1 });
      expect(desk.logged.filter(([level]) => level !== 'info')).toStrictEqual([]);
    },
  );

  test('withdraws a mail that failed 30 days ago, and forgets its address', async () => {
    const desk = openMailDesk({ send: () => REFUSED });
    await desk.queue();
    await desk.run();
    desk.advance(30 * 24 * HOUR);
    await desk.run();
    expect((await desk.mails())[0]?.status).toBe('failed');
    desk.advance(HOUR);
    await desk.run();
    expect((await desk.mails())[0]).toMatchObject({ status: 'withdrawn', email: null, problem: null });
  });

  test('logs every attempt without names, addresses or words of the mail', async () => {
    const outcomes = [DEFERRED, UNREACHABLE, REFUSED];
    const desk = openMailDesk({ send: (_mail, attempt) => outcomes[attempt - 1] ?? SENT });
    await desk.queue();
    for (let i = 0; i < 4; i++) {
      await desk.run();
      desk.advance(HOUR);
    }
    await desk.queue();
    await desk.outbox.retryAllFailed(desk.now());
    await desk.run();
    expect(desk.logged.map(([level, , message]) => [level, message])).toStrictEqual([
      ['warn', 'mail not sent'],
      ['warn', 'mail not sent'],
      ['warn', 'mail not sent'],
      ['info', 'mail sent'],
      ['warn', 'mail not sent'],
    ]);
    expect(desk.logged[0]?.[1]).toStrictEqual({
      mail: desk.given[0]?.id,
      kind: 'deletion-approved',
      attempts: 1,
      code: '451 RCPT TO',
      status: 'queued',
    });
    expect(JSON.stringify(desk.logged)).not.toMatch(/\bada\b|lovelace|@|approved your|busy/i);
  });
});

describe('an unreachable server', () => {
  test('is tried with one mail, and not with the mails behind it', async () => {
    const desk = openMailDesk({ send: () => UNREACHABLE });
    for (let i = 0; i < 10; i++) await desk.queue();
    await desk.run();
    expect(desk.given).toHaveLength(1);
    await desk.run(4);
    expect(desk.given).toHaveLength(1);
    expect((await desk.mails()).filter(({ attempts }) => attempts === 0)).toHaveLength(9);
  });

  test('is tried at once after the clock has been set back, without waiting for it to catch up', async () => {
    const desk = openMailDesk({ send: () => UNREACHABLE });
    await desk.queue();
    await desk.run();
    desk.advance(-24 * HOUR);
    await desk.queue();
    await desk.run();
    expect(desk.given).toHaveLength(2);
  });

  test('is tried again after 5 s, 30 s and then every minute, with one mail at a time', async () => {
    const desk = openMailDesk({ send: () => UNREACHABLE });
    for (let i = 0; i < 10; i++) await desk.queue();
    await desk.run();
    for (const delay of [5_000, 30_000, MINUTE, MINUTE, MINUTE]) {
      const before = desk.given.length;
      desk.advance(delay - 1);
      await desk.run(4);
      expect(desk.given).toHaveLength(before);
      desk.advance(1);
      await desk.run(4);
      expect(desk.given).toHaveLength(before + 1);
    }
  });

  test('gets all mails within a minute of its return', async () => {
    let isAway = true;
    const desk = openMailDesk({ send: () => (isAway ? UNREACHABLE : SENT) });
    for (let i = 0; i < 20; i++) await desk.queue();
    for (let seconds = 0; seconds < 3_600; seconds += 5) {
      await desk.run(4);
      desk.advance(5_000);
    }
    isAway = false;
    for (let seconds = 0; seconds <= 60; seconds += 5) {
      await desk.run(4);
      desk.advance(5_000);
    }
    expect((await desk.mails()).filter(({ status }) => status !== 'sent')).toStrictEqual([]);
  });

  test('counts two attempts at the same time as one', async () => {
    const first = Promise.withResolvers<void>();
    const desk = openMailDesk({
      send: async ({ email }) => {
        if (email !== 'slow@example.com') return UNREACHABLE;
        await first.promise;
        return UNREACHABLE;
      },
    });
    await desk.queue(aMail({ to: aMailRecipient({ email: 'slow@example.com' }) }));
    await desk.queue();
    const running = desk.run(2);
    await Promise.resolve();
    first.resolve();
    await running;
    expect(desk.given).toHaveLength(2);
    // The next attempt comes after 5 s, as after a single attempt.
    desk.advance(5_000);
    await desk.run(4);
    expect(desk.given).toHaveLength(3);
  });
});

describe('a mail job that is told to stop', () => {
  test('takes on no more mails, and finishes the current one', async () => {
    const stopping = new AbortController();
    const desk = openMailDesk({
      send: () => {
        stopping.abort();
        return SENT;
      },
    });
    await desk.queue();
    await desk.queue();
    await desk.run(1, { stopping: stopping.signal, aborting: new AbortController().signal });
    expect((await desk.mails()).map(({ status, attempts }) => [status, attempts])).toStrictEqual([
      ['sent', 1],
      ['queued', 0],
    ]);
  });

  test('puts back a mail that it cannot finish, for the next worker', async () => {
    const [stopping, aborting] = [new AbortController(), new AbortController()];
    const desk = openMailDesk({
      send: (_mail, attempt, signal) => {
        if (attempt > 1) return SENT;
        stopping.abort();
        aborting.abort();
        return signal.aborted ? UNREACHABLE : SENT;
      },
    });
    await desk.queue();
    await desk.run(1, { stopping: stopping.signal, aborting: aborting.signal });
    expect((await desk.mails())[0]).toMatchObject({ status: 'queued', nextAttemptAt: desk.now() });
    const next = await desk.outbox.claim(desk.now(), 1);
    expect(next?.attempts).toBe(2);
  });
});
