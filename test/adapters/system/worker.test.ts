/** The worker runs each job at intervals, independently of the others, until it is stopped. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWorker, type Worker } from '#adapters/system/worker.ts';
import type { Job, StopSignals } from '#application/job.ts';

const INTERVAL_MS = 5_000;

const logged: (readonly [level: string, facts: object])[] = [];
const logAs = (level: string) => (facts: object) => void logged.push([level, facts]);
const log = { debug: logAs('debug'), info: logAs('info'), warn: logAs('warn'), error: logAs('error') };

let worker: Worker | null = null;

beforeEach(() => {
  vi.useFakeTimers();
  logged.length = 0;
});

afterEach(async () => {
  const stopped = worker?.stop(0);
  await vi.runAllTimersAsync();
  await stopped;
  worker = null;
  vi.useRealTimers();
});

function start(...jobs: readonly Job[]): Worker {
  worker = startWorker({ jobs, intervalMs: INTERVAL_MS, log });
  return worker;
}

/** A job that counts its runs. */
function counting(name = 'counting', run: (stop: StopSignals) => Promise<void> = async () => undefined) {
  const job = {
    name,
    concurrency: 1,
    runs: 0,
    run: (stop: StopSignals) => {
      job.runs++;
      return run(stop);
    },
  };
  return job;
}

/** A job that works until a test lets it end. */
function lasting(name = 'lasting', onStop: (stop: StopSignals, end: () => void) => void = () => undefined) {
  const ends: (() => void)[] = [];
  const job = counting(name, (stop) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    onStop(stop, resolve);
    return promise;
  });
  return Object.assign(job, { end: () => ends.shift()?.() });
}

describe('a worker', () => {
  test('runs a job at once, and again after each interval', async () => {
    const job = counting();
    start(job);
    expect(job.runs).toBe(1);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(job.runs).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(job.runs).toBe(2);
    await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(job.runs).toBe(12);
  });

  test('never runs a job with a concurrency of one twice at once', async () => {
    const job = lasting();
    start(job);
    await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(job.runs).toBe(1);
    job.end();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(job.runs).toBe(2);
    job.end();
  });

  test('runs a job as many times at once as its concurrency says', async () => {
    const job = Object.assign(lasting(), { concurrency: 3 });
    start(job);
    expect(job.runs).toBe(3);
    job.end();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(job.runs).toBe(4);
    for (let i = 0; i < 3; i++) job.end();
  });

  test('runs a nudged job at once, and no other', async () => {
    const [mail, other] = [counting('mail'), counting('other')];
    start(mail, other).nudge('mail');
    await vi.advanceTimersByTimeAsync(0);
    expect([mail.runs, other.runs]).toStrictEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect([mail.runs, other.runs]).toStrictEqual([3, 2]);
  });

  test('runs a job once more if it is nudged while it runs', async () => {
    const job = lasting('mail');
    const { nudge } = start(job);
    nudge('mail');
    nudge('mail');
    job.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(job.runs).toBe(2);
    job.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(job.runs).toBe(2);
  });

  test('keeps running a job that failed, and the others meanwhile', async () => {
    const failing = counting('failing', () => Promise.reject(new Error('about ada@example.com')));
    const throwing = counting('throwing', () => {
      throw new TypeError('about ada@example.com');
    });
    const sound = counting('sound');
    start(failing, throwing, sound);
    await vi.advanceTimersByTimeAsync(2 * INTERVAL_MS);
    expect([failing.runs, throwing.runs, sound.runs]).toStrictEqual([3, 3, 3]);
  });

  test('runs a job at the interval that the job asks for', async () => {
    const [often, usual] = [{ ...counting('often'), intervalMs: INTERVAL_MS / 5 }, counting('usual')];
    let runs = 0;
    start({ ...often, run: async () => void runs++ }, usual);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect([runs, usual.runs]).toStrictEqual([6, 2]);
  });

  test('logs a failure with job, name, code and stack, but without its message', async () => {
    const error = Object.assign(new Error('about ada@example.com\nof several lines'), { code: '57P01' });
    start(counting('failing', () => Promise.reject(error)));
    await vi.advanceTimersByTimeAsync(0);
    expect(logged).toStrictEqual([
      [
        'error',
        {
          job: 'failing',
          error: { name: 'Error', code: '57P01', stack: expect.stringContaining('worker.test.ts') },
        },
      ],
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/ada@|several/);
  });

  test('logs a failure that is no error, and one without a stack', async () => {
    const bare = Object.assign(new RangeError('secret'), { stack: 'secret' });
    start(
      counting('odd', () => Promise.reject('secret')),
      counting('bare', () => Promise.reject(bare)),
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(logged.map(([, facts]) => facts)).toStrictEqual([
      { job: 'odd', error: { name: 'string' } },
      { job: 'bare', error: { name: 'RangeError', stack: '' } },
    ]);
  });
});

describe('a worker that is stopped', () => {
  test('ends at once if nothing is running, and runs nothing any more', async () => {
    const job = counting();
    const stopping = start(job);
    await vi.advanceTimersByTimeAsync(0);
    await stopping.stop(10_000);
    stopping.nudge('counting');
    await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(job.runs).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('waits for running jobs, and tells them to end', async () => {
    const told: boolean[] = [];
    const job = lasting('lasting', ({ stopping, aborting }, end) =>
      stopping.addEventListener('abort', () => {
        told.push(stopping.aborted, aborting.aborted);
        setTimeout(end, 3_000);
      }),
    );
    const ended = start(job)
      .stop(10_000)
      .then(() => Date.now());
    const before = Date.now();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told).toStrictEqual([true, false]);
    expect((await ended) - before).toBe(3_000);
    expect(logged).toStrictEqual([]);
  });

  test('waits for work that a job has left unfinished after its last run', async () => {
    const left = Promise.withResolvers<void>();
    const job = { ...counting(), finish: () => left.promise };
    let isOver = false;
    const stopping = start(job);
    await vi.advanceTimersByTimeAsync(0);
    const ended = stopping.stop(10_000).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isOver).toBe(false);
    left.resolve();
    await ended;
    expect(logged).toStrictEqual([]);
  });

  test('aborts jobs that take too long two seconds before the end', async () => {
    const job = lasting('lasting', ({ aborting }, end) => aborting.addEventListener('abort', () => end()));
    const before = Date.now();
    const ended = start(job)
      .stop(10_000)
      .then(() => Date.now());
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await ended) - before).toBe(8_000);
    expect(logged).toStrictEqual([]);
  });

  test('leaves behind a job that does not react, and logs a warning', async () => {
    const before = Date.now();
    const job = lasting();
    const ended = start(job)
      .stop(10_000)
      .then(() => Date.now());
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await ended) - before).toBe(10_000);
    expect(logged).toStrictEqual([['warn', {}]]);
    job.end();
  });
});
