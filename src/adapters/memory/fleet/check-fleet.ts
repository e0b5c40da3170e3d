/** Checks a staged fleet against the world as the load would leave it. */
import { makeYieldToEventLoop } from '#adapters/memory/scheduling/slices.ts';
import { makeCustomFieldSource } from '#adapters/memory/stores/fleet/custom-field-store.ts';
import { makeOrganizationsOfPartner } from '#adapters/memory/stores/fleet/organization-directory.ts';
import { makeSavedFilterReader } from '#adapters/memory/stores/fleet/saved-filter-store.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import { makeCheckConditions } from '#application/filters/check-conditions.ts';
import { coverageOf } from '#application/filters/saved/read-filter.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { findTooLongTitle, TITLE_LIMITS } from '#domain/device/title-quota.ts';
import { namedFilters, namedIn } from '#domain/filter/catalog/inner-filters.ts';
import { faultsForLoad } from '#domain/filter/conditions/filter-fault.ts';
import { type FilterLink, findLinkFault } from '#domain/filter/filter-links.ts';
import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import {
  explainForeignDevice,
  explainForeignSubset,
  explainReference,
  type FleetKind,
  FOREIGN_ID,
  KEPT_OWNERS,
  memberOf,
  NOT_ERASED_HERE,
  OTHER_ENTRY,
  REFERENCES,
  SAME_ID,
  UNIQUE,
} from '#domain/fleet/load-rules.ts';
import type { PatchId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { filtersOf, findFiltersWithoutRoom, findTitlesWithoutRoom, toFilter } from './check-quotas.ts';
import { makeClaims } from './claims.ts';
import { type RecordOf, type StagedFleet, type StagedRows, TABLES } from './staged-fleet.ts';

interface CheckFleetDeps {
  readonly world: World;
  readonly checkPatterns: PatternChecker;
  readonly digestSecret: DigestSecret;
  readonly allowMoves: boolean;
}

/** Returns faults in the order of the source. Filters are checked last, when all that they refer to is valid. */
export async function checkFleet(deps: CheckFleetDeps, fleet: StagedFleet): Promise<readonly FleetFault[]> {
  const faults = await findRuleFaults(deps, fleet);
  if (faults.length > 0) return faults;
  const quotaFaults = findFiltersWithoutRoom(deps.world, fleet);
  if (quotaFaults.length > 0) return quotaFaults;
  const titleFaults = findTitlesWithoutRoom(deps.world, fleet);
  return titleFaults.length > 0 ? titleFaults : findFilterFaults(deps, fleet);
}

async function findRuleFaults(deps: CheckFleetDeps, fleet: StagedFleet): Promise<readonly FleetFault[]> {
  const faults: FleetFault[] = [];
  const check = makeRuleCheck(deps, fleet.rows);
  const yieldToEventLoop = makeYieldToEventLoop();
  for (const { record, line, member } of fleet.records) {
    // Later checks are more exact, so each member keeps only its last message.
    const messages = new Map<string, string>();
    check(record, (path, message) => void messages.set(path, message));
    for (const [path, message] of messages) faults.push({ line, member: `${member}.${path}`, message });
    if (faults.length >= MAX_FAULTS) break;
    await yieldToEventLoop();
  }
  return faults.slice(0, MAX_FAULTS);
}

type Report = (path: string, message: string) => void;

function makeRuleCheck(
  { world, digestSecret, allowMoves }: CheckFleetDeps,
  rows: StagedRows,
): (record: FleetRecord, report: Report) => void {
  const auditEntries = new Map(
    rows.auditEntry.size === 0 ? [] : world.auditEntries.map((entry) => [entry.id, entry]),
  );
  const staged = (kind: FleetKind, id: string) => (rows[kind] as ReadonlyMap<string, object>).get(id);
  const find = (kind: FleetKind, id: string) => staged(kind, id) ?? findInWorld(world, kind, id);
  const claim = makeClaims(world, digestSecret, rows);
  const patchIds = new Set<PatchId>();

  const checkReferences = (record: FleetRecord, report: Report) => {
    for (const reference of REFERENCES) {
      const { kind, member, to, isWithinOrganization = false } = reference;
      const id = kind === record.kind ? memberOf(record, member) : null;
      if (id === null) continue;
      const target = find(to, id);
      const isRight =
        target !== undefined &&
        (!isWithinOrganization || memberOf(target, 'orgId') === memberOf(record, 'orgId'));
      if (!isRight) report(member, explainReference(reference, id));
    }
  };
  const checkOwner = (record: FleetRecord, report: Report) => {
    for (const { kind, member, movesWith } of KEPT_OWNERS) {
      const known = kind === record.kind ? findInWorld(world, kind, record.id) : undefined;
      if (known === undefined) continue;
      const deviceId = movesWith === undefined ? null : memberOf(known, movesWith);
      const mover = deviceId === null ? undefined : rows.device.get(deviceId as never);
      const owner = memberOf(mover ?? known, member);
      if (owner !== memberOf(record, member)) report('id', FOREIGN_ID);
    }
  };
  const checkUser = (user: RecordOf<'user'>, report: Report) => {
    const { id, membership, status } = user;
    if (user.sealedTotpSecret != null) report('totpSecret', 'was sealed with a key that is not known here');
    if (status === 'deleted' && world.users.has(id)) report('status', NOT_ERASED_HERE);
    if (membership.scope !== 'partner') return;
    membership.orgIds?.forEach((orgId, i) => {
      const organization = find('organization', orgId);
      const partnerId = organization && memberOf(organization, 'partnerId');
      if (partnerId !== membership.partnerId) report(`orgIds[${i}]`, explainForeignSubset(orgId));
    });
  };
  const checkDevice = ({ id, orgId, patches, software }: RecordOf<'device'>, report: Report) => {
    const tooLong = findTooLongTitle(software);
    if (tooLong >= 0) report(`software[${tooLong}].name`, TITLE_LIMITS['too-long-title']);
    const knownOrgId = world.devices.get(id)?.orgId ?? orgId;
    const known = world.organizations.get(knownOrgId);
    if (!allowMoves && known !== undefined && knownOrgId !== orgId) report('id', explainForeignDevice(known));
    patches?.forEach(({ id: patchId }, i) => {
      if (patchId === null) return;
      const holder = world.patches.deviceOf(patchId) ?? id;
      if (holder !== id) report(`patches[${i}].id`, FOREIGN_ID);
      if (patchIds.has(patchId)) report(`patches[${i}].id`, SAME_ID);
      patchIds.add(patchId);
    });
  };
  return (record, report) => {
    if (record.kind === 'device') checkDevice(record, report);
    if (record.kind === 'user') checkUser(record, report);
    if (record.kind === 'auditEntry') {
      const known = auditEntries.get(record.id);
      if (known !== undefined && !isSameEntry(known, record)) report('id', OTHER_ENTRY);
    }
    checkReferences(record, report);
    checkOwner(record, report);
    if (record.kind in UNIQUE) {
      const { member, message } = UNIQUE[record.kind as keyof typeof UNIQUE];
      if (!claim(record)) report(member, message);
    }
    if (staged(record.kind, record.id) !== record) report('id', SAME_ID);
  };
}

function findInWorld(world: World, kind: FleetKind, id: string): object | undefined {
  if (kind === 'auditEntry') return undefined;
  if (kind === 'user' && world.erasedUsers.has(id as never)) return {};
  const table: { get(id: never): object | undefined } = world[TABLES[kind]];
  return table.get(id as never);
}

function isSameEntry(a: AuditEntry, b: AuditEntry): boolean {
  const told = ({ at, actor, action, result, resourceId, requestId }: AuditEntry) =>
    JSON.stringify([at, actor.type, actor.id, action, result, resourceId, requestId]);
  return told(a) === told(b);
}

async function findChainFault(
  reader: SavedFilterReader,
  scope: AccessScope,
  { id, name, conditions }: RecordOf<'filter'>,
): Promise<string | null> {
  const named = namedFilters(conditions);
  if (named.length === 0) return null;
  const inner: FilterLink[] = [];
  for await (const each of reader.withInner(scope, named)) {
    inner.push({ ...each, named: namedIn(each.conditionsJson) });
  }
  const fault = findLinkFault({ id, name, named }, inner, await reader.relyingOn(scope, id));
  return fault?.message ?? null;
}

async function findFilterFaults(
  { world, checkPatterns }: CheckFleetDeps,
  fleet: StagedFleet,
): Promise<readonly FleetFault[]> {
  const organizations = new Map([...world.organizations, ...fleet.rows.organization]);
  const customFields = makeCustomFieldSource({
    customFields: new Map([...world.customFields, ...fleet.rows.customField]),
    organizations,
  });
  const organizationsOf = makeOrganizationsOfPartner({
    partners: new Map([...world.partners, ...fleet.rows.partner]),
    organizations,
  });
  const filters = new Map(world.filters);
  for (const { record } of filtersOf(fleet)) filters.set(record.id, toFilter(world, record, 0));
  const reader = makeSavedFilterReader({ filters, filterVersions: new Map(), organizations });
  const check = makeCheckConditions({ customFields, checkPatterns, filters: reader, organizationsOf });
  const yieldToEventLoop = makeYieldToEventLoop();
  const faults: FleetFault[] = [];
  for (const { record, line, member } of filtersOf(fleet)) {
    const { conditions, version = null } = record;
    const scope = await coverageOf({ organizationsOf }, SYSTEM_SCOPE, record);
    const checked = await check(scope, conditions, 'load', { owner: ownerOfFilter(record) });
    for (const { path, message } of checked.ok ? [] : faultsForLoad(checked.error, version)) {
      faults.push({ line, member: `${member}.${path}`, message });
    }
    const message = await findChainFault(reader, scope, record);
    if (message !== null) faults.push({ line, member: `${member}.conditions`, message });
    if (faults.length >= MAX_FAULTS) break;
    await yieldToEventLoop();
  }
  return faults.slice(0, MAX_FAULTS);
}
