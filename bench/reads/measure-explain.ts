/** The cost of an explanation, with the counts of all nodes, against a preview of the same filter. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import { FLEET_NOW, type FleetPlan, SCOPE_NAMES, SCOPES, type ScopeName } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import { round, type Section } from '../report/report.ts';
import { median, timeInTurns } from '../report/statistics.ts';

/** Contract: at most three times a first preview of the same filter. */
const MOST_TIMES = 3;

/** The default of FILTER_TIMEOUT_MS. */
const LIMIT_MS = 2_000;

interface ExplainedFilter {
  readonly name: string;
  readonly filter: ConditionGroup;
  /** Whether a preview must also look at most devices. An index that helps a preview does not help to count. */
  readonly isScan: boolean;
}

type Leaf = readonly [field: string, operator: string, value?: unknown];

const is = (...[field, operator, value]: Leaf) => ({ field, operator, value });
const and = (...conditions: readonly object[]) => ({ operator: 'AND', conditions });
const or = (...conditions: readonly object[]) => ({ operator: 'OR', conditions });

const WEEK = { amount: 7, unit: 'days' };

const FILTERS: readonly ExplainedFilter[] = [
  define(
    '20 conditions: in use, and any sign of trouble',
    true,
    and(
      is('status', 'notIn', ['decommissioned', 'pending']),
      is('lastSeenAt', 'withinLast', { amount: 90, unit: 'days' }),
      is('hostname', 'notContains', 'test'),
      or(
        and(
          is('osType', 'equals', 'windows'),
          or(
            is('metrics.cpuPercent', 'greaterThan', 90),
            is('metrics.ramPercent', 'greaterThan', 95),
            is('metrics.diskPercent', 'greaterThan', 95),
          ),
        ),
        and(is('deviceRole', 'equals', 'server'), is('uptimeSeconds', 'greaterThan', 5_000_000)),
        and(is('osType', 'in', ['macos', 'linux']), is('watchdogStatus', 'notEquals', 'connected')),
        and(is('isHeadless', 'equals', true), is('lastUser', 'isNotNull')),
        is('system.rebootRequired', 'equals', true),
        is('alerts.critical', 'equals', true),
        is('tags', 'hasAny', ['pci', 'lab']),
        is('daysSinceLastSeen', 'greaterThan', 30),
        is('daysSinceEnrolled', 'lessThan', 3),
        is('agentVersion', 'startsWith', '4.0.'),
        is('quarantinedAt', 'isNotNull'),
      ),
    ),
  ),
  define(
    '20 conditions: all that should be so',
    true,
    and(
      is('status', 'notEquals', 'decommissioned'),
      is('osType', 'notEquals', 'linux'),
      is('deviceRole', 'notEquals', 'printer'),
      is('architecture', 'notEquals', 'x86'),
      is('metrics.cpuPercent', 'lessThan', 99),
      is('metrics.ramPercent', 'lessThan', 99),
      is('metrics.diskPercent', 'lessThan', 99),
      is('uptimeSeconds', 'lessThan', 7_000_000),
      is('quarantinedAt', 'isNull'),
      is('watchdogStatus', 'notEquals', 'offline'),
      is('isHeadless', 'notEquals', true),
      is('system.rebootRequired', 'equals', false),
      is('alerts.critical', 'equals', false),
      is('lastSeenAt', 'withinLast', { amount: 90, unit: 'days' }),
      is('daysSinceEnrolled', 'greaterThan', 7),
      is('hostname', 'notContains', 'kiosk'),
      is('displayName', 'notContains', 'spare'),
      is('agentVersion', 'isNotNull'),
      is('tags', 'isEmpty'),
      is('osBuild', 'notEquals', '22600.0000'),
    ),
  ),
  define(
    '20 conditions: hardware, software and interfaces',
    true,
    and(
      is('hardware.cpuCores', 'greaterThan', 2),
      is('hardware.ramTotalMb', 'greaterThanOrEquals', 8_192),
      is('hardware.diskTotalGb', 'greaterThan', 128),
      is('software.installed', 'contains', 'chrome'),
      is('software.installed', 'notContains', 'veeam'),
      is('network.ipAddress', 'startsWith', '10.1'),
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) =>
        is('hardware.model', 'notContains', `${letter}9`),
      ),
      ...['j', 'k', 'l', 'm', 'n', 'o', 'p'].map((letter) => is('hostname', 'notContains', `${letter}9`)),
    ),
  ),
  define(
    '450 conditions: 45 alternatives of ten, close to the limit of 500 nodes',
    false,
    or(
      ...Array.from({ length: 45 }, (_, i) =>
        and(
          is('osType', 'equals', ['windows', 'macos', 'linux'][i % 3]),
          is('metrics.diskPercent', 'greaterThan', 60 + i),
          is('lastSeenAt', 'withinLast', { amount: 1 + i, unit: 'days' }),
          is('hostname', 'contains', `srv${i}`),
          is('tags', 'hasAny', ['pci', `lab${i}`]),
          is('status', 'in', ['online', 'offline']),
          is('agentVersion', 'startsWith', `4.${i}`),
          is('uptimeSeconds', 'greaterThan', 1_000 * i),
          is('hardware.ramTotalMb', 'greaterThan', 1_000 * i),
          is('system.rebootRequired', 'equals', i % 2 === 0),
        ),
      ),
    ),
  ),
  define('1 condition', true, and(is('lastSeenAt', 'withinLast', WEEK))),
  define(
    '5 conditions, one of them rare',
    false,
    and(
      is('hostname', 'contains', '7f3a'),
      is('status', 'equals', 'online'),
      is('osType', 'equals', 'windows'),
      is('tags', 'isNotEmpty'),
      is('metrics.cpuPercent', 'lessThan', 50),
    ),
  ),
];

interface Measured {
  readonly one: ExplainedFilter;
  readonly scope: ScopeName;
  /** Medians in milliseconds. */
  readonly explain: number;
  readonly preview: number;
  /** Devices of the sample that the counts come from; null if all were counted. */
  readonly sampled: number | null;
}

export async function measureExplain({ service }: FleetDatabase, plan: FleetPlan): Promise<Section> {
  const { matcher, explainFilter } = service.backend;
  const faults: string[] = [];
  const measured: Measured[] = [];
  for (const scopeName of SCOPE_NAMES) {
    tell(`explanations of ${plan.size}, scope ${scopeName}`);
    for (const one of FILTERS) {
      const request = requestFor(one.filter, SCOPES[scopeName]);
      const preview = () => matcher.preview(request, 10);
      const explain = () => explainFilter({ ...request, deviceId: null });
      const [previewed, explained] = [await preview(), await explain()];
      if (!previewed.ok || !explained.ok || previewed.value.totalCount !== explained.value.totalCount) {
        faults.push(`${one.name}, scope ${scopeName}: ${JSON.stringify([previewed, explained])}`);
        continue;
      }
      const times = await timeInTurns(
        { explain, preview },
        { warmUp: 2, minRounds: 5, maxRounds: 40, budgetMs: 2_000 },
      );
      measured.push({
        one,
        scope: scopeName,
        explain: median(times.explain),
        preview: median(times.preview),
        sampled: explained.value.sampledCount,
      });
    }
  }
  // The total is exact, so an explanation cannot be faster than a preview that finds all matches.
  const inTime = measured.filter(({ preview }) => preview <= LIMIT_MS);
  const scans = measured.filter(({ one, scope }) => one.isScan && scope === 'all');
  return {
    name: `Explanations of ${plan.size} devices`,
    goals: [
      {
        name: `${plan.size}: share of a preview's speed, every device in reach, worst of ${scans.length}`,
        value: Math.min(...scans.map(({ explain, preview }) => preview / explain)),
        target: round(1 / MOST_TIMES),
      },
      {
        name: `${plan.size}: the time limit against the slowest of ${inTime.length} explanations whose preview is in time`,
        value: LIMIT_MS / Math.max(...inTime.map(({ explain }) => explain)),
        target: 1,
      },
    ],
    tables: SCOPE_NAMES.map((scope) => ({
      title: `scope ${scope}, medians in ms`,
      columns: ['filter', 'explain', 'preview', 'explain/preview', 'counted'],
      rows: measured
        .filter((each) => each.scope === scope)
        .map(({ one, explain, preview, sampled }) => [
          one.name,
          ...[explain, preview, explain / preview].map(round),
          sampled === null ? 'all devices' : `a sample of ${sampled}`,
        ]),
    })),
    notes: ['explain: every count of the filter, of no device. preview: matcher.preview of ten, repeated.'],
    faults,
  };
}

function requestFor(filter: ConditionGroup, scope: AccessScope) {
  return { filter, scope, at: FLEET_NOW, onBehalfOf: 'bench' };
}

function define(name: string, isScan: boolean, conditions: object): ExplainedFilter {
  const parsed = parseConditions(conditions, CORE_CATALOG);
  if (!parsed.ok) throw new Error(`${name}: ${JSON.stringify(parsed.error)}`);
  return { name, isScan, filter: parsed.value };
}
