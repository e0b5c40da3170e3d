/** A random world for laws about every filter: its catalog, its devices and every legal condition on them. */
import fc from 'fast-check';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { loadCatalog } from '#application/filters/check-conditions.ts';
import type { Device } from '#domain/device/device.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { compilePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import type { OrgId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import { fixedClock, newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { type Leaf, leavesOf } from '#test/support/random/random-filters.ts';
import { withRandomFilters } from '#test/support/random/random-inner.ts';
import { randomWorld } from '#test/support/random/random-worlds.ts';
import { loadFleet } from '#test/support/tenant.ts';

export interface LawWorld {
  readonly catalog: FieldCatalog;
  readonly devices: readonly Device[];
  readonly leaves: readonly Leaf[];
  /** The fields that filters of this organization can name. */
  catalogIn(orgId: OrgId): Promise<FieldCatalog>;
  /** The ids of the devices that match; null where a pattern cannot be evaluated in process. */
  matching(filter: ConditionGroup, at: EpochMs): readonly string[] | null;
}

/** The same world for the same seed. */
export async function openLawWorld(seed: number, deviceCount: number): Promise<LawWorld> {
  const [world] = fc.sample(randomWorld(deviceCount), { seed, numRuns: 1 });
  if (world === undefined) throw new Error('no world was drawn');
  const backend = createMemoryBackend({
    translatePattern,
    digestSecret,
    clock: fixedClock(),
    newId,
    hashPassword: async () => 'hash',
  });
  await loadFleet(backend, world.records);
  const { devices } = world;
  const defined = await loadCatalog(backend.customFields, SYSTEM_SCOPE);
  const catalog = withRandomFilters(defined, devices, seed);
  return {
    catalog,
    devices,
    leaves: leavesOf(catalog, devices),
    catalogIn: (orgId) => loadCatalog(backend.customFields, orgScope(orgId)),
    matching: (filter, at) => {
      const compiled = compilePredicate(filter, translatePattern);
      return compiled.ok ? devices.filter((device) => compiled.value(device, at)).map(({ id }) => id) : null;
    },
  };
}
