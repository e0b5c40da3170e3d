/**
 * These records map the core fields to SQL, so a field key itself never becomes part of a statement
 * (Contract: §3). Software is in `software.ts`.
 */
import {
  arrayLiteral,
  type Sql,
  sql,
  textLiteral,
  uuidLiteral,
  uuidsLiteral,
} from '#adapters/postgres/reads/sql/literal.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { ListFieldKey, RowsFieldKey, ValueFieldKey } from '#domain/filter/catalog/core-fields.ts';
import type { CustomField, CustomFieldVariant } from '#domain/filter/catalog/custom-field.ts';
import type { ListField, ValueField } from '#domain/filter/catalog/field-catalog.ts';

export type Join = 'hardware' | 'software' | 'state';

export interface ValueColumn {
  readonly value: Sql;
  /** The case-folded text. Null for values that are compared as written. */
  readonly folded: Sql | null;
  /** Whether `folded` has a trigram index. */
  readonly hasTrigrams: boolean;
  readonly isNullable: boolean;
  /** The type that constants are cast to. */
  readonly type: Sql;
  readonly instants: 'timestamptz' | 'epochMs';
  readonly join: Join | null;
}

export interface RowsColumn {
  readonly row: ValueColumn;
  readonly exists: (condition: Sql) => Sql;
}

export function valueColumn(field: ValueField): ValueColumn {
  return field.source.kind === 'core' ? VALUE_COLUMNS[field.source.key] : customColumn(field.source.field);
}

export function rowsColumn(key: RowsTableKey): RowsColumn {
  return ROWS_COLUMNS[key];
}

export function listColumn(field: ListField): Sql {
  return LIST_COLUMNS[field.source.key];
}

const VALUE_COLUMNS: Readonly<Record<ValueFieldKey, ValueColumn>> = {
  hostname: { ...text(sql`d.hostname`), folded: sql`d.hostname_lc`, hasTrigrams: true, isNullable: false },
  displayName: text(sql`d.display_name`),
  status: enumeration(sql`d.status`, sql`device_status`, false),
  agentVersion: text(sql`d.agent_version`),
  'agent.version': value(sql`d.agent_version_key`, sql`text`),
  enrolledAt: value(sql`d.enrolled_at`, sql`timestamptz`),
  lastSeenAt: value(sql`z.last_seen_at`, sql`timestamptz`, 'state'),
  deviceRole: enumeration(sql`d.device_role`, sql`device_role`, false),
  lastUser: text(sql`d.last_user`),
  isHeadless: value(sql`d.is_headless`, sql`boolean`),
  uptimeSeconds: value(sql`d.uptime_seconds`, sql`float8`),
  watchdogStatus: enumeration(sql`d.watchdog_status`, sql`watchdog_status`, true),
  quarantinedAt: value(sql`d.quarantined_at`, sql`timestamptz`),
  id: { ...value(sql`d.id`, sql`uuid`), isNullable: false },
  orgId: { ...value(sql`d.org_id`, sql`uuid`), isNullable: false },
  siteId: value(sql`d.site_id`, sql`uuid`),
  'rollout.bucket': { ...value(sql`d.rollout_bucket`, sql`float8`), isNullable: false },
  lastSeenIp: text(sql`d.last_seen_ip`),
  // PostgreSQL uses a partial index only if its condition is exactly this expression.
  'patches.pending': { ...value(sql`(d.pending_patches > 0)`, sql`boolean`), isNullable: false },
  'patches.reported': { ...value(sql`d.patches_reported`, sql`boolean`), isNullable: false },
  'alerts.critical': { ...value(sql`(d.critical_alerts > 0)`, sql`boolean`), isNullable: false },
  'system.rebootRequired': { ...value(sql`d.reboot_required`, sql`boolean`), isNullable: false },
  osType: enumeration(sql`d.os_type`, sql`os_type`, true),
  osVersion: text(sql`d.os_version`),
  'os.version': value(sql`d.os_version_key`, sql`text`),
  osBuild: text(sql`d.os_build`),
  architecture: enumeration(sql`d.architecture`, sql`architecture`, true),
  'hardware.manufacturer': text(sql`h.manufacturer`, 'hardware'),
  'hardware.model': text(sql`h.model`, 'hardware'),
  'hardware.serialNumber': text(sql`h.serial_number`, 'hardware'),
  'hardware.cpuModel': text(sql`h.cpu_model`, 'hardware'),
  'hardware.cpuCores': value(sql`h.cpu_cores`, sql`float8`, 'hardware'),
  'hardware.ramTotalMb': value(sql`h.ram_total_mb`, sql`float8`, 'hardware'),
  'hardware.diskTotalGb': value(sql`h.disk_total_gb`, sql`float8`, 'hardware'),
  'hardware.gpuModel': text(sql`h.gpu_model`, 'hardware'),
  'metrics.reported': {
    ...value(sql`(num_nonnulls(d.cpu_percent, d.ram_percent, d.disk_percent) > 0)`, sql`boolean`),
    isNullable: false,
  },
  'metrics.cpuPercent': value(sql`d.cpu_percent`, sql`float8`),
  'metrics.ramPercent': value(sql`d.ram_percent`, sql`float8`),
  'metrics.diskPercent': value(sql`d.disk_percent`, sql`float8`),
  daysSinceLastSeen: value(sql`z.last_seen_at`, sql`timestamptz`, 'state'),
  daysSinceEnrolled: value(sql`d.enrolled_at`, sql`timestamptz`),
};

/** Tags are compiled by `tagCondition`. */
type RowsTableKey = Exclude<RowsFieldKey, 'tags.name'>;

const ROWS_COLUMNS: Readonly<Record<RowsTableKey, RowsColumn>> = {
  'network.ipAddress': networkRows(sql`n.ip_address`),
  'network.publicIp': networkRows(sql`n.public_ip`),
  'network.macAddress': networkRows(sql`n.mac_address`),
};

const LIST_COLUMNS: Readonly<Record<ListFieldKey, Sql>> = { tags: sql`d.tags` };

function value(column: Sql, type: Sql, join: Join | null = null): ValueColumn {
  return {
    value: column,
    folded: null,
    hasTrigrams: false,
    isNullable: true,
    type,
    instants: 'timestamptz',
    join,
  };
}

function text(column: Sql, join: Join | null = null): ValueColumn {
  return { ...value(column, sql`text`, join), folded: foldedCompanion(column) };
}

function enumeration(column: Sql, type: Sql, isNullable: boolean): ValueColumn {
  return { ...value(column, type), isNullable };
}

function networkRows(column: Sql): RowsColumn {
  return {
    row: text(column),
    exists: (condition) =>
      sql`exists (select 1 from device_network n where n.device_id = d.id and ${condition})`,
  };
}

function foldedCompanion(column: Sql): Sql {
  return sql`coalesce(${`${column}_lc` as Sql}, ${column} collate "C")`;
}

/** NULL if the device's organization does not define the field, or if the value does not fit it. */
function customColumn(field: CustomField): ValueColumn {
  const key = textLiteral(field.key);
  const raw = sql`d.custom -> ${key}`;
  const isOfType = (type: string) => sql`jsonb_typeof(${raw}) = ${textLiteral(type)}`;
  const asText = sql`d.custom ->> ${key}`;
  switch (field.type) {
    case 'text': {
      const column = inOrganizations(field, () => isOfType('string'), asText);
      return {
        ...value(column, sql`text`),
        folded: sql`coalesce(${inOrganizations(field, () => isOfType('string'), sql`d.custom_derived -> 'lc' ->> ${key}`)}, ${column}) collate "C"`,
      };
    }
    case 'dropdown': {
      const isChoice = ({ choices }: CustomFieldVariant) =>
        sql`${isOfType('string')} and ${asText} = any(${arrayLiteral(choices, sql`text`)})`;
      return value(inOrganizations(field, isChoice, asText), sql`text`);
    }
    case 'number':
      return value(
        inOrganizations(field, () => isOfType('number'), sql`(${asText})::float8`),
        sql`float8`,
      );
    case 'boolean':
      return value(
        inOrganizations(field, () => isOfType('boolean'), sql`(${asText})::boolean`),
        sql`boolean`,
      );
    case 'date': {
      const instant = sql`(d.custom_derived -> 'at' ->> ${key})::float8`;
      return {
        ...value(
          inOrganizations(field, () => sql`true`, instant),
          sql`float8`,
        ),
        instants: 'epochMs',
      };
    }
    default:
      return assertNever(field.type);
  }
}

function inOrganizations(field: CustomField, fits: (variant: CustomFieldVariant) => Sql, column: Sql): Sql {
  const arms = field.variants.map((variant) => {
    if (variant.orgIds === null)
      throw new Error(`the stored definition of ${field.key} names no organizations`);
    const orgIds = [...variant.orgIds];
    const [only] = orgIds;
    const isThere =
      orgIds.length === 1 && only !== undefined
        ? sql`d.org_id = ${uuidLiteral(only)}`
        : sql`d.org_id = any(${uuidsLiteral(orgIds)})`;
    return sql`when ${isThere} and ${fits(variant)} then ${column}`;
  });
  return arms.length === 0 ? sql`null` : sql`(case ${arms.join(' ') as Sql} end)`;
}
