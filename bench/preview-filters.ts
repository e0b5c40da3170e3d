/**
 * The filters that are previewed, each also as whoever asks one organization after another would write it by hand:
 * a plain parameterized condition on the same tables and indexes.
 */

import type { ConditionGroup } from '#domain/filter/condition.ts';
import { CORE_CATALOG } from '#domain/filter/field-catalog.ts';
import { parseConditions } from '#domain/filter/parse-conditions.ts';
import { FLEET_NOW } from './fleet-plan.ts';

export interface PreviewFilter {
  readonly name: string;
  /** As it is sent over HTTP. */
  readonly conditions: object;
  readonly filter: ConditionGroup;
  /** The condition on `device d` and its values, for `$2` and up; `$1` is the organization. */
  readonly byHand: { readonly where: string; readonly values: readonly unknown[] };
  /** Whether it is one of the ten of which the geometric mean is taken. */
  readonly isOneOfTen: boolean;
}

const WEEK_MS = 7 * 86_400_000;

type Leaf = readonly [field: string, operator: string, value?: unknown];

const and = (...members: readonly object[]) => ({ operator: 'AND', conditions: members });
const or = (...members: readonly object[]) => ({ operator: 'OR', conditions: members });
const is = (...[field, operator, value]: Leaf) => ({ field, operator, value });

export const PREVIEW_FILTERS: readonly PreviewFilter[] = [
  define('status is offline', and(is('status', 'equals', 'offline')), {
    where: 'd.status = $2',
    values: ['offline'],
  }),
  define(
    'Windows and (cpu > 90 or disk > 95)',
    and(
      is('osType', 'equals', 'windows'),
      or(is('metrics.cpuPercent', 'greaterThan', 90), is('metrics.diskPercent', 'greaterThan', 95)),
    ),
    { where: 'd.os_type = $2 and (d.cpu_percent > $3 or d.disk_percent > $4)', values: ['windows', 90, 95] },
  ),
  define('hostname contains srv-sql (1.5 %)', and(is('hostname', 'contains', 'srv-sql')), {
    where: 'd.hostname ilike $2',
    values: ['%srv-sql%'],
  }),
  define('hostname contains 7f3a (rare)', and(is('hostname', 'contains', '7F3A')), {
    where: 'd.hostname ilike $2',
    values: ['%7F3A%'],
  }),
  define(
    'hostname contains 7f (2 characters)',
    and(is('hostname', 'contains', '7f')),
    { where: 'd.hostname ilike $2', values: ['%7f%'] },
    false,
  ),
  define('tags hasAny pci, lab', and(is('tags', 'hasAny', ['pci', 'lab'])), {
    where: 'd.tags && $2',
    values: [['pci', 'lab']],
  }),
  define('last seen within 7 days', and(is('lastSeenAt', 'withinLast', { amount: 7, unit: 'days' })), {
    where: 'd.last_seen_at >= $2',
    values: [new Date(FLEET_NOW - WEEK_MS)],
  }),
  define(
    'patches pending and alerts critical',
    and(is('patches.pending', 'equals', true), is('alerts.critical', 'equals', true)),
    { where: 'd.pending_patches > 0 and d.critical_alerts > 0', values: [] },
  ),
  define('software contains chrome (80 %)', and(is('software.installed', 'contains', 'chrome')), {
    where: `exists (select 1 from device_software s where s.device_id = d.id
                    and s.title_ids && array(select t.id from software_title t where t.name_lc like $2))`,
    values: ['%chrome%'],
  }),
  define('hostname matches a pattern', and(is('hostname', 'matches', '^srv-(sql|db)-[a-z]+-0[0-9]{2}$')), {
    where: 'd.hostname ~ $2',
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
      where: 'd.status <> $2 and d.hostname not ilike $3 and (d.display_name ilike $4) is not true',
      values: ['decommissioned', '%srv%', '%kiosk%'],
    },
  ),
];

function define(
  name: string,
  conditions: object,
  byHand: PreviewFilter['byHand'],
  isOneOfTen = true,
): PreviewFilter {
  const parsed = parseConditions(conditions, CORE_CATALOG);
  if (!parsed.ok) throw new Error(`${name}: ${JSON.stringify(parsed.error)}`);
  return { name, conditions, filter: parsed.value, byHand, isOneOfTen };
}
