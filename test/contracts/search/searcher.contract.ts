/** What every searcher promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testSearcherBest } from './searcher/best.contract.ts';
import { testSearcherRequests } from './searcher/requests.contract.ts';
import { testSearcherSimilar } from './searcher/similar.contract.ts';
import { testSearcherTenants } from './searcher/tenants.contract.ts';
import { testSearcherTexts } from './searcher/texts.contract.ts';

export function testSearcher(backend: () => ContractBackend): void {
  testSearcherTexts(backend);
  testSearcherTenants(backend);
  testSearcherBest(backend);
  testSearcherSimilar(backend);
  testSearcherRequests(backend);
}
