/** What every source of completions promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testCompletionTenants } from './completion-source/tenants.contract.ts';
import { testCompletionValues } from './completion-source/values.contract.ts';

export function testCompletionSource(backend: () => ContractBackend): void {
  testCompletionValues(backend);
  testCompletionTenants(backend);
}
