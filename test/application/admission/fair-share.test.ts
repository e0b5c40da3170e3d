import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  type ClaimOutcome,
  FairShare,
  type Release,
  type ShareLimits,
} from '#application/admission/fair-share.ts';

const LIMITS: ShareLimits = {
  total: 8,
  perTenant: 4,
  perCaller: 3,
  maxWaitingPerCaller: 2,
  maxWaitingPerTenant: 4,
  maxWaitMs: 1_000,
};

const by = (tenant: string, caller = 'somebody') => ({ tenant, caller });

/** What has been decided of a claim so far. */
function watch(claim: Promise<ClaimOutcome>): { outcome: ClaimOutcome | null } {
  const watched: { outcome: ClaimOutcome | null } = { outcome: null };
  void claim.then((outcome) => {
    watched.outcome = outcome;
  });
  return watched;
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

async function granted(claim: Promise<ClaimOutcome>): Promise<Release> {
  const outcome = await claim;
  if (outcome.kind !== 'granted') throw new Error(`the claim was ${outcome.kind}`);
  return outcome.release;
}

describe('a share', () => {
  test('of one caller is not more than theirs, and the rest of their tenant still gets in', async () => {
    const share = new FairShare(LIMITS);
    for (let i = 0; i < 3; i++) await granted(share.claim(by('a', 'flood'), 1));
    const waiting = watch(share.claim(by('a', 'flood'), 1));
    const colleague = watch(share.claim(by('a', 'colleague'), 1));
    await settle();
    expect(waiting.outcome).toBeNull();
    expect(colleague.outcome?.kind).toBe('granted');
  });

  test('of one tenant is not more than theirs, and another tenant still gets in', async () => {
    const share = new FairShare(LIMITS);
    for (let i = 0; i < 4; i++) await granted(share.claim(by('a', `caller ${i}`), 1));
    const waiting = watch(share.claim(by('a', 'another'), 1));
    const other = watch(share.claim(by('b'), 1));
    await settle();
    expect(waiting.outcome).toBeNull();
    expect(other.outcome?.kind).toBe('granted');
  });

  test('that is given back goes to waiting callers, tenant by tenant', async () => {
    const share = new FairShare({ ...LIMITS, total: 2, perTenant: 2, perCaller: 2 });
    const first = await granted(share.claim(by('a'), 1));
    const second = await granted(share.claim(by('a'), 1));
    const order: string[] = [];
    for (const name of ['a', 'a', 'b']) void share.claim(by(name), 1).then(() => order.push(name));
    await settle();
    first();
    second();
    await settle();
    expect(order).toStrictEqual(['a', 'b']);
  });

  test('is given back once, however often that is said', async () => {
    const share = new FairShare(LIMITS);
    const release = await granted(share.claim(by('a'), 2));
    release();
    release();
    expect(share.held).toBe(0);
  });

  test('is overdrawn by what is in use already, and then nothing is granted until that is back', async () => {
    const share = new FairShare(LIMITS);
    const release = share.charge(by('a'), 6);
    const waiting = watch(share.claim(by('a', 'colleague'), 1));
    const other = watch(share.claim(by('b'), 1));
    await settle();
    expect([waiting.outcome, other.outcome?.kind, share.held]).toStrictEqual([null, 'granted', 7]);
    release();
    await settle();
    expect(waiting.outcome?.kind).toBe('granted');
  });

  test('is capped for a claim that is larger than any share', async () => {
    const share = new FairShare(LIMITS);
    await granted(share.claim(by('a'), 100));
    expect(share.held).toBe(3);
  });
});

describe('waiting', () => {
  test('is refused at once beyond what may wait of a caller', async () => {
    const share = new FairShare(LIMITS);
    await granted(share.claim(by('a'), 3));
    const waiting = [watch(share.claim(by('a'), 1)), watch(share.claim(by('a'), 1))];
    expect(await share.claim(by('a'), 1)).toStrictEqual({ kind: 'refused' });
    await settle();
    expect(waiting.map(({ outcome }) => outcome)).toStrictEqual([null, null]);
  });

  test('ends in a refusal when it has taken too long', async () => {
    vi.useFakeTimers();
    try {
      const share = new FairShare(LIMITS);
      await granted(share.claim(by('a'), 3));
      const claim = share.claim(by('a'), 1);
      await vi.advanceTimersByTimeAsync(LIMITS.maxWaitMs);
      expect(await claim).toStrictEqual({ kind: 'refused' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('ends when the client hangs up, and the turn goes to the next', async () => {
    const share = new FairShare(LIMITS);
    const release = await granted(share.claim(by('a'), 3));
    const client = new AbortController();
    const gone = share.claim(by('a'), 1, client.signal);
    const next = watch(share.claim(by('a'), 1));
    client.abort();
    expect(await gone).toStrictEqual({ kind: 'cancelled' });
    release();
    await settle();
    expect(next.outcome?.kind).toBe('granted');
  });

  test('leaves no listener behind on a signal', async () => {
    const share = new FairShare(LIMITS);
    const release = await granted(share.claim(by('a'), 3));
    const { signal } = new AbortController();
    const waiting = share.claim(by('a'), 1, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    release();
    await granted(waiting);
    expect(getEventListeners(signal, 'abort')).toStrictEqual([]);
  });

  test('is not begun by a client who has hung up already', async () => {
    expect(await new FairShare(LIMITS).claim(by('a'), 1, AbortSignal.abort())).toStrictEqual({
      kind: 'cancelled',
    });
  });
});

describe('slow turns', () => {
  const SLOW: ShareLimits = { ...LIMITS, slow: { afterMs: 100, allowanceMs: 1_000, perTenant: 1 } };

  /** A share by a clock that stands still unless it is moved. */
  function shareWithClock(limits: ShareLimits = SLOW) {
    let now = 0;
    const share = new FairShare({ ...limits, maxWaitingPerCaller: 100, maxWaitingPerTenant: 100 }, () => now);
    return {
      share,
      pass: (ms: number) => {
        now += ms;
      },
    };
  }

  /** So many turns at once that last so long. */
  async function takeTurns(share: FairShare, pass: (ms: number) => void, count: number, ms: number) {
    const releases = await Promise.all(
      Array.from({ length: count }, () => granted(share.claim(by('a', 'flood'), 1))),
    );
    pass(ms);
    for (const release of releases) release();
  }

  test('make the next ones of the tenant come one after the other, for every caller', async () => {
    const { share, pass } = shareWithClock();
    await takeTurns(share, pass, 3, 2_000);
    const first = await granted(share.claim(by('a', 'flood'), 1));
    const [again, colleague] = [watch(share.claim(by('a', 'flood'), 1)), watch(share.claim(by('a'), 1))];
    await settle();
    expect([again.outcome, colleague.outcome]).toStrictEqual([null, null]);
    first();
    await settle();
    expect([again.outcome?.kind, colleague.outcome]).toStrictEqual(['granted', null]);
  });

  test('change nothing for another tenant', async () => {
    const { share, pass } = shareWithClock();
    await takeTurns(share, pass, 3, 2_000);
    for (let i = 0; i < 3; i++) await granted(share.claim(by('b'), 1));
    expect(share.held).toBe(3);
  });

  test('leave a tenant as many turns at once as there are cores to spare', async () => {
    const { share, pass } = shareWithClock({
      ...SLOW,
      slow: { afterMs: 100, allowanceMs: 1_000, perTenant: 2 },
    });
    await takeTurns(share, pass, 3, 2_000);
    for (let i = 0; i < 2; i++) await granted(share.claim(by('a'), 1));
    const third = watch(share.claim(by('a'), 1));
    await settle();
    expect(third.outcome).toBeNull();
  });

  test('wear off, however many there were', async () => {
    const { share, pass } = shareWithClock();
    for (let i = 0; i < 20; i++) await takeTurns(share, pass, 1, 2_000);
    pass(8_000);
    await granted(share.claim(by('a'), 1));
    const early = watch(share.claim(by('a'), 1));
    await settle();
    expect(early.outcome?.kind).toBe('granted');
  });

  test('one after the other are no way to have many at once again', async () => {
    const { share, pass } = shareWithClock();
    for (let i = 0; i < 20; i++) {
      await takeTurns(share, pass, 1, 2_000);
      if (i < 2) continue;
      const release = await granted(share.claim(by('a'), 1));
      const second = new AbortController();
      const waiting = share.claim(by('a'), 1, second.signal);
      second.abort();
      expect(await waiting).toStrictEqual({ kind: 'cancelled' });
      release();
    }
  });

  test('are no turns of less than so long, and one now and then is none', async () => {
    const { share, pass } = shareWithClock();
    for (let i = 0; i < 1_000; i++) await takeTurns(share, pass, 3, 100);
    for (let i = 0; i < 1_000; i++) await takeTurns(share, pass, 3, i % 20 === 0 ? 300 : 50);
    for (let i = 0; i < 3; i++) await granted(share.claim(by('a'), 1));
    expect(share.held).toBe(3);
  });

  test('are forgotten with their tenant', async () => {
    const { share, pass } = shareWithClock();
    const claims = 50;
    for (let i = 0; i < claims; i++) {
      const release = await granted(share.claim(by(`tenant ${i}`), 1));
      pass(2_000);
      release();
    }
    expect(share.remembered).toBeGreaterThan(0);
    pass(60_000);
    const release = await granted(share.claim(by('another'), 1));
    pass(2_000);
    release();
    expect(share.remembered).toBe(1);
  });
});

test('no share is ever exceeded, nobody waits in vain, and nothing is left at the end', async () => {
  const step = fc.record({
    tenant: fc.constantFrom('a', 'b', 'c'),
    caller: fc.constantFrom('x', 'y'),
    units: fc.integer({ min: 1, max: 3 }),
    isClaim: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const share = new FairShare({ ...LIMITS, maxWaitingPerCaller: 100, maxWaitingPerTenant: 100 });
      const held: { tenant: string; caller: string; units: number; release: Release }[] = [];
      let open = 0;
      const sum = (of: typeof held) => of.reduce((units, claim) => units + claim.units, 0);
      const check = () => {
        expect(share.held).toBe(sum(held));
        expect(share.held).toBeLessThanOrEqual(LIMITS.total);
        for (const tenant of ['a', 'b', 'c']) {
          const ofTenant = held.filter((claim) => claim.tenant === tenant);
          expect(sum(ofTenant)).toBeLessThanOrEqual(LIMITS.perTenant);
          for (const caller of ['x', 'y']) {
            expect(sum(ofTenant.filter((claim) => claim.caller === caller))).toBeLessThanOrEqual(
              LIMITS.perCaller,
            );
          }
        }
      };
      for (const { tenant, caller, units, isClaim } of steps) {
        if (isClaim) {
          open++;
          void share.claim({ tenant, caller }, units).then((outcome) => {
            if (outcome.kind === 'granted') held.push({ tenant, caller, units, release: outcome.release });
            open--;
          });
        } else held.shift()?.release();
        await settle();
        check();
      }
      while (held.length > 0) {
        held.shift()?.release();
        await settle();
        check();
      }
      expect(open).toBe(0);
    }),
  );
});
