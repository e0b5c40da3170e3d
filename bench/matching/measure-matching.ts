/**
 * Finds which of 10,000 saved filters match a device: the index, every filter, and every filter of the organization.
 */
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Device } from '#domain/device/device.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { compilePredicate, type DevicePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import { FilterIndex } from '#domain/filter/index/filter-index.ts';
import type { OrgId } from '#domain/ids.ts';
import { FLEET_NOW, ORGANIZATION_COUNT, orgIdAt } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import { round, type Section, type Table } from '../report/report.ts';
import { exponentOf, median, timeInTurns } from '../report/statistics.ts';
import { sampleDevices } from './sample-devices.ts';
import { drawFilter } from './saved-filter-set.ts';

const FILTER_COUNT = 10_000;
const DEVICE_COUNT = 100;

const GROWING_COUNTS = [1_000, 10_000, 100_000];

interface Saved {
  readonly id: number;
  readonly orgId: OrgId;
  readonly filter: ConditionGroup;
  readonly matches: DevicePredicate;
}

/** Returns ids. */
type FindMatches = (device: Device) => readonly number[];

export async function measureMatching(): Promise<Section> {
  tell('which filters match a device');
  const devices = sampleDevices(DEVICE_COUNT);
  const saved = drawSaved(devices);
  const ofOrg = Map.groupBy(saved, ({ orgId }) => orgId);
  const byOrg = new FilterIndex<number>(translatePattern);
  const asOne = new FilterIndex<number>(translatePattern);
  const buildStartedAt = performance.now();
  for (const { id, orgId, filter } of saved) byOrg.set(id, filter, orgId);
  const buildMs = performance.now() - buildStartedAt;
  for (const { id, filter } of saved) asOne.set(id, filter);

  const evaluate = (filters: readonly Saved[], device: Device) =>
    filters.flatMap(({ id, matches }) => (matches(device, FLEET_NOW) ? [id] : []));
  const ways = {
    'all organizations, each filter': (device) => evaluate(saved, device),
    'all organizations, index': (device) => asOne.matching(device, FLEET_NOW),
    'own organization, each filter': (device) => evaluate(ofOrg.get(device.orgId) ?? [], device),
    'own organization, index': (device) => byOrg.matching(device, FLEET_NOW),
  } as const satisfies Record<string, FindMatches>;
  type Way = keyof typeof ways;

  const faults = devices.flatMap((device) => [
    ...compare(device, ways['all organizations, each filter'], ways['all organizations, index']),
    ...compare(device, ways['own organization, each filter'], ways['own organization, index']),
  ]);
  const candidates = Object.fromEntries(
    Object.entries(ways).map(([way, find]) => [
      way,
      async () => devices.forEach((device) => void find(device)),
    ]),
  ) as Record<Way, () => Promise<void>>;
  const times = await timeInTurns(candidates, { warmUp: 2, minRounds: 7, maxRounds: 25, budgetMs: 10_000 });
  const usOf = (way: Way) => (median(times[way]) / DEVICE_COUNT) * 1_000;
  const matchesOf = (find: FindMatches) =>
    devices.reduce((sum, device) => sum + find(device).length, 0) / DEVICE_COUNT;
  return {
    name: 'Filters of a device',
    goals: [
      {
        name: 'filters of a device: times faster than evaluating 10,000 of 200 organizations',
        value: usOf('all organizations, each filter') / usOf('own organization, index'),
        target: 50,
      },
      {
        name: 'the same against evaluating the fifty of its organization',
        value: usOf('own organization, each filter') / usOf('own organization, index'),
        target: null,
      },
      {
        name: 'the same with 10,000 filters of one organization',
        value: usOf('all organizations, each filter') / usOf('all organizations, index'),
        target: null,
      },
    ],
    tables: [
      {
        title: `one device against ${FILTER_COUNT.toLocaleString('en')} filters, medians`,
        columns: ['way', 'us per device', 'matches'],
        rows: (Object.keys(ways) as Way[]).map((way) => [way, round(usOf(way)), round(matchesOf(ways[way]))]),
      },
      await measureGrowth(devices),
    ],
    notes: [
      `${FILTER_COUNT.toLocaleString('en')} filters, fifty in each of ${ORGANIZATION_COUNT} organizations; ${DEVICE_COUNT} devices with forty titles of software each.`,
      `The index was built at ${round((buildMs / FILTER_COUNT) * 1_000)} us per filter.`,
    ],
    faults,
  };
}

/** The index with more and more filters and organizations. */
async function measureGrowth(devices: readonly Device[]): Promise<Table> {
  const points: (readonly [number, number])[] = [];
  for (const count of GROWING_COUNTS) {
    const index = new FilterIndex<number>(translatePattern);
    for (let id = 0; id < count; id++) index.set(id, drawParsed(id, devices), orgOf(id));
    const { find } = await timeInTurns(
      { find: async () => devices.forEach((device) => void index.matching(device, FLEET_NOW)) },
      { warmUp: 3, minRounds: 7, maxRounds: 50, budgetMs: 3_000 },
    );
    points.push([count, (median(find) / DEVICE_COUNT) * 1_000]);
  }
  return {
    title: 'own organization, index: us per device by number of filters',
    columns: [...GROWING_COUNTS.map((count) => count.toLocaleString('en')), 'exponent'],
    rows: [[...points.map(([, us]) => round(us)), round(exponentOf(points) ?? 0)]],
  };
}

function compare(device: Device, each: FindMatches, index: FindMatches): readonly string[] {
  const [expected, found] = [each(device), index(device)].map((ids) => ids.toSorted((a, b) => a - b).join());
  return expected === found ? [] : [`${device.hostname}: the index and each filter differ`];
}

function drawSaved(devices: readonly Device[]): readonly Saved[] {
  return Array.from({ length: FILTER_COUNT }, (_, id) => {
    const filter = drawParsed(id, devices);
    const compiled = compilePredicate(filter, translatePattern);
    if (!compiled.ok) throw new Error(`filter ${id}: ${JSON.stringify(compiled.error)}`);
    return { id, orgId: orgOf(id), filter, matches: compiled.value };
  });
}

function drawParsed(id: number, devices: readonly Device[]): ConditionGroup {
  const parsed = parseConditions(drawFilter(id, devices), CORE_CATALOG);
  if (!parsed.ok) throw new Error(`filter ${id}: ${JSON.stringify(parsed.error)}`);
  return parsed.value;
}

function orgOf(id: number): OrgId {
  return orgIdAt(id % ORGANIZATION_COUNT);
}
