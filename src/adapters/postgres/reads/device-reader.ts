/** Reads devices on PostgreSQL: each page, and each device, with one statement on one snapshot. */
import type { DevicePage, DevicePageRequest, DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { Device } from '#domain/device/device.ts';
import type { DeviceRow } from '#domain/device/device-row.ts';
import { printDeviceSort } from '#domain/device/device-sort.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { err, ok } from '#domain/result.ts';
import { chooseShape, makeLastTotals } from './choose-shape.ts';
import { type DeviceDetailsRow, toDeviceDetails } from './device-details-row.ts';
import { lookUp } from './look-up.ts';
import { readOptions, resolveTitles } from './match-options.ts';
import { ReadRefused } from './read-refusal.ts';
import type { ScopedReader } from './scoped-reader.ts';
import type { DevicePageShape } from './sql/device-page.ts';
import { type CompiledFilter, filterToSql } from './sql/filter-to-sql.ts';
import { countsBySoftware } from './sql/narrow-tables.ts';
import { SORT_COLUMNS } from './sql/page-order.ts';
import { ScopedStatement } from './sql/scoped-statement.ts';
import { NO_TITLES, type TitleIds, titleLookups } from './sql/software.ts';
import type { StatementForm } from './statement-runner.ts';

export interface DeviceReaders {
  /** For pages, with the deadline of filters. */
  readonly pages: ScopedReader;
  /** For single devices. */
  readonly lookUps: ScopedReader;
}

export function makeDeviceReader({ pages, lookUps }: DeviceReaders): DeviceReader {
  // By scope and condition, whatever the page.
  const lastTotals = makeLastTotals();
  // Where one scan was not enough, by the same and the sort.
  const shortPages = makeLastTotals();

  /** Runs the page in the shape that suits it, and once more where that gives fewer devices than it may have. */
  async function runPage(
    request: DevicePageRequest,
    filter: CompiledFilter,
    query: (statement: ScopedStatement, form: StatementForm) => Promise<readonly PageRow[]>,
  ): Promise<DevicePage> {
    const { scope, sort, limit, after } = request;
    const key = `${JSON.stringify(scope)} ${filter.condition}`;
    const orderedKey = `${printDeviceSort(sort)} ${key}`;
    const lastTotal = filter.isRelative ? undefined : lastTotals.get(key);
    const run = async (shape: DevicePageShape) => {
      const statement = ScopedStatement.devicePage(scope, filter, request, shape);
      // Of the pages of a list, the first is asked for again and again.
      const isNamed = lastTotal !== undefined && after === null && statement.text.length <= MAX_NAMED_LENGTH;
      return toPage(await query(statement, { isNamed, asTexts: true }));
    };
    const isShort = shortPages.has(orderedKey);
    const shape = choosePageShape(request, filter, lastTotal, isShort);
    let page = await run(shape);
    if (shape === 'one scan' && page.devices.length < limit) {
      shortPages.set(orderedKey, page.devices.length);
      page = await run('split');
    }
    if (page.totalCount !== null && !filter.isRelative) lastTotals.set(key, page.totalCount);
    return page;
  }

  return {
    page: async (request) => {
      const options = { ...readOptions(request), startedAt: performance.now() };
      const root = simplifyConditions(request.filter);
      const lookups = titleLookups(root);
      const compile = (titleIds: TitleIds) => filterToSql(root, { at: request.at, titleIds });
      try {
        if (lookups === null) {
          return ok(
            await runPage(request, compile(NO_TITLES), (statement, form) =>
              pages.read<PageRow>(statement, { ...options, ...form }),
            ),
          );
        }
        // In another order the page itself takes a scan.
        const avoidsScans = countsBySoftware(root) && SORT_COLUMNS[request.sort.key].isIndexed;
        return ok(
          await pages.inSnapshot({ ...options, avoidsScans }, async (session) =>
            runPage(
              request,
              compile(await resolveTitles(session, request.scope, lookups)),
              (statement, form) => session.query<PageRow>(statement, form),
            ),
          ),
        );
      } catch (error) {
        if (error instanceof ReadRefused) return err(error.refusal);
        throw error;
      }
    },

    find: async (scope, id) => {
      const [row] = await lookUp<DeviceDetailsRow>(lookUps, scope, ScopedStatement.device(scope, id));
      return row === undefined ? null : toDeviceDetails(row);
    },
  };
}

/** Longer statements are not worth keeping prepared, in characters. */
const MAX_NAMED_LENGTH = 10_000;

/** So many matches fill a page soon, whatever value comes first. */
const MANY_MATCHES = 20_000;

/** A condition is repeated for each part, in characters. */
const SHORT_CONDITION = 1_000;

/** `isShort` says that one scan of this list was not enough before. */
function choosePageShape(
  { sort, after, offset, withCount }: DevicePageRequest,
  filter: CompiledFilter,
  lastTotal: number | undefined,
  isShort: boolean,
): DevicePageShape {
  const shape = chooseShape(filter, lastTotal);
  if (shape === 'materialized' || sort.key === 'hostname') return shape;
  const { words, isIndexed } = SORT_COLUMNS[sort.key];
  if (isIndexed || words.length > 0) {
    const isCheap = filter.condition.length <= SHORT_CONDITION;
    return isCheap && (isIndexed || (lastTotal ?? 0) >= MANY_MATCHES) ? 'part by part' : shape;
  }
  return withCount && after === null && offset === 0 && !isShort ? 'one scan' : shape;
}

/** As texts; see `ScopedStatement.devicePage`. */
type PageRow = readonly [
  total: string | null,
  id: DeviceRow['id'] | null,
  orgId: DeviceRow['orgId'],
  siteId: DeviceRow['siteId'],
  hostname: string,
  displayName: string | null,
  status: Device['status'],
  osType: Device['osType'],
  osVersion: string | null,
  deviceRole: Device['deviceRole'],
  lastUser: string | null,
  tags: string,
  lastSeenMs: string | null,
  enrolledMs: string | null,
  cpuPercent: string | null,
  ramPercent: string | null,
  diskPercent: string | null,
  patchesPending: 't' | 'f',
  alertsCritical: 't' | 'f',
  rebootRequired: 't' | 'f',
];

function toPage(rows: readonly PageRow[]): DevicePage {
  const total = rows[0]?.[0] ?? null;
  return { devices: rows.flatMap(toDeviceRow), totalCount: toNumber(total) };
}

/** No device for the row that represents an empty page. */
function toDeviceRow(row: PageRow): readonly DeviceRow[] {
  const [
    ,
    id,
    orgId,
    siteId,
    hostname,
    displayName,
    status,
    osType,
    osVersion,
    deviceRole,
    lastUser,
    ...rest
  ] = row;
  const [tags, lastSeenMs, enrolledMs, cpu, ram, disk, patchesPending, alertsCritical, rebootRequired] = rest;
  if (id === null) return [];
  return [
    {
      id,
      orgId,
      siteId,
      hostname,
      displayName,
      status,
      osType,
      osVersion,
      deviceRole,
      lastUser,
      tags: JSON.parse(tags),
      lastSeenAt: toNumber(lastSeenMs),
      enrolledAt: toNumber(enrolledMs),
      metrics: { cpuPercent: toNumber(cpu), ramPercent: toNumber(ram), diskPercent: toNumber(disk) },
      patchesPending: patchesPending === 't',
      alertsCritical: alertsCritical === 't',
      rebootRequired: rebootRequired === 't',
    },
  ];
}

function toNumber(text: string | null): number | null {
  return text === null ? null : Number(text);
}
