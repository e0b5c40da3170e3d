/** Maps each kind of record to rows of the staging tables. */

import { foldedCompanion } from '#adapters/postgres/derived-columns.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import { hasHardware } from '#domain/device/device-details.ts';
import type { FleetRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { CopyValue } from './copy-text.ts';
import {
  DEVICE_COLUMNS,
  HARDWARE_COLUMNS,
  isoOrNull,
  NETWORK_COLUMN_NAMES,
  networkRows,
  PATCH_COLUMN_NAMES,
  SOFTWARE_COLUMN_NAMES,
  softwareRow,
} from './device-rows.ts';
import { StagedTable, type StagingConnection } from './staging.ts';

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
  ],
  app_user_organization: ['user_id', 'org_id'],
  api_key: ['id', 'key_sha256', 'user_id', 'name', 'org_id', 'permissions', 'expires_at'],
  custom_field: ['id', 'org_id', 'partner_id', 'key', 'label', 'type', 'choices'],
  device: Object.keys(DEVICE_COLUMNS),
  device_hardware: Object.keys(HARDWARE_COLUMNS),
  device_network: NETWORK_COLUMN_NAMES,
  device_software: SOFTWARE_COLUMN_NAMES,
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
  saved_filter: ['id', 'org_id', 'name', 'description', 'conditions', 'created_by'],
} as const satisfies Record<string, readonly string[]>;

export type FleetTable = keyof typeof COLUMNS;

export type StagedFleet = Readonly<Record<FleetTable, StagedTable>>;

/** One staging table per table of a fleet. They disappear with the transaction. */
export function makeStagedFleet(connection: StagingConnection): StagedFleet {
  const tables = Object.entries(COLUMNS).map(
    ([table, columns]) => [table, new StagedTable(connection, table, columns)] as const,
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
}

/** Adds a record's rows to the staging tables. */
export async function stageRecord(
  staged: StagedFleet,
  { record, line, member }: LocatedRecord,
  context: RowContext,
): Promise<void> {
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
      return addUser(add, record, context);
    case 'apiKey':
      return add('api_key', [
        record.id,
        context.digestSecret(record.key),
        record.userId,
        record.name,
        record.orgId,
        record.permissions,
        isoOrNull(record.expiresAt),
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
      return addDevice(add, record, context);
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
        isoOrNull(record.createdAt),
      ]);
    case 'filter':
      return add('saved_filter', [
        record.id,
        record.orgId,
        record.name,
        record.description,
        JSON.stringify(record.conditions),
        record.createdBy,
      ]);
  }
}

type Add = (table: FleetTable, values: readonly CopyValue[], part?: string) => void;

async function addUser(
  add: Add,
  user: Extract<FleetRecord, { kind: 'user' }>,
  context: RowContext,
): Promise<void> {
  const { membership } = user;
  const orgIds = membership.scope === 'partner' ? membership.orgIds : null;
  add('app_user', [
    user.id,
    user.email,
    foldCase(user.email),
    user.name,
    await context.hashPassword(user.password),
    membership.scope,
    membership.scope === 'organization' ? membership.orgId : null,
    membership.scope === 'partner' ? membership.partnerId : null,
    orgIds !== null,
    user.permissions,
    user.isPlatformAdmin,
    user.totpSecret === null ? null : context.sealTotpSecret(user.totpSecret, user.id),
  ]);
  [...new Set(orgIds)].forEach((orgId, i) => {
    add('app_user_organization', [user.id, orgId], `.orgIds[${i}]`);
  });
}

const TO_DEVICE_ROW = Object.values(DEVICE_COLUMNS);
const TO_HARDWARE_ROW = Object.values(HARDWARE_COLUMNS);

function addDevice(add: Add, device: Extract<FleetRecord, { kind: 'device' }>, context: RowContext): void {
  add(
    'device',
    TO_DEVICE_ROW.map((column) => column(device)),
  );
  if (hasHardware(device.hardware)) {
    add(
      'device_hardware',
      TO_HARDWARE_ROW.map((column) => column(device)),
    );
  }
  for (const row of networkRows(device)) add('device_network', row);
  const software = softwareRow(device, context.titleIds);
  if (software !== null) add('device_software', software);
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
