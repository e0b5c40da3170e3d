/**
 * The previewed filters, each with hand-written conditions for the organization loop: on our tables, and on those in
 * `plain-tables.ts`.
 */
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { versionKey } from '#domain/filter/values/version-key.ts';
import { FLEET_NOW } from '../fleet/fleet-plan.ts';

export interface PreviewFilter {
  readonly name: string;
  /** As sent over HTTP. */
  readonly conditions: object;
  readonly filter: ConditionGroup;
  readonly byHand: HandWritten;
  /** Whether it counts for the geometric mean. */
  readonly isOneOfTen: boolean;
}

/** Conditions on `d`, the device, with values from `$2` up. `$1` is the organization. */
export interface HandWritten {
  readonly own: string;
  readonly plain: string;
  readonly values: readonly unknown[];
}

const WEEK_MS = 7 * 86_400_000;

type Leaf = readonly [field: string, operator: string, value?: unknown];

const and = (...members: readonly object[]) => ({ operator: 'AND', conditions: members });
const or = (...members: readonly object[]) => ({ operator: 'OR', conditions: members });
const is = (...[field, operator, value]: Leaf) => ({ field, operator, value });

export const PREVIEW_FILTERS: readonly PreviewFilter[] = [
  define('status is offline', and(is('status', 'equals', 'offline')), {
    ...alike('d.status = $2'),
    values: ['offline'],
  }),
  define(
    'Windows and (cpu > 90 or disk > 95)',
    and(
      is('osType', 'equals', 'windows'),
      or(is('metrics.cpuPercent', 'greaterThan', 90), is('metrics.diskPercent', 'greaterThan', 95)),
    ),
    {
      own: 'd.os_type = $2 and (d.cpu_percent > $3 or d.disk_percent > $4)',
      plain: `d.os_type = $2 and (${latest('cpu_percent')} > $3 or ${latest('disk_percent')} > $4)`,
      values: ['windows', 90, 95],
    },
  ),
  define('hostname contains srv-sql (1.5 %)', and(is('hostname', 'contains', 'srv-sql')), {
    ...alike('d.hostname ilike $2'),
    values: ['%srv-sql%'],
  }),
  define('hostname contains 7f3a (rare)', and(is('hostname', 'contains', '7F3A')), {
    ...alike('d.hostname ilike $2'),
    values: ['%7F3A%'],
  }),
  define(
    'hostname contains 7f (2 characters)',
    and(is('hostname', 'contains', '7f')),
    { ...alike('d.hostname ilike $2'), values: ['%7f%'] },
    false,
  ),
  define('tags hasAny pci, lab', and(is('tags', 'hasAny', ['pci', 'lab'])), {
    ...alike('d.tags && $2'),
    values: [['pci', 'lab']],
  }),
  define('last seen within 7 days', and(is('lastSeenAt', 'withinLast', { amount: 7, unit: 'days' })), {
    ...alike('d.last_seen_at >= $2'),
    values: [new Date(FLEET_NOW - WEEK_MS)],
  }),
  define(
    'patches pending and alerts critical',
    and(is('patches.pending', 'equals', true), is('alerts.critical', 'equals', true)),
    {
      own: 'd.pending_patches > 0 and d.critical_alerts > 0',
      plain: `exists (select 1 from plain.patch p where p.device_id = d.id and p.status = 'pending')
              and exists (select 1 from plain.alert a
                          where a.device_id = d.id and a.status = 'active' and a.severity = 'critical')`,
      values: [],
    },
  ),
  define('software contains chrome (80 %)', and(is('software.installed', 'contains', 'chrome')), {
    own: `exists (select 1 from device_software s where s.device_id = d.id
                  and s.title_ids && array(select t.id from software_title t where t.name_lc like $2))`,
    plain: 'exists (select 1 from plain.software s where s.device_id = d.id and s.name ilike $2)',
    values: ['%chrome%'],
  }),
  define(
    'software equals Google Chrome (78 %)',
    and(is('software.installed', 'equals', 'Google Chrome')),
    {
      own: `exists (select 1 from device_software s where s.device_id = d.id
                    and s.title_ids && array(select t.id from software_title t where t.name_lc = $2))`,
      plain: 'exists (select 1 from plain.software s where s.device_id = d.id and lower(s.name) = $2)',
      values: ['google chrome'],
    },
    false,
  ),
  define(
    'version of Google Chrome below 130 (73 %)',
    and(is('software[Google Chrome].version', 'lessThan', '130')),
    {
      own: `exists (select 1 from device_software s where s.device_id = d.id
                    and s.title_ids && array(select v.id from software_version v join software_title t on t.id = v.title_id
                                             where t.name_lc = $2 and v.version_key < $3))`,
      plain: `exists (select 1 from plain.software s
                      where s.device_id = d.id and lower(s.name) = $2 and s.version_key < $3)`,
      values: ['google chrome', versionKey('130')],
    },
    false,
  ),
  define('hostname matches a pattern', and(is('hostname', 'matches', '^srv-(sql|db)-[a-z]+-0[0-9]{2}$')), {
    ...alike('d.hostname ~ $2'),
    values: ['^srv-(sql|db)-[a-z]+-0[0-9]{2}$'],
  }),
  define(
    'three negative conditions',
    and(
      is('status', 'notEquals', 'decommissioned'),
      is('hostname', 'notContains', 'srv'),
      is('displayName', 'notContains', 'kiosk'),
    ),
    {
      ...alike('d.status <> $2 and d.hostname not ilike $3 and (d.display_name ilike $4) is not true'),
      values: ['decommissioned', '%srv%', '%kiosk%'],
    },
  ),
];

/** Both kinds of tables have the same columns here. */
function alike(where: string): Pick<HandWritten, 'own' | 'plain'> {
  return { own: where, plain: where };
}

function latest(metric: string): string {
  return `(select m.${metric} from plain.metric_sample m where m.device_id = d.id order by m.at desc limit 1)`;
}

function define(name: string, conditions: object, byHand: HandWritten, isOneOfTen = true): PreviewFilter {
  const parsed = parseConditions(conditions, CORE_CATALOG);
  if (!parsed.ok) throw new Error(`${name}: ${JSON.stringify(parsed.error)}`);
  return { name, conditions, filter: parsed.value, byHand, isOneOfTen };
}
