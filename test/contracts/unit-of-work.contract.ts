/** What every unit of work promises. */
import type { ContractBackend } from './contract-backend.ts';
import { testAtomicity } from './unit-of-work/atomicity.contract.ts';
import { testWalls } from './unit-of-work/walls.contract.ts';

export function testUnitOfWork(backend: () => ContractBackend): void {
  testAtomicity(backend);
  testWalls(backend);
}
