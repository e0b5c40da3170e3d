/**
 * Pages of devices in several orders, against previews of the same filters. A page by host name must begin with the
 * previewed devices, and every page must have the same count.
 */
import type { DevicePosition, DeviceSort } from '#domain/device/device-sort.ts';
import { parseDeviceSort, positionOf } from '#domain/device/device-sort.ts';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import { FLEET_NOW, type FleetPlan, SCOPES, type ScopeName } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import { type Goal, round, type Section } from '../report/report.ts';
import { geometricMean, median, timeInTurns } from '../report/statistics.ts';
import { PREVIEW_FILTERS, type PreviewFilter } from './preview-filters.ts';

const LIMIT = 50;

const MEASURED_SCOPES: readonly ScopeName[] = ['all', 'big'];

/** By index, one round, text, enumeration, and two volatile numbers. */
const SORTS = [
  'hostname',
  '-hostname',
  'displayName',
  'status',
  '-lastSeenAt',
  '-metrics.cpuPercent',
] as const;

type SortName = (typeof SORTS)[number];

const FILTERS: readonly Pick<PreviewFilter, 'name' | 'filter'>[] = [
  { name: 'everything', filter: { kind: 'group', operator: 'AND', conditions: [] } },
  ...PREVIEW_FILTERS,
];

interface Measured {
  readonly filter: string;
  readonly scope: ScopeName;
  readonly total: number;
  /** Medians in milliseconds: preview, first pages with and without count, and a later page. */
  readonly preview: number;
  readonly first: Readonly<Record<SortName, number>>;
  readonly uncounted: Readonly<Record<SortName, number>>;
  readonly later: Readonly<Record<SortName, number>>;
}

export async function measurePages({ service }: FleetDatabase, plan: FleetPlan): Promise<Section> {
  const { matcher, deviceReader } = service.backend;
  const faults: string[] = [];
  const measured: Measured[] = [];
  for (const scope of MEASURED_SCOPES) {
    tell(`pages of ${plan.size}, scope ${scope}`);
    for (const { name, filter } of FILTERS) {
      const request = { filter, scope: SCOPES[scope], at: FLEET_NOW, onBehalfOf: 'bench' };
      const readPage = async (
        sort: DeviceSort,
        after: DevicePosition | null,
        { offset = 0, withCount = after === null } = {},
      ) => {
        const place = { sort, limit: LIMIT, after, offset, withCount, columns: [] };
        const page = await deviceReader.page({ ...request, ...place });
        if (!page.ok) throw new Error(`a page of "${name}" was refused: ${page.error.kind}`);
        return page.value;
      };
      const preview = await matcher.preview(request, LIMIT);
      if (!preview.ok) throw new Error(`the preview of "${name}" was refused: ${preview.error.kind}`);
      const { totalCount: total, devices } = preview.value;
      const candidates: Record<string, () => Promise<unknown>> = {
        preview: () => matcher.preview(request, LIMIT),
      };
      for (const sortName of SORTS) {
        const sort = sortOf(sortName);
        const first = await readPage(sort, null);
        if (first.totalCount !== total)
          faults.push(`${name} by ${sortName}: ${first.totalCount}, not ${total}`);
        const ids = JSON.stringify(first.devices.map(({ id }) => id));
        if (sortName === 'hostname' && ids !== JSON.stringify(devices.map(({ id }) => id))) {
          faults.push(`${name}: the page by host name is not that of the preview`);
        }
        const [middle] = (await readPage(sort, null, { offset: Math.floor(total / 2) })).devices;
        candidates[`first ${sortName}`] = () => readPage(sort, null);
        candidates[`uncounted ${sortName}`] = () => readPage(sort, null, { withCount: false });
        const after = middle === undefined ? null : positionOf(middle, sort);
        candidates[`later ${sortName}`] = () => readPage(sort, after);
      }
      const times = await timeInTurns(candidates, {
        warmUp: 1,
        minRounds: 3,
        maxRounds: 30,
        budgetMs: 3_000,
      });
      const medians = (kind: string) =>
        Object.fromEntries(SORTS.map((sort) => [sort, median(times[`${kind} ${sort}`] ?? [])])) as Record<
          SortName,
          number
        >;
      measured.push({
        ...{ filter: name, scope, total, preview: median(times.preview ?? []) },
        ...{ first: medians('first'), uncounted: medians('uncounted'), later: medians('later') },
      });
    }
  }
  return {
    name: `Pages of ${plan.size} devices`,
    goals: toGoals(measured, plan),
    tables: MEASURED_SCOPES.flatMap((scope) =>
      (['first', 'uncounted', 'later'] as const).map((kind) => ({
        title: `scope ${scope}, ${kind} pages, medians in ms`,
        columns: ['filter', 'matches', 'preview', ...SORTS],
        rows: measured
          .filter((one) => one.scope === scope)
          .map((one) => [
            one.filter,
            one.total,
            round(one.preview),
            ...SORTS.map((sort) => round(one[kind][sort])),
          ]),
      })),
    ),
    notes: [
      `preview: matcher.preview with ${LIMIT} devices, repeated: it counts, and has a page by host name. first: the first`,
      'page, with its count; uncounted: the same with count=false. later: a page behind the device in the middle, without',
      'a count. The candidates take turns.',
    ],
    faults,
  };
}

function sortOf(name: SortName): DeviceSort {
  const sort = parseDeviceSort(name);
  if (sort === null) throw new Error(`${name} is no sort`);
  return sort;
}

/** First pages in these orders should take no longer than a preview. */
const REFERENCE_SORTS: readonly SortName[] = ['hostname', '-metrics.cpuPercent'];

/** The preview's time divided by that of the page; above 1 the page is faster. */
function toGoals(measured: readonly Measured[], { size }: FleetPlan): readonly Goal[] {
  return SORTS.flatMap((sort) => {
    const ratios = (kind: 'first' | 'uncounted') => measured.map((one) => one.preview / one[kind][sort]);
    const target = REFERENCE_SORTS.includes(sort) ? 1 : null;
    return [
      { name: `${size}: preview/first page by ${sort}, mean`, value: geometricMean(ratios('first')), target },
      {
        name: `${size}: preview/first page by ${sort} with count=false, mean`,
        value: geometricMean(ratios('uncounted')),
        target,
      },
      {
        name: `${size}: preview/first page by ${sort}, worst`,
        value: Math.min(...ratios('first')),
        target: null,
      },
    ];
  });
}
