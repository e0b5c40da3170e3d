import { conditionBytesOf, usageOf } from '#adapters/memory/stores/fleet/saved-filter-store.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import { ownerIdOf } from '#domain/access/ownership.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import { softwareEntries } from '#domain/device/installed-software.ts';
import { exceededTitleLimit, TITLE_LIMITS } from '#domain/device/title-quota.ts';
import { type FilterUsage, findQuotaFaults } from '#domain/filter/filter-quota.ts';
import { ownerOfFilter, reviseFilter, type SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { utf8Length } from '#domain/text/code-points.ts';
import { jsonText } from '#domain/text/json-text.ts';
import type { EpochMs } from '#domain/time.ts';
import type { RecordOf, StagedFleet } from './staged-fleet.ts';

type LocatedFilter = LocatedRecord & { readonly record: RecordOf<'filter'> };

export function filtersOf({ records }: StagedFleet): readonly LocatedFilter[] {
  return records.filter((located): located is LocatedFilter => located.record.kind === 'filter');
}

/** Filters beyond the quota of their owner (Contract: §5). */
export function findFiltersWithoutRoom(world: World, fleet: StagedFleet): readonly FleetFault[] {
  const changes = filtersOf(fleet).map(({ record: { id, orgId, partnerId, conditions }, line, member }) => {
    const known = world.filters.get(id);
    const bytes = utf8Length(jsonText(conditions));
    return {
      ...{ owner: ownerOfFilter({ id, orgId, partnerId }), line, member },
      filters: known === undefined ? 1 : 0,
      conditionBytes: bytes - (known === undefined ? 0 : conditionBytesOf(known)),
    };
  });
  const usages = new Map<OrgId | PartnerId, FilterUsage>();
  const usedBy = (owner: Owner) => {
    const id = ownerIdOf(owner);
    const usage = usages.get(id) ?? usageOf(world.filters.values(), owner);
    usages.set(id, usage);
    return usage;
  };
  return findQuotaFaults(changes, usedBy)
    .slice(0, MAX_FAULTS)
    .map(({ change: { line, member }, member: path, message }) => ({
      ...{ line, message },
      member: `${member}.${path}`,
    }));
}

/** Finds organizations that would have too many titles. The last device that brings a new title gets the fault. */
export function findTitlesWithoutRoom(world: World, { records }: StagedFleet): readonly FleetFault[] {
  const brought = new Map<OrgId, { readonly titles: Map<string, InstalledSoftware>; last: LocatedRecord }>();
  for (const located of records) {
    if (located.record.kind !== 'device') continue;
    const { orgId, software } = located.record;
    const ofOrg = brought.get(orgId) ?? { titles: new Map(), last: located };
    brought.set(orgId, ofOrg);
    for (const [key, entry] of softwareEntries(software)) {
      if (ofOrg.titles.has(key)) continue;
      ofOrg.titles.set(key, entry);
      ofOrg.last = located;
    }
  }
  const faults: FleetFault[] = [];
  for (const [orgId, { titles, last }] of brought) {
    const limit = exceededTitleLimit(world.devices.titles.usageWith(orgId, [...titles.values()]));
    if (limit === null) continue;
    faults.push({ line: last.line, member: `${last.member}.software`, message: TITLE_LIMITS[limit] });
  }
  return faults.sort((a, b) => a.line - b.line).slice(0, MAX_FAULTS);
}

/** An unchanged filter keeps its version, so a fleet can be loaded repeatedly. */
export function toFilter(world: World, record: FilterRecord, now: EpochMs): SavedFilter {
  const { id, orgId, partnerId, name, description, createdBy } = record;
  const conditionsJson = jsonText(record.conditions);
  const known = world.filters.get(id);
  const filter: SavedFilter =
    known === undefined
      ? {
          id,
          orgId,
          partnerId,
          name,
          description,
          conditionsJson,
          createdBy,
          changedBy: (record.version ?? 1) === 1 ? createdBy : null,
          createdAt: record.createdAt ?? now,
          updatedAt: record.updatedAt ?? now,
          version: record.version ?? 1,
        }
      : { ...reviseFilter(known, { name, description, conditionsJson }, null, now).filter, createdBy };
  return Object.freeze(filter);
}
