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

  test('that is given back goes to whoever waits, tenant by tenant', async () => {
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

  test('is not begun by a client who has hung up already', async () => {
    expect(await new FairShare(LIMITS).claim(by('a'), 1, AbortSignal.abort())).toStrictEqual({
      kind: 'cancelled',
    });
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
