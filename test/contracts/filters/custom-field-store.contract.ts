/** What every store of custom fields promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testCustomFieldChanges } from './custom-field-store/changes.contract.ts';
import { testCustomFieldReach } from './custom-field-store/reach.contract.ts';

export function testCustomFieldStore(backend: () => ContractBackend): void {
  testCustomFieldReach(backend);
  testCustomFieldChanges(backend);
}
