/** Who is let in when, and who is kept waiting by whom. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { FairGate, type Leave } from '#adapters/postgres/fair-gate.ts';

/** Longer than any test takes, in milliseconds. */
const PATIENT_MS = 60_000;

/** Enters as each caller in turn; `inside` fills up with the callers in the order in which they are let in. */
function line(gate: FairGate, callers: readonly string[]) {
  const inside: string[] = [];
  const leaves = new Map<string, Leave[]>();
  for (const caller of callers) {
    void gate.enter(caller, PATIENT_MS, undefined).then((leave) => {
      if (typeof leave === 'string') throw new Error(`${caller} was turned away: ${leave}`);
      inside.push(caller);
      leaves.set(caller, [...(leaves.get(caller) ?? []), leave]);
    });
  }
  return {
    inside,
    /** One of the caller's turns ends, and whoever is next comes in. */
    leave: async (caller: string) => {
      const [first, ...rest] = leaves.get(caller) ?? [];
      if (first === undefined) throw new Error(`${caller} is not inside`);
      leaves.set(caller, rest);
      first();
      await settle();
    },
  };
}

/** Lets everything happen that can happen without waiting. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('FairGate', () => {
  test('lets as many in as it has room for, in the order of arrival', async () => {
    const { inside, leave } = line(new FairGate(2, 2), ['a', 'b', 'c', 'd']);
    await settle();
    expect(inside).toStrictEqual(['a', 'b']);
    await leave('b');
    expect(inside).toStrictEqual(['a', 'b', 'c']);
    await leave('a');
    expect(inside).toStrictEqual(['a', 'b', 'c', 'd']);
  });

  test('lets others past a caller who has a share inside already', async () => {
    const { inside, leave } = line(new FairGate(4, 2), ['slow', 'slow', 'slow', 'slow', 'quick', 'other']);
    await settle();
    expect(inside).toStrictEqual(['slow', 'slow', 'quick', 'other']);
    await leave('quick');
    await leave('other');
    expect(inside).toStrictEqual(['slow', 'slow', 'quick', 'other']);
    await leave('slow');
    expect(inside).toStrictEqual(['slow', 'slow', 'quick', 'other', 'slow']);
  });

  test('never lets more of one caller in than the share, nor more in all than there is room for', async () => {
    const gate = new FairGate(5, 3);
    const callers = ['a', 'b', 'c'];
    const inside = new Map<string, number>();
    const most = { ofOne: 0, inAll: 0 };
    await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const caller = callers[(i * i) % 3] ?? 'a';
        const leave = await gate.enter(caller, PATIENT_MS, undefined);
        if (typeof leave === 'string') throw new Error(leave);
        inside.set(caller, (inside.get(caller) ?? 0) + 1);
        most.ofOne = Math.max(most.ofOne, ...inside.values());
        most.inAll = Math.max(
          most.inAll,
          [...inside.values()].reduce((sum, n) => sum + n, 0),
        );
        await settle();
        inside.set(caller, (inside.get(caller) ?? 0) - 1);
        leave();
      }),
    );
    expect(most).toStrictEqual({ ofOne: 3, inAll: 5 });
    expect([...inside.values()]).toStrictEqual([0, 0]);
  });

  test('turns away whoever waits longer than they have patience, and forgets them', async () => {
    const gate = new FairGate(1, 1);
    const leave = await gate.enter('a', PATIENT_MS, undefined);
    expect(await gate.enter('b', 1, undefined)).toBe('timeout');
    expect(await gate.enter('b', 0, undefined)).toBe('timeout');
    expect(await gate.enter('b', -5, undefined)).toBe('timeout');
    if (typeof leave === 'string') throw new Error(leave);
    leave();
    expect(await gate.enter('c', 0, undefined)).toBeTypeOf('function');
  });

  test('turns away whoever gives up while waiting, and keeps the order of the others', async () => {
    const gate = new FairGate(1, 1);
    const first = await gate.enter('a', PATIENT_MS, undefined);
    if (typeof first === 'string') throw new Error(first);
    const controller = new AbortController();
    const givenUp = gate.enter('b', PATIENT_MS, controller.signal);
    const { inside } = line(gate, ['c']);
    controller.abort();
    expect(await givenUp).toBe('cancelled');
    first();
    await settle();
    expect(inside).toStrictEqual(['c']);
  });

  test('turns away whoever has given up before coming, even where there is room', async () => {
    expect(await new FairGate(1, 1).enter('a', PATIENT_MS, AbortSignal.abort())).toBe('cancelled');
  });

  test('takes no notice of a signal that fires once inside', async () => {
    const gate = new FairGate(1, 1);
    const controller = new AbortController();
    const leave = await gate.enter('a', PATIENT_MS, controller.signal);
    controller.abort();
    expect(leave).toBeTypeOf('function');
    expect(await gate.enter('b', 0, undefined)).toBe('timeout');
  });

  test('leaves no listener behind on a signal', async () => {
    const gate = new FairGate(1, 1);
    const first = await gate.enter('a', PATIENT_MS, undefined);
    const { signal } = new AbortController();
    const second = gate.enter('b', PATIENT_MS, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    if (typeof first === 'string') throw new Error(first);
    first();
    expect(await second).toBeTypeOf('function');
    expect(getEventListeners(signal, 'abort')).toStrictEqual([]);
  });
});
