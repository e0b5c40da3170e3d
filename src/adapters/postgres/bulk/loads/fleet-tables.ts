/** Maps each kind of record to rows of the staging tables. */
import type { CopyValue } from '#adapters/postgres/bulk/copy-text.ts';
import {
  DEVICE_COLUMNS,
  HARDWARE_COLUMNS,
  NETWORK_COLUMN_NAMES,
  networkRows,
  PATCH_COLUMN_NAMES,
  SOFTWARE_COLUMN_NAMES,
  softwareRow,
} from '#adapters/postgres/bulk/device-rows.ts';
import { foldedCompanion } from '#adapters/postgres/derived-columns.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import { hasHardware } from '#domain/device/device-row.ts';
import { findTooLongTitle, TITLE_LIMITS } from '#domain/device/title-quota.ts';
import type { DeviceRecord, LoadedUserRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { printInstantOrNull } from '#domain/text/iso-instant.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { AUDIT_COLUMNS, DELETION_REQUEST_COLUMNS } from './record-rows.ts';
import type { SeenTitles } from './seen-titles.ts';
import { type StagedRows, StagedTable, type StagingConnection } from './staging.ts';

const COLUMNS = {
  partner: ['id', 'name'],
  organization: ['id', 'partner_id', 'name'],
  site: ['id', 'org_id', 'name'],
  app_user: [
    'id',
    'email',
    'email_lc',
    'name',
    'password_hash',
    'scope',
    'org_id',
    'partner_id',
    'has_org_subset',
    'permissions',
    'is_platform_admin',
    'totp_secret',
    'status',
    'created_at',
    'updated_at',
  ],
  app_user_organization: ['user_id', 'org_id'],
  recovery_code: ['user_id', 'code_sha256'],
  api_key: [
    'id',
    'key_sha256',
    'user_id',
    'name',
    'org_id',
    'permissions',
    'expires_at',
    'revoked_at',
    'created_at',
  ],
  enrolment_key: ['id', 'key_sha256', 'org_id', 'site_id', 'name', 'expires_at', 'revoked_at', 'created_at'],
  custom_field: ['id', 'org_id', 'partner_id', 'key', 'label', 'type', 'choices'],
  device: [...Object.keys(DEVICE_COLUMNS), 'system_uuid', 'reports_since'],
  device_inventory_id: ['device_id', 'org_id', 'inventory_id'],
  device_hardware: Object.keys(HARDWARE_COLUMNS),
  device_network: NETWORK_COLUMN_NAMES,
  device_software: SOFTWARE_COLUMN_NAMES,
  organization_software: ['org_id', 'title_ids'],
  patch: PATCH_COLUMN_NAMES,
  script: ['id', 'org_id', 'partner_id', 'name', 'name_lc', 'description', 'description_lc'],
  alert: [
    'id',
    'org_id',
    'device_id',
    'severity',
    'status',
    'title',
    'title_lc',
    'message',
    'message_lc',
    'created_at',
  ],
  saved_filter: [
    'id',
    'org_id',
    'name',
    'description',
    'conditions',
    'created_by',
    'created_at',
    'updated_at',
    'version',
  ],
  account_deletion_request: Object.keys(DELETION_REQUEST_COLUMNS),
  audit_log: Object.keys(AUDIT_COLUMNS),
} as const satisfies Record<string, readonly string[]>;

export type FleetTable = keyof typeof COLUMNS;

export type StagedFleet = Readonly<Record<FleetTable, StagedTable>>;

/** What of a fleet is staged. */
export type StagedRowsOfFleet = Readonly<Record<FleetTable, StagedRows>>;

/** Tables that are staged with the columns of another: titles of an organization come as those of a device do. */
const STAGED_LIKE: Readonly<Record<string, FleetTable>> = { organization_software: 'device_software' };

/** One staging table per table of a fleet. They disappear with the transaction. */
export function makeStagedFleet(connection: StagingConnection): StagedFleet {
  const tables = Object.entries(COLUMNS).map(
    ([table, columns]) => [table, new StagedTable(connection, table, columns, STAGED_LIKE[table])] as const,
  );
  return Object.fromEntries(tables) as StagedFleet;
}

/** What rows need beyond the record. */
export interface RowContext {
  readonly hashPassword: (password: string) => Promise<string>;
  readonly sealTotpSecret: (secret: string, userId: UserId) => string;
  readonly digestSecret: DigestSecret;
  readonly newId: () => string;
  /** The id of every title that the current batch names. */
  readonly titleIds: ReadonlyMap<string, number>;
  readonly seenTitles: SeenTitles;
  /** The secret as this database seals it, or why it cannot be read. */
  readonly takeSealedTotpSecret: (sealed: string, userId: UserId) => Result<string, string>;
  /** Notes what is wrong at a place of the source. */
  readonly report: (fault: FleetFault) => void;
}

/** Adds a record's rows to the staging tables. */
export async function stageRecord(
  staged: StagedFleet,
  located: LocatedRecord,
  context: RowContext,
): Promise<void> {
  const { record, line, member } = located;
  const add = (table: FleetTable, values: readonly CopyValue[], part = '') =>
    staged[table].add(line, `${member}${part}`, values);
  switch (record.kind) {
    case 'partner':
      return add('partner', [record.id, record.name]);
    case 'organization':
      return add('organization', [record.id, record.partnerId, record.name]);
    case 'site':
      return add('site', [record.id, record.orgId, record.name]);
    case 'user':
      return addUser(add, record, {
        ...context,
        report: (path, message) => context.report({ line, member: `${member}${path}`, message }),
      });
    case 'apiKey':
      return add('api_key', [
        record.id,
        record.key === null ? (record.keySha256 ?? null) : context.digestSecret(record.key),
        record.userId,
        record.name,
        record.orgId,
        record.permissions,
        printInstantOrNull(record.expiresAt),
        printInstantOrNull(record.revokedAt ?? null),
        printInstantOrNull(record.createdAt ?? null),
      ]);
    case 'enrolmentKey':
      return add('enrolment_key', [
        ...[record.id, record.keySha256, record.orgId, record.siteId, record.name],
        ...[record.expiresAt, record.revokedAt, record.createdAt].map(printInstantOrNull),
      ]);
    case 'customField':
      return add('custom_field', [
        record.id,
        ...ownerColumns(record.owner),
        record.key,
        record.name,
        record.type,
        record.choices,
      ]);
    case 'device':
      return addDevice(add, { ...located, record }, context);
    case 'script':
      return add('script', [
        record.id,
        ...ownerColumns(record.owner),
        ...withCompanion(record.name),
        ...withCompanion(record.description),
      ]);
    case 'alert':
      return add('alert', [
        record.id,
        record.orgId,
        record.deviceId,
        record.severity,
        record.status,
        ...withCompanion(record.title),
        ...withCompanion(record.message),
        printInstantOrNull(record.createdAt),
      ]);
    case 'filter':
      return add('saved_filter', [
        record.id,
        record.orgId,
        record.name,
        record.description,
        jsonText(record.conditions),
        record.createdBy,
        printInstantOrNull(record.createdAt ?? null),
        printInstantOrNull(record.updatedAt ?? null),
        record.version ?? null,
      ]);
    case 'deletionRequest':
      return add(
        'account_deletion_request',
        Object.values(DELETION_REQUEST_COLUMNS).map((column) => column(record)),
      );
    case 'auditEntry':
      return add(
        'audit_log',
        Object.values(AUDIT_COLUMNS).map((column) => column(record)),
      );
  }
}

type Add = (table: FleetTable, values: readonly CopyValue[], part?: string) => void;

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
  add('app_user', [
    user.id,
    user.email,
    foldCase(user.email),
    user.name,
    password === null ? (user.passwordHash ?? null) : await context.hashPassword(password),
    membership.scope,
    membership.scope === 'organization' ? membership.orgId : null,
    membership.scope === 'partner' ? membership.partnerId : null,
    orgIds !== null,
    user.permissions,
    user.isPlatformAdmin,
    taken?.ok === true ? taken.value : ownSecret,
    user.status ?? 'active',
    printInstantOrNull(user.createdAt ?? null),
    printInstantOrNull(user.updatedAt ?? null),
  ]);
  for (const sha256 of new Set(user.recoveryCodeSha256s)) add('recovery_code', [user.id, sha256]);
  [...new Set(orgIds)].forEach((orgId, i) => {
    add('app_user_organization', [user.id, orgId], `.orgIds[${i}]`);
  });
}

const TO_DEVICE_ROW = Object.values(DEVICE_COLUMNS);
const TO_HARDWARE_ROW = Object.values(HARDWARE_COLUMNS);

interface LocatedDevice extends LocatedRecord {
  readonly record: DeviceRecord;
}

function addDevice(add: Add, { record: device, line, member }: LocatedDevice, context: RowContext): void {
  add('device', [
    ...TO_DEVICE_ROW.map((column) => column(device)),
    device.systemUuid ?? null,
    printInstantOrNull(device.reportsSince ?? null),
  ]);
  for (const inventoryId of new Set(device.inventoryIds)) {
    add('device_inventory_id', [device.id, device.orgId, inventoryId]);
  }
  if (hasHardware(device.hardware)) {
    add(
      'device_hardware',
      TO_HARDWARE_ROW.map((column) => column(device)),
    );
  }
  for (const row of networkRows(device)) add('device_network', row);
  const tooLong = findTooLongTitle(device.software);
  if (tooLong >= 0) {
    const message = TITLE_LIMITS['too-long-title'];
    context.report({ line, member: `${member}.software[${tooLong}].name`, message });
  }
  const software = softwareRow(device, context.titleIds);
  if (software !== null) {
    add('device_software', software);
    const newTitles = context.seenTitles.takeNew(device.orgId, software[2], { line, member });
    if (newTitles.length > 0) add('organization_software', [device.orgId, newTitles]);
  }
  const facts = new Set<string>();
  device.patches.forEach(({ id, title, status }, i) => {
    const fact = `${status} ${title}`;
    const isRepeat = facts.has(fact);
    facts.add(fact);
    add('patch', [id ?? context.newId(), device.id, device.orgId, title, status, isRepeat], `.patches[${i}]`);
  });
}

function ownerColumns(owner: Owner): readonly [string | null, string | null] {
  return owner.kind === 'organization' ? [owner.orgId, null] : [null, owner.partnerId];
}

function withCompanion(text: string | null): readonly [string | null, string | null] {
  return [text, foldedCompanion(text)];
}
