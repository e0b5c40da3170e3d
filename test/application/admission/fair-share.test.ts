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

/** The outcome of a claim so far; null while it waits. */
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
  test('is limited per caller, and a colleague still gets in', async () => {
    const share = new FairShare(LIMITS);
    for (let i = 0; i < 3; i++) await granted(share.claim(by('a', 'flood'), 1));
    const waiting = watch(share.claim(by('a', 'flood'), 1));
    const colleague = watch(share.claim(by('a', 'colleague'), 1));
    await settle();
    expect(waiting.outcome).toBeNull();
    expect(colleague.outcome?.kind).toBe('granted');
  });

  test('is limited per tenant, and another tenant still gets in', async () => {
    const share = new FairShare(LIMITS);
    for (let i = 0; i < 4; i++) await granted(share.claim(by('a', `caller ${i}`), 1));
    const waiting = watch(share.claim(by('a', 'another'), 1));
    const other = watch(share.claim(by('b'), 1));
    await settle();
    expect(waiting.outcome).toBeNull();
    expect(other.outcome?.kind).toBe('granted');
  });

  test('goes to the waiting tenants in turn once it is released', async () => {
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

  test('is released once, even if release is called twice', async () => {
    const share = new FairShare(LIMITS);
    const release = await granted(share.claim(by('a'), 2));
    release();
    release();
    expect(share.held).toBe(0);
  });

  test('can be overdrawn by a charge, and its tenant then waits until the charge is released', async () => {
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

  test('is capped at the limit per caller, however large the claim', async () => {
    const share = new FairShare(LIMITS);
    await granted(share.claim(by('a'), 100));
    expect(share.held).toBe(3);
  });
});

describe('waiting', () => {
  test('is refused at once beyond the number of claims that may wait per caller', async () => {
    const share = new FairShare(LIMITS);
    await granted(share.claim(by('a'), 3));
    const waiting = [watch(share.claim(by('a'), 1)), watch(share.claim(by('a'), 1))];
    expect(await share.claim(by('a'), 1)).toStrictEqual({ kind: 'refused' });
    await settle();
    expect(waiting.map(({ outcome }) => outcome)).toStrictEqual([null, null]);
  });

  test('ends in a refusal after the longest allowed wait', async () => {
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

  test('does not begin for a client that has already hung up', async () => {
    expect(await new FairShare(LIMITS).claim(by('a'), 1, AbortSignal.abort())).toStrictEqual({
      kind: 'cancelled',
    });
  });
});

describe('slow turns', () => {
  const SLOW: ShareLimits = { ...LIMITS, slow: { afterMs: 100, allowanceMs: 1_000, perTenant: 1 } };

  /** A share with a clock that moves only through `pass`. */
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

  /** Takes `count` turns at once, each of `ms` milliseconds. */
  async function takeTurns(share: FairShare, pass: (ms: number) => void, count: number, ms: number) {
    const releases = await Promise.all(
      Array.from({ length: count }, () => granted(share.claim(by('a', 'flood'), 1))),
    );
    pass(ms);
    for (const release of releases) release();
  }

  test('make the next turns of the tenant come one after the other, for every caller', async () => {
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

  test('leave a tenant the configured number of turns at once', async () => {
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

  test('keep their tenant limited while they continue one after the other', async () => {
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

  test('do not include turns up to the threshold, nor an occasional longer one', async () => {
    const { share, pass } = shareWithClock();
    for (let i = 0; i < 1_000; i++) await takeTurns(share, pass, 3, 100);
    for (let i = 0; i < 1_000; i++) await takeTurns(share, pass, 3, i % 20 === 0 ? 300 : 50);
    for (let i = 0; i < 3; i++) await granted(share.claim(by('a'), 1));
    expect(share.held).toBe(3);
  });

  test('are forgotten once their tenant has been idle', async () => {
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

test('no limit is ever exceeded, every claim is granted in the end, and nothing stays held', async () => {
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
