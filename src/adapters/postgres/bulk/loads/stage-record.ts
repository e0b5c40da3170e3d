import { auditRow } from '#adapters/postgres/audit-insert.ts';
import {
  deviceRow,
  hardwareRow,
  networkRows,
  type Row,
  softwareRow,
  volumeRows,
} from '#adapters/postgres/bulk/device-rows.ts';
import { foldedCompanion } from '#adapters/postgres/derived-columns.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { verdictOf } from '#domain/deletion/deletion-request.ts';
import { hasHardware } from '#domain/device/device-row.ts';
import { findTooLongTitle, TITLE_LIMITS } from '#domain/device/title-quota.ts';
import { namedFilters } from '#domain/filter/catalog/inner-filters.ts';
import type {
  DeletionRequestRecord,
  DeviceRecord,
  LoadedUserRecord,
  Owner,
} from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import { fromRemembered, toRemembered } from '#domain/inventory/machine-keys.ts';
import type { Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { printInstantOrNull } from '#domain/text/iso-instant.ts';
import { jsonText } from '#domain/text/json-text.ts';
import type { SeenTitles } from './seen-titles.ts';
import type { FleetTable, StagedFleet } from './staging.ts';

export interface StageRecordDeps {
  readonly hashPassword: PasswordHasher;
  readonly digestSecret: DigestSecret;
  readonly sealTotpSecret: (secret: string, userId: UserId) => string;
  /** Reseals a secret from a dump, which may come from another database. The error says why it cannot be read. */
  readonly takeSealedTotpSecret: (sealed: string, userId: UserId) => Result<string, string>;
  readonly newId: IdGenerator;
}

export interface RowContext extends StageRecordDeps {
  readonly titleIds: ReadonlyMap<string, number>;
  readonly seenTitles: SeenTitles;
  readonly report: (fault: FleetFault) => void;
}

export async function stageRecord(
  staged: StagedFleet,
  located: LocatedRecord,
  context: RowContext,
): Promise<void> {
  const { record, line, member } = located;
  const add: Add = (table, row, part = '') => staged[table].add(line, `${member}${part}`, row);
  switch (record.kind) {
    case 'partner':
      return add('partner', { id: record.id, name: record.name });
    case 'organization':
      return add('organization', { id: record.id, partner_id: record.partnerId, name: record.name });
    case 'site':
      return add('site', { id: record.id, org_id: record.orgId, name: record.name });
    case 'user':
      return addUser(add, record, {
        ...context,
        report: (path, message) => context.report({ line, member: `${member}${path}`, message }),
      });
    case 'apiKey':
      return add('api_key', {
        id: record.id,
        key_sha256: record.key === null ? (record.keySha256 ?? null) : context.digestSecret(record.key),
        user_id: record.userId,
        name: record.name,
        org_id: record.orgId,
        permissions: record.permissions,
        expires_at: printInstantOrNull(record.expiresAt),
        revoked_at: printInstantOrNull(record.revokedAt ?? null),
        created_at: printInstantOrNull(record.createdAt ?? null),
      });
    case 'enrolmentKey':
      return add('enrolment_key', {
        id: record.id,
        key_sha256: record.keySha256,
        org_id: record.orgId,
        site_id: record.siteId,
        name: record.name,
        expires_at: printInstantOrNull(record.expiresAt),
        revoked_at: printInstantOrNull(record.revokedAt),
        created_at: printInstantOrNull(record.createdAt),
      });
    case 'customField':
      return add('custom_field', {
        id: record.id,
        ...ownerColumns(record.owner),
        key: record.key,
        label: record.name,
        type: record.type,
        choices: record.choices,
      });
    case 'device':
      return addDevice(add, { ...located, record }, context);
    case 'script':
      return add('script', {
        id: record.id,
        ...ownerColumns(record.owner),
        name: record.name,
        name_lc: foldedCompanion(record.name),
        description: record.description,
        description_lc: foldedCompanion(record.description),
      });
    case 'alert':
      return add('alert', {
        id: record.id,
        org_id: record.orgId,
        device_id: record.deviceId,
        severity: record.severity,
        status: record.status,
        title: record.title,
        title_lc: foldedCompanion(record.title),
        message: record.message,
        message_lc: foldedCompanion(record.message),
        created_at: printInstantOrNull(record.createdAt),
      });
    case 'filter':
      return add('saved_filter', {
        id: record.id,
        org_id: record.orgId,
        partner_id: record.partnerId,
        name: record.name,
        description: record.description,
        conditions: jsonText(record.conditions),
        named: namedFilters(record.conditions),
        created_by: record.createdBy,
        created_at: printInstantOrNull(record.createdAt ?? null),
        updated_at: printInstantOrNull(record.updatedAt ?? null),
        version: record.version ?? null,
        changed_by: (record.version ?? 1) === 1 ? record.createdBy : null,
      });
    case 'deletionRequest':
      return add('account_deletion_request', deletionRequestRow(record));
    case 'auditEntry':
      return add('audit_log', { ...auditRow(record), details: JSON.stringify(record.details) });
  }
}

type Add = (table: FleetTable, row: Row, part?: string) => void;

async function addUser(
  add: Add,
  user: LoadedUserRecord,
  context: Omit<RowContext, 'report'> & { readonly report: (path: string, message: string) => void },
): Promise<void> {
  const { membership } = user;
  const { totpSecret, sealedTotpSecret: sealed, password } = user;
  const taken = sealed == null ? null : context.takeSealedTotpSecret(sealed, user.id);
  if (taken?.ok === false) context.report('.totpSecret', taken.error);
  const ownSecret = totpSecret === null ? null : context.sealTotpSecret(totpSecret, user.id);
  const orgIds = membership.scope === 'partner' ? membership.orgIds : null;
  add('app_user', {
    id: user.id,
    email: user.email,
    email_lc: foldCase(user.email),
    name: user.name,
    password_hash: password === null ? (user.passwordHash ?? null) : await context.hashPassword(password),
    scope: membership.scope,
    org_id: membership.scope === 'organization' ? membership.orgId : null,
    partner_id: membership.scope === 'partner' ? membership.partnerId : null,
    has_org_subset: orgIds !== null,
    permissions: user.permissions,
    is_platform_admin: user.isPlatformAdmin,
    totp_secret: taken?.ok === true ? taken.value : ownSecret,
    status: user.status ?? 'active',
    created_at: printInstantOrNull(user.createdAt ?? null),
    updated_at: printInstantOrNull(user.updatedAt ?? null),
  });
  for (const sha256 of new Set(user.recoveryCodeSha256s)) {
    add('recovery_code', { user_id: user.id, code_sha256: sha256 });
  }
  [...new Set(orgIds)].forEach((orgId, i) => {
    add('app_user_organization', { user_id: user.id, org_id: orgId }, `.orgIds[${i}]`);
  });
}

interface LocatedDevice extends LocatedRecord {
  readonly record: DeviceRecord;
}

function addDevice(add: Add, { record: device, line, member }: LocatedDevice, context: RowContext): void {
  const { id, orgId } = device;
  add('device', deviceRow(device));
  for (const inventoryId of new Set(device.inventoryIds)) {
    add('device_inventory_id', { device_id: id, org_id: orgId, inventory_id: inventoryId });
  }
  for (const { kind, key } of toRemembered(fromRemembered(device.knownKeys ?? []))) {
    add('device_known_key', { device_id: id, org_id: orgId, kind, key });
  }
  if (hasHardware(device.hardware)) add('device_hardware', hardwareRow(device));
  for (const row of networkRows(device)) add('device_network', row);
  for (const row of volumeRows(device)) add('device_volume', row);
  const tooLong = findTooLongTitle(device.software);
  if (tooLong >= 0) {
    const message = TITLE_LIMITS['too-long-title'];
    context.report({ line, member: `${member}.software[${tooLong}].name`, message });
  }
  const software = softwareRow(device, context.titleIds);
  if (software !== null) {
    add('device_software', software);
    const newTitles = context.seenTitles.takeNew(orgId, software.title_ids, { line, member });
    if (newTitles.length > 0) add('organization_software', { org_id: orgId, title_ids: newTitles });
  }
  const facts = new Set<string>();
  device.patches?.forEach(({ id: patchId, title, status }, i) => {
    const fact = `${status} ${title}`;
    const row = { id: patchId ?? context.newId<'patch'>(), device_id: id, org_id: orgId, title, status };
    const derived = { is_repeat: facts.has(fact), title_lc: foldedCompanion(title) };
    add('patch', { ...row, ...derived }, `.patches[${i}]`);
    facts.add(fact);
  });
}

function deletionRequestRow(record: DeletionRequestRecord): Row {
  const { request, failures, problem, nextAttemptAt, remindedAt } = record;
  const verdict = verdictOf(request);
  return {
    id: request.id,
    user_id: request.userId,
    org_id: request.orgId,
    partner_id: request.partnerId,
    reason: request.reason,
    status: request.status,
    requested_at: printInstantOrNull(request.requestedAt),
    process_by: printInstantOrNull(request.processBy),
    processed_at: printInstantOrNull(verdict?.at ?? null),
    processed_by: verdict?.by ?? null,
    admin_note: verdict?.note ?? null,
    created_at: printInstantOrNull(request.createdAt),
    updated_at: printInstantOrNull(request.updatedAt),
    erasure_failures: failures,
    erasure_problem: problem,
    next_erasure_at: printInstantOrNull(nextAttemptAt),
    reminded_at: printInstantOrNull(remindedAt),
  };
}

function ownerColumns(owner: Owner): Row {
  return owner.kind === 'organization'
    ? { org_id: owner.orgId, partner_id: null }
    : { org_id: null, partner_id: owner.partnerId };
}
