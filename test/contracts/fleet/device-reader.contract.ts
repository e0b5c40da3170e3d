/** What every device reader promises beside the meaning of conditions, which `filter-semantics` has. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testReaderComparisons } from './device-reader/compare.contract.ts';
import { testReaderFind } from './device-reader/find.contract.ts';
import { testReaderKeySharers } from './device-reader/key-sharers.contract.ts';
import { testReaderOrders } from './device-reader/orders.contract.ts';
import { testReaderPages } from './device-reader/pages.contract.ts';
import { testReaderTenants } from './device-reader/tenants.contract.ts';

export function testDeviceReader(backend: () => ContractBackend): void {
  testReaderOrders(backend);
  testReaderPages(backend);
  testReaderTenants(backend);
  testReaderComparisons(backend);
  testReaderFind(backend);
  testReaderKeySharers(backend);
}
