/** What conditions and groups mean, wherever they are evaluated (Contract: §4). */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { beforeAll, describe, expect, test } from '#test/contracts/test-functions.ts';
import { orgScope } from '#test/support/builders.ts';
import { CONDITION_AT, CONDITION_FLEET, CONDITION_ORG_ID } from '#test/support/condition-cases/fleet.ts';
import { CONDITION_CASES } from '#test/support/condition-cases.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { testComplements } from './filter-semantics/complements.contract.ts';
import { testGroups } from './filter-semantics/groups.contract.ts';

export function testFilterSemantics(backend: () => ContractBackend): void {
  beforeAll(async () => {
    await loadFleet(backend(), CONDITION_FLEET);
  });

  describe('the meaning of conditions', () => {
    test.each(CONDITION_CASES)('$name', async ({ condition, at, matches }) => {
      expect(
        await findHostnames(backend(), orgScope(CONDITION_ORG_ID), and(condition), at ?? CONDITION_AT),
      ).toStrictEqual(matches);
    });
  });

  testComplements(backend);
  testGroups(backend);
}
