/** What every explainer of filters promises (Contract: §12). */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testExplainerCounts } from './filter-explainer/counts.contract.ts';
import { testExplainerDevice } from './filter-explainer/device.contract.ts';
import { testExplainerTenants } from './filter-explainer/tenants.contract.ts';

export function testFilterExplainer(backend: () => ContractBackend): void {
  testExplainerCounts(backend);
  testExplainerDevice(backend);
  testExplainerTenants(backend);
}
