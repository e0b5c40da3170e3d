/** What every store of principals promises: who a credential stands for at the moment. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testPrincipalApiKeys } from './principal-store/api-keys.contract.ts';
import { testPrincipalUsers } from './principal-store/users.contract.ts';

export function testPrincipalStore(backend: () => ContractBackend): void {
  testPrincipalUsers(backend);
  testPrincipalApiKeys(backend);
}
