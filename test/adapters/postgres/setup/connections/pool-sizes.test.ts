import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DEFAULT_CONNECTIONS,
  FEWEST_CONNECTIONS,
  poolSizes,
} from '#adapters/postgres/setup/connections/pool-sizes.ts';
import { budgetsFor, DEFAULT_BUDGETS, USUAL_CONNECTIONS } from '#application/admission/request-budgets.ts';

/** One connection for each pool of reads, to cancel statements. */
const CANCELLING = 4;

test('an instance has 60 connections by default, eight in each large pool', () => {
  expect(poolSizes()).toStrictEqual({
    work: 8,
    identification: 4,
    'sign-in': 4,
    evaluation: 8,
    search: 8,
    'look-up': 4,
    export: 8,
    bulk: 8,
    inventory: 4,
  });
  expect(DEFAULT_CONNECTIONS).toBe(60);
});

test('the budgets of requests assume the same pool sizes', () => {
  expect(poolSizes()).toMatchObject(USUAL_CONNECTIONS);
});

test('every pool has connections, and together they have the given number', () => {
  fc.assert(
    fc.property(fc.integer({ min: FEWEST_CONNECTIONS, max: 10_000 }), (connections) => {
      const sizes = Object.values(poolSizes(connections));
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      expect(sizes.reduce((sum, size) => sum + size, CANCELLING)).toBe(connections);
    }),
  );
});

test('no tenant can take all connections of a shared pool', () => {
  fc.assert(
    fc.property(fc.integer({ min: FEWEST_CONNECTIONS, max: 1_000 }), (databaseConnections) => {
      const connections = poolSizes(databaseConnections);
      const { evaluation, search, work, export: exporting } = budgetsFor({ connections, cores: 2 });
      for (const { total, perTenant, perCaller } of [evaluation, search, work, exporting]) {
        expect(perTenant).toBeLessThan(total);
        expect(perCaller).toBeLessThanOrEqual(perTenant);
      }
    }),
  );
});

test('the default budgets are those that were measured', () => {
  const { evaluation, search, work, export: exporting, inventory } = DEFAULT_BUDGETS;
  const turns = [evaluation, search, work, exporting, inventory].map((limits) => [
    limits.total,
    limits.perTenant,
    limits.perCaller,
  ]);
  expect(turns).toStrictEqual([
    [12, 6, 5],
    [8, 4, 3],
    [8, 4, 3],
    [8, 3, 2],
    [4, 2, 2],
  ]);
});

test.each([
  [1, 1],
  [2, 1],
  [8, 7],
])('with %i cores, a tenant has %i slow evaluations at a time', (cores, perTenant) => {
  expect(budgetsFor({ connections: USUAL_CONNECTIONS, cores }).evaluation.slow?.perTenant).toBe(perTenant);
});

test('fewer connections than the pools need are refused', () => {
  expect(() => poolSizes(FEWEST_CONNECTIONS - 1)).toThrow('at least 18 connections, not 17');
});
