/**
 * Which of 10,000 saved filters match a device: the index against evaluating every filter, and against evaluating
 * every filter of the device's organization.
 */
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Device } from '#domain/device/device.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { compilePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import type { DevicePredicate } from '#domain/filter/evaluate/device-predicate.ts';
import { FilterIndex } from '#domain/filter/index/filter-index.ts';
import type { OrgId } from '#domain/ids.ts';
import { drawDevice } from '../fleet/fleet-device.ts';
import { FLEET_NOW, ORGANIZATION_COUNT, orgIdAt } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import { round, type Section } from '../report/report.ts';
import { median, timeInTurns } from '../report/statistics.ts';
import { drawFilter } from './saved-filter-set.ts';

const FILTER_COUNT = 10_000;
const DEVICE_COUNT = 100;

/** One saved filter in every form that is measured. */
interface Saved {
  readonly id: number;
  readonly orgId: OrgId;
  readonly filter: ConditionGroup;
  readonly matches: DevicePredicate;
}

/** The ids of those that match. */
type FindMatches = (device: Device) => readonly number[];

export async function measureMatching(): Promise<Section> {
  tell('which filters match a device');
  const devices = Array.from({ length: DEVICE_COUNT }, (_, n) => toDevice(n));
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
    ],
    notes: [
      `${FILTER_COUNT.toLocaleString('en')} filters, fifty in each of ${ORGANIZATION_COUNT} organizations; ${DEVICE_COUNT} devices with forty titles of software each.`,
      `The index was built at ${round((buildMs / FILTER_COUNT) * 1_000)} us per filter.`,
    ],
    faults,
  };
}

function compare(device: Device, each: FindMatches, index: FindMatches): readonly string[] {
  const [expected, found] = [each(device), index(device)].map((ids) => ids.toSorted((a, b) => a - b).join());
  return expected === found ? [] : [`${device.hostname}: the index and each filter differ`];
}

function drawSaved(devices: readonly Device[]): readonly Saved[] {
  return Array.from({ length: FILTER_COUNT }, (_, id) => {
    const parsed = parseConditions(drawFilter(id, devices), CORE_CATALOG);
    if (!parsed.ok) throw new Error(`filter ${id}: ${JSON.stringify(parsed.error)}`);
    const compiled = compilePredicate(parsed.value, translatePattern);
    if (!compiled.ok) throw new Error(`filter ${id}: ${JSON.stringify(compiled.error)}`);
    const orgId = orgIdAt(id % ORGANIZATION_COUNT);
    return { id, orgId, filter: parsed.value, matches: compiled.value };
  });
}

function toDevice(n: number): Device {
  const plan = { size: '100k', devices: DEVICE_COUNT, titlesPerDevice: 40 } as const;
  const { kind: _, patches, ...device } = drawDevice(plan, n);
  return {
    ...device,
    pendingPatchCount: patches.filter(({ status }) => status === 'pending').length,
    criticalAlertCount: 0,
  };
}
