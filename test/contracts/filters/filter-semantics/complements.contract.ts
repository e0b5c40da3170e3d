/** The law of complements: of each pair of operators, every device is in exactly one (Contract: §4). */
import { CORE_FIELDS } from '#domain/filter/catalog/core-fields.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, type FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { orgScope } from '#test/support/builders.ts';
import {
  CONDITION_AT,
  CONDITION_DEVICES,
  CONDITION_ORG_ID,
  CUSTOM_FIELD_KEYS,
  DEVICE_NAMES,
} from '#test/support/condition-cases/fleet.ts';
import { COMPLEMENT_PAIRS } from '#test/support/condition-cases.ts';
import { and, findHostnames, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { presentValues } from '#test/support/read-values.ts';

const FIELD_KEYS: readonly string[] = [...Object.keys(CORE_FIELDS), ...CUSTOM_FIELD_KEYS];

export function testComplements(backend: () => ContractBackend): void {
  const find = (group: RawGroup, at: EpochMs = CONDITION_AT) =>
    findHostnames(backend(), orgScope(CONDITION_ORG_ID), group, at);

  /** Where two conditions are not exact complements of each other; empty is good. */
  const findOverlaps = async (one: RawCondition, other: RawCondition): Promise<readonly string[]> => {
    const both = [...(await find(and(one))), ...(await find(and(other)))].toSorted();
    const isPartition =
      both.length === DEVICE_NAMES.length && both.every((name, i) => name === DEVICE_NAMES[i]);
    return isPartition ? [] : [`${JSON.stringify(one)} and ${JSON.stringify(other)}: ${both.join(' ')}`];
  };

  describe('the law of complements', () => {
    // Conditions on filters are compared with generated filters.
    test.each(FIELD_KEYS.filter((key) => key !== 'filter'))('holds for %s', async (key) => {
      const customFields = await backend().customFields(orgScope(CONDITION_ORG_ID));
      const entry = buildCatalog(resolveCustomFields(customFields)).get(key);
      if (entry?.kind !== 'field') throw new Error(`there is no field ${key}`);
      const { field } = entry;
      const pairs = COMPLEMENT_PAIRS.filter(
        ([one, other]) => field.operators.includes(one) && field.operators.includes(other),
      );
      const overlaps: string[] = [];
      for (const [one, other] of pairs) {
        for (const value of valuesFor(field, one)) {
          overlaps.push(
            ...(await findOverlaps(
              { field: key, operator: one, ...value },
              { field: key, operator: other, ...value },
            )),
          );
        }
      }
      expect(overlaps).toStrictEqual([]);
    });

    test.each([
      ['equals', ['zoom', 'Google Chrome', '', 'nothing']],
      ['contains', ['o', 'CHROME', '', '%', 'nothing']],
      ['in', [['zoom'], ['zoom', 'xcode', ''], ['nothing']]],
      ['hasAny', [['zoom'], ['zoom', 'xcode', ''], ['nothing']]],
    ])('holds between installed and not installed software, with %s', async (operator, values) => {
      const overlaps: string[] = [];
      for (const value of values) {
        const ask = (field: string) => ({ field, operator, value });
        overlaps.push(...(await findOverlaps(ask('software.installed'), ask('software.notInstalled'))));
      }
      expect(overlaps).toStrictEqual([]);
    });
  });
}

/** Values for the field: those that devices have, and some that no device has. */
function valuesFor(field: FilterField, operator: string): readonly { readonly value?: unknown }[] {
  if (operator === 'isNull' || operator === 'isEmpty') return [{}];
  if (operator === 'withinLast') {
    const units = ['minutes', 'hours', 'days', 'weeks', 'months'];
    return units.flatMap((unit) => [1, 30, 1e9].map((amount) => ({ value: { amount, unit } })));
  }
  const scalars = scalarsFor(field);
  if (operator !== 'in') return scalars.map((value) => ({ value }));
  const texts = scalars.filter((value) => typeof value === 'string');
  return [[], ...texts.map((text) => [text]), texts].map((value) => ({ value }));
}

function scalarsFor(field: FilterField): readonly unknown[] {
  const present = readAll(field);
  switch (field.type) {
    case 'string':
      return [
        ...present,
        ...present.slice(0, 3).map((text) => String(text).toUpperCase()),
        '',
        'nothing',
        '%',
        '_',
        '\\',
      ];
    case 'enum':
      return field.values ?? [];
    case 'boolean':
      return [true, false];
    case 'number':
      return field.category === 'computed'
        ? [-1, 0, 0.5, 1, 7, 3.5, 31, 1000]
        : [...present, ...present.map((number) => Number(number) - 0.5), -1, '7'];
    case 'version':
      return [...present, '0', '10.0', '1.10-rc1', 'x'];
    case 'datetime':
      return present.flatMap((instant) => {
        const text = new Date(Number(instant)).toISOString();
        return [text, text.slice(0, 10)];
      });
    case 'array':
      return present;
  }
}

/** The values of the field in the fleet, each once. */
function readAll(field: FilterField): readonly (string | number | boolean)[] {
  const read = presentValues(field);
  const values = CONDITION_DEVICES.flatMap(({ kind: _kind, ...device }) =>
    read({ ...device, pendingPatchCount: 0, criticalAlertCount: 0 }),
  );
  return [...new Set(values)];
}
