/** What the suites try to change. */
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { aSavedFilter, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';

/** Two organizations of one partner, each with a filter. */
export interface Neighbours {
  readonly tenant: Tenant;
  readonly own: SavedFilter;
  readonly foreign: SavedFilter;
}

/** A new tenant with a filter in each of its organizations. */
export async function createNeighbours(backend: ContractBackend): Promise<Neighbours> {
  const tenant = await createTenant(backend, 2);
  const own = aSavedFilter({ orgId: tenant.orgId, createdBy: tenant.userId });
  const foreign = aSavedFilter({ orgId: tenant.orgIds[1] ?? newId(), createdBy: tenant.userId });
  await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    await tx.filters.add(own);
    await tx.filters.add(foreign);
  });
  return { tenant, own, foreign };
}
