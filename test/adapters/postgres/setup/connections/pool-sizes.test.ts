import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DEFAULT_CONNECTIONS,
  FEWEST_CONNECTIONS,
  poolSizes,
} from '#adapters/postgres/setup/connections/pool-sizes.ts';
import { budgetsFor, DEFAULT_BUDGETS, USUAL_CONNECTIONS } from '#application/admission/request-budgets.ts';

/** One for each pool of reads, which cancels statements. */
const CANCELLING = 4;

test('an instance that has a PostgreSQL for itself has eight connections where work is done', () => {
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

test('the budgets of requests begin from the same pools', () => {
  expect(poolSizes()).toMatchObject(USUAL_CONNECTIONS);
});

test('every pool has its connections, and they come to what was given', () => {
  fc.assert(
    fc.property(fc.integer({ min: FEWEST_CONNECTIONS, max: 10_000 }), (connections) => {
      const sizes = Object.values(poolSizes(connections));
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      expect(sizes.reduce((sum, size) => sum + size, CANCELLING)).toBe(connections);
    }),
  );
});

test('of the pools that tenants share, none can have them all to itself', () => {
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

test('the usual budgets are as they were measured', () => {
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

test('fewer than every pool needs are refused', () => {
  expect(() => poolSizes(FEWEST_CONNECTIONS - 1)).toThrow('at least 18 connections, not 17');
});
