/** What every source of completions promises. */
import { testCompletionTenants } from './completion-source/tenants.contract.ts';
import { testCompletionValues } from './completion-source/values.contract.ts';
import type { ContractBackend } from './contract-backend.ts';

export function testCompletionSource(backend: () => ContractBackend): void {
  testCompletionValues(backend);
  testCompletionTenants(backend);
}
