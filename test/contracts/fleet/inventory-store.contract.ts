/** What every store of inventories promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testContacts } from './inventory-store/contacts.contract.ts';
import { testDrivesOfInventories } from './inventory-store/drives.contract.ts';
import { testFullInventories } from './inventory-store/full.contract.ts';
import { testMachines } from './inventory-store/machines.contract.ts';
import { testPartialInventories } from './inventory-store/partial.contract.ts';
import { testReports } from './inventory-store/reports.contract.ts';
import { testInventoryTitles } from './inventory-store/titles.contract.ts';

export function testInventoryStore(backend: () => ContractBackend): void {
  testFullInventories(backend);
  testPartialInventories(backend);
  testDrivesOfInventories(backend);
  testMachines(backend);
  testReports(backend);
  testContacts(backend);
  testInventoryTitles(backend);
}
