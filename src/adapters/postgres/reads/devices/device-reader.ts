import { makeLastRuns, type PreviewPlanning } from '#adapters/postgres/reads/filters/choose-shape.ts';
import { type Query, readMatching, readOptions } from '#adapters/postgres/reads/filters/match-options.ts';
import { lookUp } from '#adapters/postgres/reads/running/look-up.ts';
import { unlessGivenUp } from '#adapters/postgres/reads/running/read-refusal.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { MAX_NAMED_LENGTH } from '#adapters/postgres/reads/running/statement-runner.ts';
import {
  type CompiledFilter,
  excluding,
  filterToSql,
} from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { countsBySoftware } from '#adapters/postgres/reads/sql/conditions/narrow-tables.ts';
import {
  NO_TITLES,
  type TitleLookups,
  titleLookups,
} from '#adapters/postgres/reads/sql/conditions/software.ts';
import { FEW_COMPARED } from '#adapters/postgres/reads/sql/devices/compared-filters.ts';
import type { DevicePageShape } from '#adapters/postgres/reads/sql/devices/device-page.ts';
import { SORT_COLUMNS } from '#adapters/postgres/reads/sql/devices/page-order.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type {
  DevicePage,
  DevicePageRequest,
  DeviceReader,
  DeviceSample,
} from '#application/ports/fleet/device-reader.ts';
import { DEFAULT_DEVICE_SORT, printDeviceSort } from '#domain/device/device-sort.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import type { DuplicateSign, KeyedDevice } from '#domain/inventory/find-duplicates.ts';
import { machineKeys } from '#domain/inventory/machine-keys.ts';
import { choosePageShape, isThresholdShape } from './choose-page-shape.ts';
import { type DeviceDetailsRow, toDeviceDetails } from './device-details-row.ts';
import { type PageRow, toPage } from './page-rows.ts';

export interface DeviceReaders {
  /** A reader whose statements have the time limit of filters. */
  readonly pages: ScopedReader;
  readonly lookUps: ScopedReader;
}

export function makeDeviceReader({ pages, lookUps }: DeviceReaders, planning: PreviewPlanning): DeviceReader {
  const lastTotals = makeLastRuns<number>();
  // Counts the threshold pages that had too few devices, by `orderedKey`.
  const shortPages = makeLastRuns<number>();

  function plan(request: DevicePageRequest, root: Node<Criterion>, lookups: TitleLookups | null): PagePlan {
    const { scope, sort, after } = request;
    // The key contains no instants or title ids, because they may change between runs.
    const compiled = filterToSql(root, { at: 0, titleIds: NO_TITLES });
    const reach = JSON.stringify(scope);
    const key = `${reach} ${compiled.condition}${lookups === null ? '' : lookupsKey(lookups)}`;
    const orderedKey = `${printDeviceSort(sort)} ${after === null} ${key}`;
    const lastTotal = lastTotals.get(key);
    const known = {
      lastTotal,
      inScope: lastTotals.get(`${reach} ${EVERYTHING.condition}`),
      isShort: (shortPages.get(orderedKey) ?? 0) >= MOST_SHORT_PAGES,
    };
    const shape = choosePageShape(request, compiled, known, planning);
    return {
      key,
      orderedKey,
      lastTotal,
      shape,
      filter: compiled.isRelative || lookups !== null ? null : compiled,
    };
  }

  /** Runs the page again if its shape may have missed devices. */
  async function runPage(
    request: DevicePageRequest,
    { key, orderedKey, lastTotal, shape }: PagePlan,
    filter: CompiledFilter,
    query: Query,
  ): Promise<DevicePage> {
    const { scope, after } = request;
    const run = async (shape: DevicePageShape) => {
      const statement = ScopedStatement.devicePage(scope, filter, request, shape);
      // Only the first page of a list is requested repeatedly, so only its statement is worth preparing.
      const comesAgain = lastTotal !== undefined && after === null && !filter.isRelative;
      const isNamed = comesAgain && statement.text.length <= MAX_NAMED_LENGTH;
      return toPage(await query<PageRow>(statement, { isNamed, asTexts: true }), request);
    };
    let page = await run(shape);
    if (isThresholdShape(shape) && mayBeShort(request, page)) {
      const whole = await run('split');
      const wasShort = whole.devices.length > page.devices.length;
      if (wasShort) shortPages.set(orderedKey, (shortPages.get(orderedKey) ?? 0) + 1);
      page = whole;
    }
    if (page.totalCount !== null) lastTotals.set(key, page.totalCount);
    return page;
  }

  return {
    page: (request) => {
      const options = { ...readOptions(request), startedAt: performance.now() };
      const root = simplifyConditions(request.filter);
      const lookups = titleLookups(root);
      const planned = plan(request, root, lookups);
      // A `split` page needs a scan if no index has its order, so scans must be allowed.
      const takesScan = planned.shape === 'split' && !SORT_COLUMNS[request.sort.key].isIndexed;
      const avoidsScans = countsBySoftware(root) && !takesScan;
      return readMatching(pages, request.scope, lookups, { ...options, avoidsScans }, (titleIds, query) => {
        const filter = planned.filter ?? filterToSql(root, { at: request.at, titleIds });
        return runPage(request, planned, filter, query);
      });
    },

    compare: ({ before, after, scope, at, limit, ...work }) => {
      const roots = { before: simplifyConditions(before), after: simplifyConditions(after) };
      const both = simplifyConditions({ kind: 'group', operator: 'OR', conditions: [before, after] });
      const options = { ...readOptions(work), hasSeveral: true, startedAt: performance.now() };
      const avoidsScans = countsBySoftware(both);
      return readMatching(
        pages,
        scope,
        titleLookups(both),
        { ...options, avoidsScans },
        async (titleIds, query) => {
          const compile = (root: Node<Criterion>) => filterToSql(root, { at, titleIds });
          const [was, is] = [compile(roots.before), compile(roots.after)];
          const compared = { before: was, after: is, either: compile(both) };
          const statement = ScopedStatement.comparison(scope, compared, limit);
          const rows = await query<ComparedRow>(statement, { isNamed: false, asTexts: true });
          const [before = 0, after = 0, either = 0] = (rows[0]?.slice(0, 3) ?? []).map(Number);
          const place = { ...FIRST_BY_NAME, limit };
          const sample = async (
            count: number,
            enters: 't' | 'f',
            filter: CompiledFilter,
          ): Promise<DeviceSample> => {
            const found = rows
              .filter((row) => row[3] === enters)
              .map((row) => row.slice(3) as unknown as PageRow);
            if (count === 0 || found.length > 0) return { count, devices: toPage(found, place).devices };
            const shape = count < FEW_COMPARED ? 'materialized' : 'split';
            const page = ScopedStatement.devicePage(scope, filter, place, shape);
            const many = await query<PageRow>(page, { isNamed: false, asTexts: true });
            return { count, devices: toPage(many, place).devices };
          };
          return {
            ...{ before, after },
            entering: await sample(either - before, 't', excluding(is, was)),
            leaving: await sample(either - after, 'f', excluding(was, is)),
          };
        },
      );
    },

    keySharers: ({ scope, ...work }) =>
      unlessGivenUp(async () => {
        const rows = await pages.read<KeyRow>(ScopedStatement.keySharers(scope), readOptions(work));
        return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(toKeyedDevice);
      }),

    find: async (scope, id) => {
      const [row] = await lookUp<DeviceDetailsRow>(lookUps, scope, ScopedStatement.device(scope, id));
      return row === undefined ? null : toDeviceDetails(row);
    },
  };
}

/** A row of `ScopedStatement.comparison`, with all columns as texts. */
type ComparedRow = readonly [
  before: string,
  after: string,
  either: string,
  enters?: 't' | 'f' | null,
  ...device: readonly (string | null)[],
];

const FIRST_BY_NAME = {
  ...{ sort: DEFAULT_DEVICE_SORT, after: null, offset: 0 },
  ...{ withCount: false, columns: [] },
};

interface KeyRow extends Pick<KeyedDevice, 'id'> {
  readonly org_id: KeyedDevice['orgId'];
  readonly kind: DuplicateSign;
  readonly key: string;
}

function toKeyedDevice(rows: readonly KeyRow[]): readonly KeyedDevice[] {
  const of = (wanted: DuplicateSign) => rows.filter(({ kind }) => kind === wanted).map(({ key }) => key);
  const [hostname] = of('hostname');
  const [first] = rows;
  if (first === undefined || hostname === undefined) return [];
  const keys = machineKeys({ serialNumbers: of('serial'), systemUuids: of('uuid'), macAddresses: of('mac') });
  return [{ id: first.id, orgId: first.org_id, hostname, keys }];
}

interface PagePlan {
  readonly key: string;
  readonly orderedKey: string;
  readonly lastTotal: number | undefined;
  readonly shape: DevicePageShape;
  readonly filter: CompiledFilter | null;
}

const EVERYTHING = filterToSql(
  { kind: 'group', operator: 'AND', conditions: [] },
  { at: 0, titleIds: NO_TITLES },
);

function lookupsKey({ names, patterns }: TitleLookups): string {
  return ` ${JSON.stringify([...names])} ${JSON.stringify([...patterns])}`;
}

/** After this many threshold pages with too few devices, a list stops using thresholds. */
const MOST_SHORT_PAGES = 3;

function mayBeShort(
  { limit, after, offset }: DevicePageRequest,
  { devices, totalCount }: DevicePage,
): boolean {
  if (devices.length >= limit) return false;
  return totalCount === null || after !== null || devices.length < totalCount - offset;
}
