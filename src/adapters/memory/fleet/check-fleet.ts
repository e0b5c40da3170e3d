/** Checks a staged fleet against the world as the load would leave it; references may lead to records of either. */
import { makeYieldToEventLoop } from '#adapters/memory/scheduling/slices.ts';
import { makeCustomFieldSource } from '#adapters/memory/stores/fleet/custom-field-store.ts';
import { conditionBytesOf, usageOf } from '#adapters/memory/stores/fleet/saved-filter-reader.ts';
import { findActiveByEmail, sha256Of } from '#adapters/memory/tables/users.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import { makeCheckConditions } from '#application/filters/check-conditions.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { DeletionRequest } from '#domain/deletion/deletion-request.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import { exceededTitleLimit, findTooLongTitle, TITLE_LIMITS } from '#domain/device/title-quota.ts';
import { faultsForLoad } from '#domain/filter/conditions/filter-fault.ts';
import { type FilterUsage, findQuotaFaults } from '#domain/filter/filter-quota.ts';
import { explainForeignDevice, type FleetRecord } from '#domain/fleet/fleet-record.ts';
import {
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
import type { OrgId, PatchId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { utf8Length } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { jsonText } from '#domain/text/json-text.ts';
import type { RecordOf, StagedFleet, StagedRows } from './staged-fleet.ts';

interface CheckFleetDeps {
  readonly world: World;
  readonly checkPatterns: PatternChecker;
  readonly digestSecret: DigestSecret;
  /** Whether a device may change its organization. */
  readonly allowMoves: boolean;
}

/** The faults in the order of the source. Filters are checked last, when all that they refer to is in order. */
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
    // A later rule that finds the same member at fault says it better.
    const messages = new Map<string, string>();
    check(record, (path, message) => void messages.set(path, message));
    for (const [path, message] of messages) faults.push({ line, member: `${member}.${path}`, message });
    if (faults.length >= MAX_FAULTS) break;
    await yieldToEventLoop();
  }
  return faults.slice(0, MAX_FAULTS);
}

/** Notes a fault of the record at hand. */
type Report = (path: string, message: string) => void;

function makeRuleCheck(
  { world, digestSecret, allowMoves }: CheckFleetDeps,
  rows: StagedRows,
): (record: FleetRecord, report: Report) => void {
  const auditEntries = new Map(
    rows.auditEntry.size === 0 ? [] : world.auditEntries.map((entry) => [entry.id, entry]),
  );
  const inWorld = (kind: FleetKind, id: string) => findInWorld(world, kind, id);
  const find = (kind: FleetKind, id: string) =>
    (rows[kind] as ReadonlyMap<string, object>).get(id) ?? inWorld(kind, id);
  const take = makeClaims(world, digestSecret, rows);
  const patchIds = new Set<PatchId>();

  const checkReferences = (record: FleetRecord, report: Report) => {
    for (const reference of REFERENCES) {
      const { kind, member, to, isWithinOrganization = false } = reference;
      const id = kind === record.kind ? memberOf(kind, record, member) : null;
      if (id === null) continue;
      const target = find(to, id);
      const isRight =
        target !== undefined &&
        (!isWithinOrganization || memberOf(to, target, 'orgId') === memberOf(kind, record, 'orgId'));
      if (!isRight) report(member, explainReference(reference, id));
    }
  };
  const checkOwner = (record: FleetRecord, report: Report) => {
    for (const { kind, member, movesWith } of KEPT_OWNERS) {
      const known = kind === record.kind ? inWorld(kind, record.id) : undefined;
      if (known === undefined) continue;
      const deviceId = movesWith === undefined ? null : memberOf(kind, known, movesWith);
      const mover = deviceId === null ? undefined : rows.device.get(deviceId as never);
      const owner = memberOf(kind, mover ?? known, member);
      if (owner !== memberOf(kind, record, member)) report('id', FOREIGN_ID);
    }
  };
  const checkUser = (user: RecordOf<'user'>, report: Report) => {
    const { id, membership, status } = user;
    if (user.sealedTotpSecret != null) report('totpSecret', 'was sealed with a key that is not known here');
    if (status === 'deleted' && world.users.has(id)) report('status', NOT_ERASED_HERE);
    if (membership.scope !== 'partner') return;
    membership.orgIds?.forEach((orgId, i) => {
      const organization = find('organization', orgId);
      const partnerId = organization && memberOf('organization', organization, 'partnerId');
      if (partnerId !== membership.partnerId) report(`orgIds[${i}]`, explainForeignSubset(orgId));
    });
  };
  const checkDevice = ({ id, orgId, patches, software }: RecordOf<'device'>, report: Report) => {
    const tooLong = findTooLongTitle(software);
    if (tooLong >= 0) report(`software[${tooLong}].name`, TITLE_LIMITS['too-long-title']);
    const knownOrgId = world.devices.get(id)?.orgId ?? orgId;
    const known = world.organizations.get(knownOrgId);
    if (!allowMoves && known !== undefined && knownOrgId !== orgId) report('id', explainForeignDevice(known));
    patches.forEach(({ id: patchId }, i) => {
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
      if (!take(record)) report(member, message);
    }
    if ((rows[record.kind] as ReadonlyMap<string, object>).get(record.id) !== record) report('id', SAME_ID);
  };
}

function findInWorld(world: World, kind: FleetKind, id: string): object | undefined {
  if (kind === 'user' && world.erasedUsers.has(id as never)) return {};
  const tables: Partial<Record<FleetKind, { get(id: never): object | undefined }>> = {
    partner: world.partners,
    organization: world.organizations,
    site: world.sites,
    user: world.users,
    apiKey: world.apiKeys,
    enrolmentKey: world.enrolmentKeys,
    customField: world.customFields,
    device: world.devices,
    script: world.scripts,
    alert: world.alerts,
    filter: world.filters,
    deletionRequest: world.deletionRequests,
  };
  return tables[kind]?.get(id as never);
}

/**
 * Gives out what only one record may have. A record of the world gives it up if the load brings that record again, which
 * then asks for what it still needs.
 */
function makeClaims(
  world: World,
  digestSecret: DigestSecret,
  rows: StagedRows,
): (record: FleetRecord) => boolean {
  const fields = new Map([...world.customFields.values()].map((field) => [ownedKey(field), field.id]));
  const taken = new Map<string, string>();
  const claim = ({ kind, id }: FleetRecord, value: string, known: string | undefined) => {
    const isGivenUp = known === undefined || (rows[kind] as ReadonlyMap<string, object>).has(known);
    const holder = taken.get(`${kind} ${value}`) ?? (isGivenUp ? undefined : known);
    if (holder !== undefined && holder !== id) return false;
    taken.set(`${kind} ${value}`, id);
    return true;
  };
  return (record) => {
    if (record.kind === 'user') {
      const isActive = (record.status ?? 'active') === 'active';
      const email = foldCase(record.email);
      return !isActive || claim(record, email, findActiveByEmail(world, email)?.id);
    }
    if (record.kind === 'apiKey') {
      const sha256 = sha256Of(record, digestSecret);
      return claim(record, sha256, world.apiKeyIdsBySha256.get(sha256));
    }
    if (record.kind === 'enrolmentKey') {
      const { keySha256: sha256 } = record;
      return claim(
        record,
        sha256,
        world.enrolmentKeys.values().find(({ keySha256 }) => keySha256 === sha256)?.id,
      );
    }
    if (record.kind === 'customField') return claim(record, ownedKey(record), fields.get(ownedKey(record)));
    if (record.kind !== 'deletionRequest' || !isOpen(record.request)) return true;
    const { userId } = record.request;
    const open = world.deletionRequests
      .values()
      .find(({ request }) => request.userId === userId && isOpen(request));
    return claim(record, userId, open?.request.id);
  };
}

function isOpen({ status }: DeletionRequest): boolean {
  return status === 'pending' || status === 'processing';
}

function ownedKey({ owner, key }: RecordOf<'customField'>): string {
  return `${owner.kind === 'organization' ? owner.orgId : owner.partnerId} ${key}`;
}

function isSameEntry(a: AuditEntry, b: AuditEntry): boolean {
  const told = ({ at, actor, action, result, resourceId, requestId }: AuditEntry) =>
    JSON.stringify([at, actor.type, actor.id, action, result, resourceId, requestId]);
  return told(a) === told(b);
}

type LocatedFilter = LocatedRecord & { readonly record: RecordOf<'filter'> };

function filtersOf({ records }: StagedFleet): readonly LocatedFilter[] {
  return records.filter((located): located is LocatedFilter => located.record.kind === 'filter');
}

/**
 * Organizations that the load leaves with more titles of software than they may have, those that they had before included.
 * The last device that brings a title is at fault.
 */
function findTitlesWithoutRoom(world: World, { records }: StagedFleet): readonly FleetFault[] {
  const brought = new Map<OrgId, { readonly titles: Map<string, InstalledSoftware>; last: LocatedRecord }>();
  for (const located of records) {
    if (located.record.kind !== 'device') continue;
    const { orgId, software } = located.record;
    const ofOrg = brought.get(orgId) ?? { titles: new Map(), last: located };
    brought.set(orgId, ofOrg);
    for (const title of software) {
      if (ofOrg.titles.has(title.name)) continue;
      ofOrg.titles.set(title.name, title);
      ofOrg.last = located;
    }
  }
  const faults = [...brought].flatMap(
    ([
      orgId,
      {
        titles,
        last: { line, member },
      },
    ]) => {
      const limit = exceededTitleLimit(world.devices.titles.usageWith(orgId, [...titles.values()]));
      return limit === null ? [] : [{ line, member: `${member}.software`, message: TITLE_LIMITS[limit] }];
    },
  );
  return faults.sort((a, b) => a.line - b.line).slice(0, MAX_FAULTS);
}

/** The saved filters that their organization has no room for (Contract: §5, quota). */
function findFiltersWithoutRoom(world: World, fleet: StagedFleet): readonly FleetFault[] {
  const changes = filtersOf(fleet).map(({ record: { id, orgId, conditions }, line, member }) => {
    const known = world.filters.get(id);
    const bytes = utf8Length(jsonText(conditions));
    return {
      ...{ orgId, line, member },
      filters: known === undefined ? 1 : 0,
      conditionBytes: bytes - (known === undefined ? 0 : conditionBytesOf(known)),
    };
  });
  const usages = new Map<OrgId, FilterUsage>();
  const usedBy = (orgId: OrgId) => {
    const usage = usages.get(orgId) ?? usageOf(world.filters.values(), orgId);
    usages.set(orgId, usage);
    return usage;
  };
  return findQuotaFaults(changes, usedBy)
    .slice(0, MAX_FAULTS)
    .map(({ change: { line, member }, member: path, message }) => ({
      ...{ line, message },
      member: `${member}.${path}`,
    }));
}

/** Filters are checked against the custom fields as they will be. */
async function findFilterFaults(
  { world, checkPatterns }: CheckFleetDeps,
  fleet: StagedFleet,
): Promise<readonly FleetFault[]> {
  const customFields = makeCustomFieldSource({
    customFields: new Map([...world.customFields, ...fleet.rows.customField]),
    organizations: new Map([...world.organizations, ...fleet.rows.organization]),
  });
  const check = makeCheckConditions({ customFields, checkPatterns });
  const yieldToEventLoop = makeYieldToEventLoop();
  const faults: FleetFault[] = [];
  for (const { record, line, member } of filtersOf(fleet)) {
    const { orgId, conditions, version = null } = record;
    const checked = await check({ kind: 'organization', orgId }, conditions, 'load');
    for (const { path, message } of checked.ok ? [] : faultsForLoad(checked.error, version)) {
      faults.push({ line, member: `${member}.${path}`, message });
    }
    if (faults.length >= MAX_FAULTS) break;
    await yieldToEventLoop();
  }
  return faults.slice(0, MAX_FAULTS);
}
