/** The rule that tells machines apart, on plain values. */
import { describe, expect, test } from 'vitest';
import { findMachine, type KnownMachine, reportedMachine } from '#domain/inventory/find-machine.ts';
import { joinKeys } from '#domain/inventory/machine-keys.ts';
import { newId } from '#test/support/builders.ts';
import { inventoryWith, MACHINE_CASES, type MachineSigns } from '#test/support/machine-cases.ts';

interface NamedMachine extends KnownMachine {
  readonly name: string;
}

describe('findMachine', () => {
  test.each(MACHINE_CASES.map((one) => [one.name, one.steps] as const))('%s', (_, steps) => {
    let known: readonly NamedMachine[] = [];
    const met: string[] = [];
    for (const [signs, device] of steps) {
      const reported = reportedMachine(inventoryWith(signs));
      const found = findMachine(reported, known.toReversed());
      const machine = found ?? { id: newId<'device'>(), name: `new ${device}`, inventoryIds: [], keys: null };
      met.push(found?.name ?? device);
      known = [
        ...known.filter(({ id }) => id !== machine.id),
        {
          id: machine.id,
          name: found?.name ?? device,
          inventoryIds: new Set([...machine.inventoryIds, reported.inventoryId]),
          keys: machine.keys === null ? reported.keys : joinKeys(machine.keys, reported.keys),
        },
      ];
    }
    expect(met).toStrictEqual(steps.map(([, device]) => device));
    expect(known).toHaveLength(new Set(met).size);
  });

  test('a partial inventory is not found by its MAC addresses', () => {
    const signs: MachineSigns = { id: 'one', macs: ['44:85:00:2b:90:bc'] };
    const { keys } = reportedMachine(inventoryWith(signs));
    const known = { id: newId<'device'>(), inventoryIds: new Set<string>(), keys };
    const full = inventoryWith({ ...signs, id: 'two' });
    expect(findMachine(reportedMachine(full), [known])).toBe(known);
    expect(findMachine(reportedMachine({ ...full, kind: 'partial' }), [known])).toBeNull();
  });
});
