/** Filters that name other filters, 1 to 20 deep, against previews of the same conditions written out. */
import { CORE_CATALOG, withInnerFilters } from '#domain/filter/catalog/field-catalog.ts';
import type { InnerFilter } from '#domain/filter/catalog/inner-filters.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import type { FilterId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import { FLEET_NOW, type FleetPlan, SCOPE_NAMES, SCOPES } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import { round, type Section } from '../report/report.ts';
import { median, timeInTurns } from '../report/statistics.ts';

const DEPTHS = [1, 5, 20] as const;

const is = (field: string, operator: string, value?: unknown) => ({ field, operator, value });

/** One on each level, some of which devices have in other tables. */
const LEVELS = [
  is('status', 'equals', 'online'),
  is('osType', 'equals', 'windows'),
  is('metrics.diskPercent', 'greaterThan', 20),
  is('hardware.ramTotalMb', 'greaterThan', 2048),
  is('lastSeenAt', 'withinLast', { amount: 400, unit: 'days' }),
] as const;

interface Nested {
  readonly name: string;
  readonly nested: ConditionGroup;
  readonly written: ConditionGroup;
}

export async function measureInner({ service }: FleetDatabase, plan: FleetPlan): Promise<Section> {
  const { matcher } = service.backend;
  const faults: string[] = [];
  const rows: (string | number)[][] = [];
  let worst = Number.POSITIVE_INFINITY;
  const filters = [...DEPTHS.map(chain), doubling(20)];
  for (const scope of SCOPE_NAMES) {
    tell(`filters in filters of ${plan.size}, scope ${scope}`);
    for (const { name, nested, written } of filters) {
      const request = { scope: SCOPES[scope], at: FLEET_NOW, onBehalfOf: 'bench' };
      const candidates = {
        nested: () => matcher.preview({ ...request, filter: nested }, 10),
        written: () => matcher.preview({ ...request, filter: written }, 10),
      };
      const [one, other] = [await candidates.nested(), await candidates.written()];
      const isAgreed = one.ok && other.ok && one.value.totalCount === other.value.totalCount;
      if (!isAgreed) faults.push(`${name}, scope ${scope}: filters in filters and their conditions disagree`);
      const times = await timeInTurns(candidates, {
        ...{ warmUp: 2, minRounds: 5, maxRounds: 40, budgetMs: 2_000 },
      });
      const [nestedMs, writtenMs] = [median(times.nested) ?? 0, median(times.written) ?? 0];
      if (!name.startsWith('doubling')) worst = Math.min(worst, writtenMs / nestedMs);
      rows.push([scope, name, round(nestedMs), round(writtenMs), round(nestedMs / writtenMs)]);
    }
  }
  return {
    name: `Filters in filters on ${plan.size} devices`,
    goals: [
      {
        name: `${plan.size}: speed of the conditions written out, worst of chains`,
        value: worst,
        target: 0.7,
      },
    ],
    tables: [
      {
        title: 'medians in ms',
        columns: ['scope', 'filter', 'in filters', 'written out', 'ratio'],
        rows,
      },
    ],
    notes: ['A chain has a condition on each level. Doubling names the filter below twice on each level.'],
    faults,
  };
}

function chain(depth: number): Nested {
  const inner = new Inner();
  for (let level = 0; level < depth; level++) {
    const below = inner.last === null ? [] : [is('filter', 'equals', inner.last)];
    inner.add([...below, LEVELS[level % LEVELS.length]]);
  }
  return {
    name: `${depth} deep`,
    nested: inner.outer(),
    written: parse([...LEVELS.slice(0, depth)]),
  };
}

function doubling(depth: number): Nested {
  const inner = new Inner();
  inner.add([...LEVELS]);
  for (let level = 1; level < depth; level++) {
    const below = inner.last ?? '';
    inner.add([
      is('filter', 'equals', below),
      { operator: 'OR', conditions: [is('filter', 'in', [below]), LEVELS[0]] },
    ]);
  }
  return { name: `doubling, ${depth} deep`, nested: inner.outer(), written: parse([...LEVELS]) };
}

class Inner {
  readonly #filters = new Map<string, Result<InnerFilter, string>>();
  last: string | null = null;

  add(conditions: readonly unknown[]): void {
    const id = `f1170000-0000-4000-8000-${String(this.#filters.size).padStart(12, '0')}` as FilterId;
    const filter = { id, orgIds: null, conditions: parse(conditions, this.#filters) };
    this.#filters.set(id, ok(filter));
    this.last = id;
  }

  /** Names the last one. */
  outer(): ConditionGroup {
    return parse([is('filter', 'equals', this.last)], this.#filters);
  }
}

function parse(
  conditions: readonly unknown[],
  inner: ReadonlyMap<string, Result<InnerFilter, string>> = new Map(),
): ConditionGroup {
  const parsed = parseConditions({ operator: 'AND', conditions }, withInnerFilters(CORE_CATALOG, inner));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}
