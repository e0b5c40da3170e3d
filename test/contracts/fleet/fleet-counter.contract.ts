/** What every counter of a fleet promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testOrganizationCounts } from './fleet-counter/organizations.contract.ts';
import { testPatchCounts } from './fleet-counter/patches.contract.ts';
import { testSummary } from './fleet-counter/summary.contract.ts';

export function testFleetCounter(backend: () => ContractBackend): void {
  testOrganizationCounts(backend);
  testPatchCounts(backend);
  testSummary(backend);
}
