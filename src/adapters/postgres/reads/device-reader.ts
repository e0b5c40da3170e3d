/** Reads devices on PostgreSQL: each page, and each device, with one statement on one snapshot. */
import type { DevicePage, DevicePageRequest, DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { Device } from '#domain/device/device.ts';
import type { DeviceRow } from '#domain/device/device-row.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { err, ok } from '#domain/result.ts';
import { chooseShape, makeLastTotals } from './choose-shape.ts';
import { type DeviceDetailsRow, toDeviceDetails } from './device-details-row.ts';
import { lookUp } from './look-up.ts';
import { readOptions, resolveTitles } from './match-options.ts';
import { ReadRefused } from './read-refusal.ts';
import type { ScopedReader } from './scoped-reader.ts';
import { type CompiledFilter, filterToSql } from './sql/filter-to-sql.ts';
import { ScopedStatement } from './sql/scoped-statement.ts';
import { NO_TITLES, type TitleIds, titleLookups } from './sql/software.ts';

export interface DeviceReaders {
  /** For pages, with the deadline of filters. */
  readonly pages: ScopedReader;
  /** For single devices. */
  readonly lookUps: ScopedReader;
}

export function makeDeviceReader({ pages, lookUps }: DeviceReaders): DeviceReader {
  // By scope and condition, whatever the page.
  const lastTotals = makeLastTotals();

  function choose(request: DevicePageRequest, filter: CompiledFilter) {
    const key = `${JSON.stringify(request.scope)} ${filter.condition}`;
    const shape = chooseShape(filter, filter.isRelative ? undefined : lastTotals.get(key));
    return { key, statement: ScopedStatement.devicePage(request.scope, filter, request, shape) };
  }

  return {
    page: async (request) => {
      const options = { ...readOptions(request), startedAt: performance.now() };
      const root = simplifyConditions(request.filter);
      const lookups = titleLookups(root);
      const run = async (
        titleIds: TitleIds,
        query: (statement: ScopedStatement) => Promise<readonly PageRow[]>,
      ) => {
        const filter = filterToSql(root, { at: request.at, titleIds });
        const { key, statement } = choose(request, filter);
        const page = toPage(await query(statement));
        if (page.totalCount !== null && !filter.isRelative) lastTotals.set(key, page.totalCount);
        return ok(page);
      };
      try {
        if (lookups === null) {
          return await run(NO_TITLES, (statement) =>
            pages.read<PageRow>(statement, { ...options, ...AS_TEXTS }),
          );
        }
        return await pages.inSnapshot(options, async (session) =>
          run(await resolveTitles(session, lookups), (statement) =>
            session.query<PageRow>(statement, AS_TEXTS),
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

const AS_TEXTS = { asTexts: true };

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
