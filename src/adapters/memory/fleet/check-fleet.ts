/**
 * What is wrong with a staged fleet, seen against the world as it would be with the fleet in it: references may
 * lead to records of the fleet as well as to what is there already.
 */
import { makeYieldToEventLoop } from '#adapters/memory/scheduling/yield-to-event-loop.ts';
import { makeCustomFieldSource } from '#adapters/memory/stores/fleet/custom-field-source.ts';
import { conditionBytesOf, usageOf } from '#adapters/memory/stores/fleet/filter-usage.ts';
import { findActiveByEmail, sha256Of } from '#adapters/memory/tables/users.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import { type CheckConditions, makeCheckConditions } from '#application/filters/check-conditions.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { type DeletionRequest, verdictOf } from '#domain/deletion/deletion-request.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import {
  exceededTitleLimit,
  findTooLongTitle,
  TITLE_LIMITS,
  type TitleLimit,
} from '#domain/device/title-quota.ts';
import { faultsForLoad } from '#domain/filter/conditions/filter-fault.ts';
import { type FilterUsage, findQuotaFaults, type QuotaFault } from '#domain/filter/filter-quota.ts';
import type { FleetRecord, Owner } from '#domain/fleet/fleet-record.ts';
import { explainForeignDevice } from '#domain/fleet/foreign-device.ts';
import type { DeviceId, FilterId, OrgId, PartnerId, PatchId, SiteId, UserId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { utf8Length } from '#domain/text/utf8-length.ts';
import type { FleetKind, RecordOf, StagedFleet, StagedRows } from './staged-fleet.ts';

interface CheckFleetDeps {
  readonly world: World;
  readonly checkPatterns: PatternChecker;
  readonly digestSecret: DigestSecret;
  /** Whether a device may change its organization. */
  readonly allowMoves: boolean;
}

/** The faults, in the order of the source; none where the fleet can go in. */
export async function checkFleet(deps: CheckFleetDeps, fleet: StagedFleet): Promise<readonly FleetFault[]> {
  const faults: FleetFault[] = [];
  const checks = makeChecks(deps, fleet.rows);
  const lines = firstLines(fleet);
  const yieldToEventLoop = makeYieldToEventLoop();
  for (const { record, line, member } of fleet.records) {
    const report: Report = (path, message) =>
      void faults.push({ line, member: `${member}.${path}`, message });
    if (fleet.rows[record.kind].get(record.id as never) !== record) {
      report('id', `another ${record.kind} has this id, on line ${lines.get(placeKey(record)) ?? line}`);
    } else {
      const check = checks[record.kind] as (record: FleetRecord, report: Report) => Promise<void> | void;
      await check(record, report);
    }
    if (faults.length >= MAX_FAULTS) break;
    await yieldToEventLoop();
  }
  return faults.slice(0, MAX_FAULTS);
}

/** Notes a fault of the record at hand. */
type Report = (path: string, message: string) => void;

type Checks = { readonly [K in FleetKind]: (record: RecordOf<K>, report: Report) => Promise<void> | void };

const UNKNOWN_ORGANIZATION = 'names no organization';
const UNKNOWN_PARTNER = 'names no partner';
const UNKNOWN_USER = 'names no user';

function makeChecks(
  { world, checkPatterns, digestSecret, allowMoves }: CheckFleetDeps,
  rows: StagedRows,
): Checks {
  const organization = (id: OrgId) => rows.organization.get(id) ?? world.organizations.get(id);
  const hasPartner = (id: PartnerId) => rows.partner.has(id) || world.partners.has(id);
  const checkOrg = (orgId: OrgId, report: Report) => {
    if (organization(orgId) === undefined) report('orgId', `orgId ${UNKNOWN_ORGANIZATION}`);
  };
  const checkPartner = (partnerId: PartnerId, report: Report) => {
    if (!hasPartner(partnerId)) report('partnerId', `partnerId ${UNKNOWN_PARTNER}`);
  };
  const checkMove = (orgId: OrgId, knownOrgId: OrgId | undefined, report: Report) => {
    const known = knownOrgId === undefined ? undefined : world.organizations.get(knownOrgId);
    if (known !== undefined && known.id !== orgId) report('id', explainForeignDevice(known));
  };
  const checkOwner = (owner: Owner, report: Report) => {
    if (owner.kind === 'organization') checkOrg(owner.orgId, report);
    else checkPartner(owner.partnerId, report);
  };
  const checkSite = (orgId: OrgId, siteId: SiteId | null, report: Report) => {
    if (siteId === null) return;
    const site = rows.site.get(siteId) ?? world.sites.get(siteId);
    if (site?.orgId !== orgId) report('siteId', 'siteId names no site of this organization');
  };
  const isUser = (id: UserId) => rows.user.has(id) || world.users.has(id) || world.erasedUsers.has(id);
  const takeEmail = makeClaims(rows.user, (email) => findActiveByEmail(world, email)?.id);
  const takeKey = makeClaims(rows.apiKey, (sha256) => world.apiKeyIdsBySha256.get(sha256));
  const takeEnrolmentKey = makeClaims(
    rows.enrolmentKey,
    (sha256) => world.enrolmentKeys.values().find(({ keySha256 }) => keySha256 === sha256)?.id,
  );
  const takeOpenRequest = makeClaims(
    rows.deletionRequest,
    (userId) =>
      world.deletionRequests.values().find(({ request }) => request.userId === userId && isOpen(request))
        ?.request.id,
  );
  const auditEntries = new Map(
    rows.auditEntry.size === 0 ? [] : world.auditEntries.map((entry) => [entry.id, entry]),
  );
  const fieldIds = new Map([...world.customFields.values()].map((field) => [ownedKey(field), field.id]));
  const takeField = makeClaims(rows.customField, (key) => fieldIds.get(key));
  const patchIds = new Set<PatchId>();
  const quotaFaults = findFiltersWithoutRoom(world, rows);
  const titleLimits = findExceededTitleLimits(world, rows);
  const checkConditions = makeConditionCheck({ world, checkPatterns }, rows);

  return {
    partner: () => undefined,
    organization: ({ partnerId }, report) => checkPartner(partnerId, report),
    site: ({ id, orgId }, report) => {
      checkOrg(orgId, report);
      checkHome(orgId, world.sites.get(id)?.orgId, report);
    },
    user: ({ id, email, membership, status, sealedTotpSecret }, report) => {
      if ((status ?? 'active') === 'active' && !takeEmail(foldCase(email), id)) {
        report('email', 'another user has this email');
      }
      if (status === 'deleted' && !world.erasedUsers.has(id) && world.users.has(id)) {
        report('status', 'this person was erased where the dump is from, and is not erased here');
      }
      if (sealedTotpSecret != null) report('totpSecret', 'was sealed with a key that is not known here');
      if (membership.scope === 'organization') checkOrg(membership.orgId, report);
      if (membership.scope === 'partner') {
        checkPartner(membership.partnerId, report);
        membership.orgIds?.forEach((orgId, i) => {
          if (organization(orgId)?.partnerId !== membership.partnerId) {
            report(`orgIds[${i}]`, `orgIds[${i}] names no organization of the user's partner`);
          }
        });
      }
    },
    apiKey: (record, report) => {
      const { id, userId, orgId } = record;
      if (!takeKey(sha256Of(record, digestSecret), id)) report('key', 'another API key is the same');
      if (!isUser(userId)) report('userId', `userId ${UNKNOWN_USER}`);
      const known = world.apiKeys.get(id);
      if (known !== undefined && known.userId !== userId)
        report('id', "the id belongs to another user's API key");
      if (orgId !== null) checkOrg(orgId, report);
    },
    enrolmentKey: ({ id, keySha256, orgId, siteId }, report) => {
      checkOrg(orgId, report);
      checkHome(orgId, world.enrolmentKeys.get(id)?.orgId, report);
      if (!takeEnrolmentKey(keySha256, id)) report('keySha256', 'another enrolment key is the same');
      checkSite(orgId, siteId, report);
    },
    customField: (field, report) => {
      checkOwner(field.owner, report);
      const known = world.customFields.get(field.id);
      if (known !== undefined && ownerId(known.owner) !== ownerId(field.owner)) report('id', FOREIGN_ID);
      if (!takeField(ownedKey(field), field.id))
        report('key', 'another custom field of this owner has this key');
    },
    device: ({ id, orgId, siteId, patches, software }, report) => {
      checkOrg(orgId, report);
      const tooLong = findTooLongTitle(software);
      if (tooLong >= 0) report(`software[${tooLong}].name`, TITLE_LIMITS['too-long-title']);
      const limit = titleLimits.get(id);
      if (limit !== undefined) report('software', TITLE_LIMITS[limit]);
      if (!allowMoves) checkMove(orgId, world.devices.get(id)?.orgId, report);
      patches.forEach((patch, i) => {
        if (patch.id === null) return;
        const holder = patchIds.has(patch.id) ? null : (world.patches.deviceOf(patch.id) ?? id);
        if (holder !== id) report(`patches[${i}].id`, 'another patch has this id');
        patchIds.add(patch.id);
      });
      checkSite(orgId, siteId, report);
    },
    script: ({ id, owner }, report) => {
      checkOwner(owner, report);
      const known = world.scripts.get(id);
      if (known !== undefined && ownerId(known.owner) !== ownerId(owner)) report('id', FOREIGN_ID);
    },
    alert: ({ id, orgId, deviceId }, report) => {
      checkOrg(orgId, report);
      const known = world.alerts.get(id);
      // It moves along with its device.
      const about = known?.deviceId == null ? undefined : rows.device.get(known.deviceId);
      checkHome(orgId, about?.orgId ?? known?.orgId, report);
      if (deviceId === null) return;
      const device = rows.device.get(deviceId) ?? world.devices.get(deviceId);
      if (device?.orgId !== orgId) report('deviceId', 'deviceId names no device of this organization');
    },
    filter: async ({ id, orgId, createdBy, conditions, version = null }, report) => {
      checkOrg(orgId, report);
      checkHome(orgId, world.filters.get(id)?.orgId, report);
      if (!isUser(createdBy)) {
        report('createdBy', `createdBy ${UNKNOWN_USER}`);
      }
      const quotaFault = quotaFaults.get(id);
      if (quotaFault !== undefined) report(quotaFault.member, quotaFault.message);
      if (organization(orgId) === undefined) return;
      const checked = await checkConditions({ kind: 'organization', orgId }, conditions, 'load');
      if (checked.ok) return;
      for (const { path, message } of faultsForLoad(checked.error, version)) report(path, message);
    },
    deletionRequest: ({ id, request }, report) => {
      const { userId, orgId, partnerId } = request;
      if (!isUser(userId)) report('userId', `userId ${UNKNOWN_USER}`);
      if (orgId !== null) checkOrg(orgId, report);
      if (partnerId !== null) checkPartner(partnerId, report);
      const by = verdictOf(request)?.by;
      if (by !== undefined && !isUser(by)) report('processedBy', `processedBy ${UNKNOWN_USER}`);
      const known = world.deletionRequests.get(id)?.request;
      if (known !== undefined && known.userId !== userId)
        report('id', "the id belongs to another user's request");
      if (isOpen(request) && !takeOpenRequest(userId, id)) {
        report('userId', 'the user has another open deletion request');
      }
    },
    auditEntry: (record, report) => {
      const known = auditEntries.get(record.id);
      if (known !== undefined && known.at !== record.at) {
        report('id', 'the audit log has another entry with this id');
      }
    },
  };
}

function isOpen({ status }: DeletionRequest): boolean {
  return status === 'pending' || status === 'processing';
}

const FOREIGN_ID = 'the id belongs to another organization or partner';

function checkHome(orgId: OrgId, knownOrgId: OrgId | undefined, report: Report): void {
  if (knownOrgId !== undefined && knownOrgId !== orgId) report('id', FOREIGN_ID);
}

function ownerId(owner: Owner): string {
  return owner.kind === 'organization' ? owner.orgId : owner.partnerId;
}

function ownedKey({ owner, key }: RecordOf<'customField'>): string {
  return `${ownerId(owner)} ${key}`;
}

/**
 * Gives out what only one may have. Whoever has it in the world loses it where the fleet brings a new record of
 * theirs, which asks for itself.
 */
function makeClaims<I extends string>(
  staged: ReadonlyMap<I, unknown>,
  holderInWorld: (wanted: string) => I | undefined,
): (wanted: string, id: I) => boolean {
  const taken = new Map<string, I>();
  return (wanted, id) => {
    const known = holderInWorld(wanted);
    const holder = taken.get(wanted) ?? (known === undefined || staged.has(known) ? undefined : known);
    if (holder !== undefined && holder !== id) return false;
    taken.set(wanted, id);
    return true;
  };
}

/**
 * The limits that organizations exceed with the titles of the fleet beside those they have, each by the last device that
 * brings a title.
 */
function findExceededTitleLimits(world: World, rows: StagedRows): ReadonlyMap<DeviceId, TitleLimit> {
  const brought = new Map<OrgId, { readonly software: Map<string, InstalledSoftware>; last: DeviceId }>();
  for (const { id, orgId, software } of rows.device.values()) {
    const ofOrg = brought.get(orgId) ?? { software: new Map(), last: id };
    brought.set(orgId, ofOrg);
    for (const title of software) {
      if (ofOrg.software.has(title.name)) continue;
      ofOrg.software.set(title.name, title);
      ofOrg.last = id;
    }
  }
  const limits = new Map<DeviceId, TitleLimit>();
  for (const [orgId, { software, last }] of brought) {
    const limit = exceededTitleLimit(world.devices.titles.usageWith(orgId, [...software.values()]));
    if (limit !== null) limits.set(last, limit);
  }
  return limits;
}

/** The saved filters that their organization has no room for (Contract: §5, quota). */
function findFiltersWithoutRoom(world: World, rows: StagedRows): ReadonlyMap<FilterId, QuotaFault<unknown>> {
  const changes = [...rows.filter.values()].map(({ id, orgId, conditions }) => {
    const known = world.filters.get(id);
    const bytes = utf8Length(jsonText(conditions));
    return {
      ...{ id, orgId },
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
  return new Map(findQuotaFaults(changes, usedBy).map((fault) => [fault.change.id, fault]));
}

/** Filters are checked against the custom fields as they will be. */
function makeConditionCheck(
  { world, checkPatterns }: Pick<CheckFleetDeps, 'world' | 'checkPatterns'>,
  rows: StagedRows,
): CheckConditions {
  const customFields = makeCustomFieldSource({
    customFields: new Map([...world.customFields, ...rows.customField]),
    organizations: new Map([...world.organizations, ...rows.organization]),
  });
  return makeCheckConditions({ customFields, checkPatterns });
}

function firstLines({ records }: StagedFleet): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const { record, line } of records) {
    const key = placeKey(record);
    if (!lines.has(key)) lines.set(key, line);
  }
  return lines;
}

function placeKey({ kind, id }: FleetRecord): string {
  return `${kind} ${id}`;
}
