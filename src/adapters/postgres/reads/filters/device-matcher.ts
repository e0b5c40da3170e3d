/** One statement on one snapshot covers every organization in reach. */
import { tenantOf } from '#adapters/postgres/reads/running/look-up.ts';
import { Pace } from '#adapters/postgres/reads/running/quick-reads.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { MAX_NAMED_LENGTH, type StatementForm } from '#adapters/postgres/reads/running/statement-runner.ts';
import { type CompiledFilter, filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { countsBySoftware } from '#adapters/postgres/reads/sql/conditions/narrow-tables.ts';
import { titleLookups } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { DeviceMatcher, Matches } from '#application/ports/filters/device-matcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceStatus, OsType } from '#domain/device/device.ts';
import type { PreviewDevice } from '#domain/device/device-row.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import type { DeviceId } from '#domain/ids.ts';
import {
  choosePreviewShape,
  isSoonFullInOrganization,
  makeLastRuns,
  type PreviewPlanning,
} from './choose-shape.ts';
import { readMatching, readOptions } from './match-options.ts';
import { streamCursor } from './stream-cursor.ts';

const STREAM_BATCH = 2_000;

/** Decides the shape of the next run and whether it joins a batch. */
interface LastRun {
  readonly total: number;
  readonly pace: Pace;
}

export function makeDeviceMatcher(reader: ScopedReader, planning: PreviewPlanning): DeviceMatcher {
  const lastRuns = makeLastRuns<LastRun>();

  async function run(
    scope: AccessScope,
    filter: CompiledFilter,
    limit: number,
    query: (
      statement: ScopedStatement,
      form: StatementForm & { readonly pace: Pace },
    ) => Promise<readonly PageRow[]>,
  ): Promise<Matches> {
    const key = `${JSON.stringify(scope)} ${limit} ${filter.condition}`;
    const last = filter.isRelative ? undefined : lastRuns.get(key);
    const lastTotal = last?.total;
    const isSoonFull = lastTotal !== undefined && isSoonFullInOrganization(scope, filter, lastTotal, limit);
    const shape = isSoonFull ? 'split' : choosePreviewShape(filter, lastTotal, planning);
    const statement = ScopedStatement.preview(scope, filter, limit, shape);
    const isNamed = last !== undefined && statement.text.length <= MAX_NAMED_LENGTH;
    const pace = last?.pace ?? new Pace();
    const rows = await query(statement, { isNamed, asTexts: true, pace });
    const total = Number(rows[0]?.[0] ?? 0);
    if (!filter.isRelative) lastRuns.set(key, { total, pace });
    return { totalCount: total, devices: rows.flatMap(toPreviewDevice) };
  }

  return {
    preview: (request, limit) => {
      const { scope, at, endTurn } = request;
      const root = simplifyConditions(request.filter);
      const lookups = titleLookups(root);
      const options = {
        ...readOptions(request),
        startedAt: performance.now(),
        avoidsScans: countsBySoftware(root),
      };
      const quick = { tenant: tenantOf(scope), ...(endTurn && { endTurn }) };
      return readMatching(reader, scope, lookups, options, (titleIds, query) =>
        run(scope, filterToSql(root, { at, titleIds }), limit, (statement, { pace, ...form }) =>
          query(statement, { ...form, maybeQuick: { ...quick, pace } }),
        ),
      );
    },

    matches: ({ filter, scope, at, ...work }, id) => {
      const root = simplifyConditions(filter);
      const options = { ...readOptions(work), startedAt: performance.now() };
      return readMatching(reader, scope, titleLookups(root), options, async (titleIds, query) => {
        const statement = ScopedStatement.matches(scope, filterToSql(root, { at, titleIds }), id);
        const [row] = await query<{ matches: boolean }>(statement);
        return row?.matches === true;
      });
    },

    streamIds: (request) =>
      streamCursor<{ id: DeviceId }, DeviceId>(reader, request, {
        declare: (filter) => ScopedStatement.cursor(request.scope, filter),
        toItem: ({ id }) => id,
        batchSize: STREAM_BATCH,
      }),
  };
}

/** The columns of `previewQuery`. */
type PageRow = readonly [
  total: string,
  id: DeviceId | null,
  hostname: string,
  displayName: string | null,
  osType: OsType | null,
  status: DeviceStatus,
  lastSeenMs: string | null,
];

function toPreviewDevice(row: PageRow): readonly PreviewDevice[] {
  const [, id, hostname, displayName, osType, status, lastSeenMs] = row;
  if (id === null) return [];
  const lastSeenAt = lastSeenMs === null ? null : Number(lastSeenMs);
  return [{ id, hostname, displayName, osType, status, lastSeenAt }];
}
