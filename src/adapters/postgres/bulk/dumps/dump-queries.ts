/**
 * `$1` is the partner, or null for a dump of everything. Instants are epoch milliseconds. Rows are sorted by
 * id, so the same fleet gives the same dump on any database.
 */
import type { DeletionRequest } from '#domain/deletion/deletion-request.ts';
import type { CustomValue } from '#domain/device/device.ts';
import type {
  AuditEntryRecord,
  DeviceRecord,
  FleetRecord,
  LoadedUserRecord,
  Membership,
  Owner,
  Patch,
} from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import type { RememberedKey } from '#domain/inventory/machine-keys.ts';

const OF_ORGANIZATION = (column: string) =>
  `($1::uuid is null or ${column} in (select id from organization where partner_id = $1))`;
const OF_OWNER = `(${OF_ORGANIZATION('org_id')} or partner_id = $1)`;

const ms = (column: string, name: string) => `(extract(epoch from ${column}) * 1000)::float8 as "${name}"`;

export interface DumpQuery {
  readonly text: string;
  readonly toRecord: (row: never) => FleetRecord;
}

/** System users who are named in the partner's filters or deletion requests. */
const IS_STAFF = `(scope = 'system' and id in (
  select created_by from saved_filter
  where partner_id = $1 or org_id in (select id from organization where partner_id = $1)
  union
  select processed_by from account_deletion_request
  where partner_id = $1 or org_id in (select id from organization where partner_id = $1)))`;

interface Ownable {
  readonly orgId: OrgId | null;
  readonly partnerId: PartnerId | null;
}

export function queriesBeforeDevices(withCredentials: boolean): readonly DumpQuery[] {
  return [
    query('partner', 'select id, name from partner where $1::uuid is null or id = $1 order by id'),
    query(
      'organization',
      'select id, partner_id as "partnerId", name from organization where $1::uuid is null or partner_id = $1 order by id',
    ),
    query(
      'site',
      `select id, org_id as "orgId", name from site where ${OF_ORGANIZATION('org_id')} order by id`,
    ),
    { text: users(withCredentials), toRecord: toUser },
    ...(withCredentials ? KEYS : []),
    {
      text: `select id, org_id as "orgId", partner_id as "partnerId", key, label as name, type::text, choices
        from custom_field where ${OF_OWNER} order by id`,
      toRecord: (row: Ownable & object) => ({ kind: 'customField', ...withOwner(row) }) as FleetRecord,
    },
  ];
}

export const QUERIES_AFTER_DEVICES: readonly DumpQuery[] = [
  {
    text: `select id, org_id as "orgId", partner_id as "partnerId", name, description
      from script where ${OF_OWNER} order by id`,
    toRecord: (row: Ownable & object) => ({ kind: 'script', ...withOwner(row) }) as FleetRecord,
  },
  query(
    'alert',
    `select id, org_id as "orgId", device_id as "deviceId", title, message, severity::text, status::text,
       ${ms('created_at', 'createdAt')}
     from alert where ${OF_ORGANIZATION('org_id')} order by id`,
  ),
  {
    text: `select id, org_id as "orgId", partner_id as "partnerId", name, description, conditions,
        created_by as "createdBy",
        ${ms('created_at', 'createdAt')}, ${ms('updated_at', 'updatedAt')}, version
      from saved_filter where ${OF_OWNER} order by id`,
    toRecord: ({ conditions, ...filter }: { readonly conditions: string }) =>
      ({ kind: 'filter', ...filter, conditions: JSON.parse(conditions) }) as unknown as FleetRecord,
  },
  {
    text: `select id, user_id as "userId", org_id as "orgId", partner_id as "partnerId", reason, status::text,
        ${ms('requested_at', 'requestedAt')}, ${ms('process_by', 'processBy')},
        ${ms('processed_at', 'processedAt')}, processed_by as "processedBy", admin_note as "adminNote",
        ${ms('created_at', 'createdAt')}, ${ms('updated_at', 'updatedAt')}, erasure_failures as failures,
        erasure_problem as problem, ${ms('next_erasure_at', 'nextAttemptAt')},
        ${ms('reminded_at', 'remindedAt')}
      from account_deletion_request where ${OF_OWNER} order by id`,
    toRecord: toRequest,
  },
  {
    text: `select id, ${ms('at', 'at')}, actor_type as "actorType", actor_id as "actorId", org_id as "orgId",
        partner_id as "partnerId", action, result, resource_type as "resourceType", resource_id as "resourceId",
        details, request_id as "requestId", ip
      from audit_log where ${OF_OWNER} order by audit_log.at, id`,
    toRecord: ({ actorType, actorId, ...entry }: { readonly actorType: string; readonly actorId: string }) =>
      ({
        kind: 'auditEntry',
        ...entry,
        actor: { type: actorType, id: actorId },
      }) as unknown as AuditEntryRecord,
  },
];

function query(kind: FleetRecord['kind'], text: string): DumpQuery {
  return { text, toRecord: (row: object) => ({ kind, ...row }) as FleetRecord };
}

/** The dump of a partner has only the API keys of its own users. */
const KEYS: readonly DumpQuery[] = [
  query(
    'apiKey',
    `select id, null as key, key_sha256 as "keySha256", user_id as "userId", name, org_id as "orgId", permissions,
       ${ms('expires_at', 'expiresAt')}, ${ms('revoked_at', 'revokedAt')}, ${ms('created_at', 'createdAt')}
     from api_key
     where $1::uuid is null
       or user_id in (select u.id from app_user u where u.partner_id = $1
                      or u.org_id in (select o.id from organization o where o.partner_id = $1))
     order by id`,
  ),
  query(
    'enrolmentKey',
    `select id, key_sha256 as "keySha256", org_id as "orgId", site_id as "siteId", name,
       ${ms('expires_at', 'expiresAt')}, ${ms('revoked_at', 'revokedAt')}, ${ms('created_at', 'createdAt')}
     from enrolment_key where ${OF_ORGANIZATION('org_id')} order by id`,
  ),
];

/**
 * A dumped user's `orgIds` omits organizations that now belong to another partner: they grant nothing, and
 * loads refuse them.
 */
function users(withCredentials: boolean): string {
  const credentials = withCredentials
    ? `case when ${OF_OWNER} then password_hash end as "passwordHash",
       case when ${OF_OWNER} then totp_secret end as "sealedTotpSecret",
       array(select c.code_sha256 from recovery_code c where c.user_id = app_user.id and ${OF_OWNER} order by 1) as "recoveryCodeSha256s"`
    : `null as "passwordHash", null as "sealedTotpSecret", '{}'::text[] as "recoveryCodeSha256s"`;
  return `select id, email, name, scope::text, org_id as "orgId", partner_id as "partnerId",
      case when has_org_subset then array(
        select s.org_id::text from app_user_organization s join organization o on o.id = s.org_id
        where s.user_id = app_user.id and o.partner_id = app_user.partner_id order by s.org_id
      ) end as "orgIds",
      permissions, is_platform_admin as "isPlatformAdmin", status::text, ${credentials},
      ${ms('created_at', 'createdAt')}, ${ms('updated_at', 'updatedAt')}
    from app_user where ${OF_OWNER} or ${IS_STAFF} order by id`;
}

type UserRow = Omit<LoadedUserRecord, 'kind' | 'membership' | 'password' | 'totpSecret'> &
  Ownable & { readonly scope: Membership['scope']; readonly orgIds: readonly OrgId[] | null };

function toUser({ scope, orgId, partnerId, orgIds, ...user }: UserRow): LoadedUserRecord {
  let membership: Membership = { scope: 'system' };
  if (scope === 'organization' && orgId !== null) membership = { scope, orgId };
  if (scope === 'partner' && partnerId !== null) membership = { scope, partnerId, orgIds };
  return { kind: 'user', ...user, password: null, totpSecret: null, membership };
}

function withOwner({ orgId, partnerId, ...row }: Ownable): { readonly owner: Owner } {
  if (orgId !== null) return { ...row, owner: { kind: 'organization', orgId } };
  if (partnerId === null) throw new Error('a row has no owner');
  return { ...row, owner: { kind: 'partner', partnerId } };
}

type RequestRow = Omit<DeletionRequest, 'verdict'> & {
  readonly processedAt: number | null;
  readonly processedBy: string | null;
  readonly adminNote: string | null;
  readonly failures: number;
  readonly problem: string | null;
  readonly nextAttemptAt: number | null;
  readonly remindedAt: number | null;
};

function toRequest({ failures, problem, nextAttemptAt, remindedAt, ...row }: RequestRow): FleetRecord {
  const { processedAt: at, processedBy: by, adminNote: note, ...facts } = row;
  const verdict = at === null ? null : { at, by, note };
  const request = (facts.status === 'pending' ? facts : { ...facts, verdict }) as DeletionRequest;
  return { kind: 'deletionRequest', id: facts.id, request, failures, problem, nextAttemptAt, remindedAt };
}

export const DEVICE_COLUMNS = `d.id, d.org_id as "orgId", d.site_id as "siteId", d.hostname, d.display_name as "displayName",
    d.status::text, d.os_type::text as "osType", d.os_version as "osVersion", d.os_build as "osBuild",
    d.architecture::text, d.agent_version as "agentVersion", ${ms('d.enrolled_at', 'enrolledAt')},
    ${ms('z.last_seen_at', 'lastSeenAt')}, d.last_seen_ip as "lastSeenIp", d.tags,
    d.device_role::text as "deviceRole", d.last_user as "lastUser", d.is_headless as "isHeadless",
    d.uptime_seconds as "uptimeSeconds", d.watchdog_status::text as "watchdogStatus",
    ${ms('d.quarantined_at', 'quarantinedAt')}, d.reboot_required as "rebootRequired",
    json_build_object('cpuPercent', d.cpu_percent, 'ramPercent', d.ram_percent, 'diskPercent', d.disk_percent) as metrics,
    d.custom, d.patches_reported as "patchesReported", d.system_uuid as "systemUuid", ${ms('d.reports_since', 'reportsSince')},
    d.makes_contact as "makesContact", ${ms('d.inventoried_at', 'inventoriedAt')},
    json_build_object('manufacturer', h.manufacturer, 'model', h.model, 'serialNumber', h.serial_number,
      'cpuModel', h.cpu_model, 'gpuModel', h.gpu_model, 'cpuCores', h.cpu_cores,
      'ramTotalMb', h.ram_total_mb, 'diskTotalGb', h.disk_total_gb) as hardware`;

export const DEVICE_TABLES =
  'device d join device_state z on z.id = d.id left join device_hardware h on h.device_id = d.id';

export const DEVICES = `select ${DEVICE_COLUMNS} from ${DEVICE_TABLES}
  where ${OF_ORGANIZATION('d.org_id')} order by d.id`;

export const DEVICE_PARTS = {
  network: `select device_id as "deviceId", ip_address as "ipAddress", public_ip as "publicIp",
      mac_address as "macAddress"
    from device_network where device_id = any($1) order by device_id, position`,
  volumes: `select device_id as "deviceId", name, filesystem, total_gb as "totalGb", free_gb as "freeGb"
    from device_volume where device_id = any($1) order by device_id, position`,
  software: `select s.device_id as "deviceId", t.name, v.version
    from device_software s cross join unnest(s.title_ids) i(id) left join software_version v on v.id = i.id
    join software_title t on t.id = coalesce(v.title_id, i.id) where s.device_id = any($1)`,
  patches: `select device_id as "deviceId", id, title, status::text from patch
    where device_id = any($1) order by device_id, id`,
  inventoryIds: `select device_id as "deviceId", inventory_id as "inventoryId" from device_inventory_id
    where device_id = any($1) order by device_id, inventory_id`,
  knownKeys: `select device_id as "deviceId", kind::text, key from device_known_key
    where device_id = any($1) order by device_id, kind, key`,
} as const;

type Parts = Pick<DeviceRecord, 'network' | 'volumes' | 'software'> & {
  readonly patches: readonly Patch[];
  readonly inventoryIds: readonly string[];
  readonly knownKeys: readonly RememberedKey[];
};

export type DeviceRow = Omit<DeviceRecord, 'kind' | 'custom' | keyof Parts> & {
  readonly custom: Readonly<Record<string, CustomValue>> | null;
  readonly patchesReported: boolean;
};

export function toDevice({ custom, patchesReported, ...row }: DeviceRow, parts: Parts): DeviceRecord {
  const patches = patchesReported ? parts.patches : null;
  return { kind: 'device', ...row, custom: new Map(Object.entries(custom ?? {})), ...parts, patches };
}
