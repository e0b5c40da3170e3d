/** What every reader of a fleet's lists promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testAlertList } from './fleet-lists/alerts.contract.ts';
import { testListTenants } from './fleet-lists/list-tenants.contract.ts';
import { testScriptList } from './fleet-lists/scripts.contract.ts';

export function testFleetLists(backend: () => ContractBackend): void {
  testListTenants(backend);
  testAlertList(backend);
  testScriptList(backend);
}
