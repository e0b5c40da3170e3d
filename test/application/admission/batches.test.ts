import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Batches, type BatchLimits, type Piece } from '#application/admission/batches.ts';

const LIMITS: BatchLimits = { atOnce: 2, size: 4, expectedMs: 3 };

interface Named extends Piece {
  readonly name: string;
}

const piece = (name: string, caller = 'somebody', expectedMs = 0.1): Named => ({ name, caller, expectedMs });

/** A batch that waits to take its pieces, or has taken them and is at work. */
interface Begun {
  readonly tenant: string;
  /** Returns the names of the pieces. */
  readonly take: () => readonly string[];
  readonly end: () => void;
}

/** Batches whose progress the test decides. */
function start(limits = LIMITS) {
  const begun: Begun[] = [];
  const batches = new Batches<Named>(limits, (tenant, take) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push({ tenant, take: () => take().map(({ name }) => name), end: resolve });
    return promise;
  });
  const add = (...pieces: readonly Named[]) => {
    for (const one of pieces) batches.add('tenant', one);
  };
  return { batches, begun, add };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a batch', () => {
  test('takes all pieces added so far, and later pieces go into the next batch', async () => {
    const { batches, begun, add } = start();
    add(piece('a'), piece('b'));
    expect(begun).toHaveLength(1);
    expect(begun[0]?.take()).toStrictEqual(['a', 'b']);
    add(piece('c'));
    expect(begun).toHaveLength(2);
    add(piece('d'));
    expect(begun[1]?.take()).toStrictEqual(['c', 'd']);
    add(piece('e'));
    expect(begun).toHaveLength(2);
    expect(batches.waiting).toBe(1);
    begun[0]?.end();
    await settle();
    expect(begun[2]?.take()).toStrictEqual(['e']);
  });

  test('takes no more pieces than fit, and the rest goes into the next batch at once', () => {
    const { begun, add } = start();
    add(...['a', 'b', 'c', 'd', 'e'].map((name) => piece(name)));
    expect(begun[0]?.take()).toStrictEqual(['a', 'b', 'c', 'd']);
    expect(begun[1]?.take()).toStrictEqual(['e']);
  });

  test('takes no more pieces than fit into its expected duration', () => {
    const { begun, add } = start();
    add(piece('a', 'x', 2), piece('b', 'x', 2), piece('c', 'x', 1), piece('d', 'x', 9));
    expect(begun[0]?.take()).toStrictEqual(['a']);
    expect(begun[1]?.take()).toStrictEqual(['b', 'c']);
  });

  test('holds the pieces of one tenant only', () => {
    const { batches, begun } = start();
    batches.add('one', piece('a'));
    batches.add('other', piece('b'));
    expect(begun.map(({ tenant, take }) => [tenant, take()])).toStrictEqual([
      ['one', ['a']],
      ['other', ['b']],
    ]);
  });

  test('takes pieces from its callers in turn', () => {
    const { begun, add } = start();
    add(...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => piece(name, 'a')), piece('b1', 'b'));
    expect(begun[0]?.take()).toStrictEqual(['a1', 'b1', 'a2', 'a3']);
    add(piece('b2', 'b'));
    expect(begun[1]?.take()).toStrictEqual(['a4', 'b2', 'a5']);
  });

  test('leaves out withdrawn pieces, and only a waiting piece can be withdrawn', async () => {
    const { batches, begun, add } = start();
    const [a, b] = [piece('a'), piece('b')];
    add(a, b);
    expect(batches.withdraw('tenant', a)).toBe(true);
    expect(batches.withdraw('tenant', a)).toBe(false);
    expect(begun[0]?.take()).toStrictEqual(['b']);
    expect(batches.withdraw('tenant', b)).toBe(false);
    const c = piece('c');
    add(c);
    expect(batches.withdraw('tenant', c)).toBe(true);
    expect(begun[1]?.take()).toStrictEqual([]);
    for (const { end } of begun) end();
    await settle();
    expect(batches).toMatchObject({ waiting: 0, remembered: 0 });
  });
});

test('waiting pieces are counted by tenant and by caller', () => {
  const { batches, begun, add } = start();
  add(piece('a', 'x'), piece('b', 'x'), piece('c', 'y'));
  expect(batches.waitingOf('tenant', 'x')).toStrictEqual({ ofTenant: 3, ofCaller: 2 });
  expect(batches.waitingOf('other', 'x')).toStrictEqual({ ofTenant: 0, ofCaller: 0 });
  begun[0]?.take();
  expect(batches.waitingOf('tenant', 'x')).toStrictEqual({ ofTenant: 0, ofCaller: 0 });
});

test('in any order of steps, each piece is taken once or withdrawn, in bounded batches, with nothing kept', async () => {
  const limits: BatchLimits = { atOnce: 2, size: 3, expectedMs: 3 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('add', 'withdraw', 'take', 'end'), { maxLength: 60 }),
      async (steps) => {
        const { batches, begun, add } = start(limits);
        const added: Named[] = [];
        const taken: string[] = [];
        const withdrawn: string[] = [];
        let [takers, ended] = [0, 0];
        const take = () => {
          const batch = begun[takers]?.take() ?? [];
          if (takers < begun.length) takers++;
          expect(batch.length).toBeLessThanOrEqual(limits.size);
          taken.push(...batch);
        };
        const end = async () => {
          if (ended < takers) begun[ended++]?.end();
          await settle();
        };
        for (const [i, step] of steps.entries()) {
          if (step === 'add') {
            const one = piece(`${i}`, `caller ${i % 3}`, i % 4);
            added.push(one);
            add(one);
          } else if (step === 'withdraw') {
            const one = added[i % Math.max(1, added.length)];
            if (one !== undefined && batches.withdraw('tenant', one)) withdrawn.push(one.name);
          } else if (step === 'take') take();
          else await end();
          expect(begun.length - ended).toBeLessThanOrEqual(limits.atOnce);
        }
        while (ended < begun.length) {
          take();
          await end();
        }
        expect([...taken, ...withdrawn].toSorted()).toStrictEqual(added.map(({ name }) => name).toSorted());
        expect(batches).toMatchObject({ waiting: 0, remembered: 0 });
      },
    ),
    { numRuns: 50 },
  );
});
