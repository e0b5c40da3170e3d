/** The impact of a change of a filter, with its samples, against previews of the filter before and after it. */
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import { FLEET_NOW, type FleetPlan, SCOPE_NAMES, SCOPES, type ScopeName } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import { round, type Section } from '../report/report.ts';
import { median, timeInTurns } from '../report/statistics.ts';

/** A lighter preview costs less than the transaction and the plan of an impact. */
const HEAVY_MS = 10;

/** Contract: at most twice a preview's time. */
const MOST_TIMES = 2;

type Leaf = readonly [field: string, operator: string, value?: unknown];

const is = (...[field, operator, value]: Leaf) => ({ field, operator, value });
const days = (amount: number) => is('lastSeenAt', 'withinLast', { amount, unit: 'days' });
const hours = (amount: number) => is('lastSeenAt', 'withinLast', { amount, unit: 'hours' });
const CHROME = 'software[Google Chrome].version';

interface Change {
  readonly name: string;
  readonly before: ConditionGroup;
  readonly after: ConditionGroup;
}

const CHANGES: readonly Change[] = [
  define(
    'offline, then also not seen for 30 days',
    [is('status', 'equals', 'offline')],
    [...[is('status', 'equals', 'offline'), is('daysSinceLastSeen', 'greaterThan', 30)]],
  ),
  define(
    'cpu above 90, then above 80',
    [is('metrics.cpuPercent', 'greaterThan', 90)],
    [is('metrics.cpuPercent', 'greaterThan', 80)],
  ),
  define('seen within 7 days, then 14', [days(7)], [days(14)]),
  define('seen within 168 hours, then 169', [hours(168)], [hours(169)]),
  define('Chrome below 130, then 131', [is(CHROME, 'lessThan', '130')], [is(CHROME, 'lessThan', '131')]),
  define(
    'ring of 5 %, then 25 %',
    [is('rollout.bucket', 'lessThan', 5)],
    [is('rollout.bucket', 'lessThan', 25)],
  ),
  define(
    'host name with 7f3a, then 7f3b (rare)',
    [is('hostname', 'contains', '7f3a')],
    [is('hostname', 'contains', '7f3b')],
  ),
  define('Windows, then Linux', [is('osType', 'equals', 'windows')], [is('osType', 'equals', 'linux')]),
];

interface Measured {
  readonly change: Change;
  readonly scope: ScopeName;
  /** Medians in milliseconds. */
  readonly impact: number;
  readonly before: number;
  readonly after: number;
}

export async function measureImpact({ service }: FleetDatabase, plan: FleetPlan): Promise<Section> {
  const { matcher, deviceReader } = service.backend;
  const faults: string[] = [];
  const measured: Measured[] = [];
  for (const scope of SCOPE_NAMES) {
    tell(`impacts of ${plan.size}, scope ${scope}`);
    for (const change of CHANGES) {
      const request = { scope: SCOPES[scope], at: FLEET_NOW, onBehalfOf: 'bench', limit: 10 };
      const preview = (filter: ConditionGroup) => matcher.preview({ ...request, filter }, 10);
      const candidates = {
        impact: () => deviceReader.compare({ ...request, before: change.before, after: change.after }),
        before: () => preview(change.before),
        after: () => preview(change.after),
      };
      const [impact, before, after] = [
        await candidates.impact(),
        await candidates.before(),
        await candidates.after(),
      ];
      const isAgreed =
        impact.ok &&
        before.ok &&
        after.ok &&
        impact.value.before === before.value.totalCount &&
        impact.value.after === after.value.totalCount;
      if (!isAgreed) faults.push(`${change.name}, scope ${scope}: impact and previews disagree`);
      const times = await timeInTurns(candidates, {
        ...{ warmUp: 2, minRounds: 5, maxRounds: 40, budgetMs: 2_000 },
      });
      const [impactMs, beforeMs, afterMs] = [times.impact, times.before, times.after].map(median);
      measured.push({ change, scope, impact: impactMs ?? 0, before: beforeMs ?? 0, after: afterMs ?? 0 });
    }
  }
  const share = ({ impact, before, after }: Measured) => Math.max(before, after) / impact;
  const worst = (some: readonly Measured[]) => Math.min(...some.map(share));
  const isHeavy = ({ before, after }: Measured) => Math.max(before, after) > HEAVY_MS;
  const heavy = measured.filter(isHeavy);
  const everywhere = heavy.filter(({ scope }) => scope === 'all');
  const light = measured.filter((each) => !isHeavy(each));
  const target = round(1 / MOST_TIMES);
  return {
    name: `Impacts of changed filters on ${plan.size} devices`,
    goals: [
      {
        name: `${plan.size}: share of the slower preview's speed, heavy previews of all organizations, worst of ${everywhere.length}`,
        ...{ value: worst(everywhere), target },
      },
      {
        name: `${plan.size}: the same in all scopes, worst of ${heavy.length}`,
        ...{ value: worst(heavy), target },
      },
      {
        name: `${plan.size}: the same for lighter previews, worst of ${light.length}`,
        value: worst(light),
        target: null,
      },
    ],
    tables: SCOPE_NAMES.map((scope) => ({
      title: `scope ${scope}, medians in ms`,
      columns: ['change', 'impact', 'preview before', 'preview after', 'impact/slower preview'],
      rows: measured
        .filter((each) => each.scope === scope)
        .map((each) => [
          each.change.name,
          ...[each.impact, each.before, each.after, 1 / share(each)].map(round),
        ]),
    })),
    notes: ['impact: deviceReader.compare with ten samples on each side. preview: matcher.preview of ten.'],
    faults,
  };
}

function define(
  name: string,
  ...sides: readonly [before: readonly object[], after: readonly object[]]
): Change {
  const [before, after] = sides.map((conditions) => {
    const parsed = parseConditions({ operator: 'AND', conditions }, CORE_CATALOG);
    if (!parsed.ok) throw new Error(`${name}: ${JSON.stringify(parsed.error)}`);
    return parsed.value;
  }) as [ConditionGroup, ConditionGroup];
  return { name, before, after };
}
