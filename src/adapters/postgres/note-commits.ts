/** Calls `note` after each commit, so the answer can carry the database's position (Contract: §15). */
import type { Backend } from '#application/backend.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';

interface Changing extends Pick<Backend, 'unitOfWork' | 'fleetWriter' | 'inventoryStore'> {
  readonly signInUnitOfWork: UnitOfWork;
}

export function noteCommits(
  { unitOfWork, signInUnitOfWork, fleetWriter, inventoryStore }: Changing,
  note: () => void,
): Changing {
  const noting =
    (unit: UnitOfWork): UnitOfWork =>
    async (scope, work) => {
      const result = await unit(scope, work);
      note();
      return result;
    };
  return {
    unitOfWork: noting(unitOfWork),
    signInUnitOfWork: noting(signInUnitOfWork),
    fleetWriter: async (...load) => {
      const outcome = await fleetWriter(...load);
      note();
      return outcome;
    },
    inventoryStore: {
      ...inventoryStore,
      store: async (...reading) => {
        const outcome = await inventoryStore.store(...reading);
        note();
        return outcome;
      },
    },
  };
}
