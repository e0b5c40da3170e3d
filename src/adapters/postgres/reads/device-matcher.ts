/** Finds matching devices on PostgreSQL with one statement, on one snapshot, over every organization in reach. */
import { LRUCache } from 'lru-cache';
import type { DeviceMatcher, MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { DeviceStatus, OsType } from '#domain/device/device.ts';
import type { PreviewDevice } from '#domain/device/preview-device.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import { ReadRefused } from './read-refusal.ts';
import { resolveTitles } from './resolve-titles.ts';
import type { ScopedReader } from './scoped-reader.ts';
import { type CompiledFilter, filterToSql } from './sql/filter-to-sql.ts';
import type { PreviewShape } from './sql/preview-query.ts';
import { ScopedStatement } from './sql/scoped-statement.ts';
import { NO_TITLES, type TitleIds, titleLookups } from './sql/software.ts';
import type { StatementForm } from './statement-runner.ts';
import { readOptions, streamCursor } from './stream-cursor.ts';

/** Devices in one batch of a stream. */
const STREAM_BATCH = 2_000;

/** Up to this many matches, finding them twice costs more than materializing them. */
const FEW_MATCHES = 2_000;

/** The same for filters that find each device through an index and then visit its row, which costs as much. */
const FEW_SEARCHED_MATCHES = 20_000;

/** Longer conditions are too expensive to plan and evaluate twice, in characters. */
const LONG_CONDITION = 20_000;

/** Longer statements are not worth keeping prepared, in characters. */
const MAX_NAMED_LENGTH = 10_000;

/** How many statements are remembered with their last total, and how many characters in all. */
const REMEMBERED_TEXTS = 5_000;
const REMEMBERED_LENGTH = 10_000_000;

export function makeDeviceMatcher(reader: ScopedReader): DeviceMatcher {
  // By the text of the `split` statement, which contains filter, scope and limit.
  const lastTotals = new LRUCache<string, number>({
    max: REMEMBERED_TEXTS,
    maxSize: REMEMBERED_LENGTH,
    sizeCalculation: (_total, text) => text.length,
  });

  /** The statement for a filter, and whether it was seen before. */
  function choose(request: MatchRequest, filter: CompiledFilter, limit: number) {
    const split = ScopedStatement.preview(request.scope, filter, limit, 'split');
    const key = split.text;
    const lastTotal = filter.isRelative ? undefined : lastTotals.get(key);
    const isSearch = filter.looksSelective && !filter.isOfSoftwareAlone;
    const few = isSearch ? FEW_SEARCHED_MATCHES : FEW_MATCHES;
    // Without a total, a selective filter is better materialized: the page of a `split` walks all devices in order
    // until it is full, which with few matches may be never.
    const expected = lastTotal ?? (filter.looksSelective ? 0 : Number.POSITIVE_INFINITY);
    const shape: PreviewShape =
      filter.condition.length > LONG_CONDITION || expected <= few ? 'materialized' : 'split';
    const statement =
      shape === 'split' ? split : ScopedStatement.preview(request.scope, filter, limit, shape);
    const isNamed = lastTotal !== undefined && statement.text.length <= MAX_NAMED_LENGTH;
    return { key, statement, form: { isNamed, asTexts: true } };
  }

  return {
    preview: async (request, limit) => {
      const options = { ...readOptions(request), startedAt: performance.now() };
      const root = simplifyConditions(request.filter);
      const lookups = titleLookups(root);
      try {
        const run = async (
          titleIds: TitleIds,
          query: (statement: ScopedStatement, form: StatementForm) => Promise<readonly PageRow[]>,
        ) => {
          const filter = filterToSql(root, { at: request.at, titleIds });
          const { key, statement, form } = choose(request, filter, limit);
          const rows = await query(statement, form);
          const totalCount = Number(rows[0]?.[0] ?? 0);
          if (!filter.isRelative) lastTotals.set(key, totalCount);
          return ok({ totalCount, devices: rows.flatMap(toPreviewDevice) });
        };
        if (lookups === null) {
          return await run(NO_TITLES, (statement, form) =>
            reader.read<PageRow>(statement, { ...options, ...form }),
          );
        }
        return await reader.inSnapshot(options, async (session) =>
          run(await resolveTitles(session, lookups), (statement, form) =>
            session.query<PageRow>(statement, form),
          ),
        );
      } catch (error) {
        if (error instanceof ReadRefused) return err(error.refusal);
        throw error;
      }
    },

    streamIds: (request) =>
      streamCursor<{ id: DeviceId }, DeviceId>(reader, request, {
        declare: (filter) => ScopedStatement.cursor(request.scope, filter),
        toItem: ({ id }) => id,
        batchSize: STREAM_BATCH,
      }),
  };
}

/** As texts; see `ScopedStatement.preview`. */
type PageRow = readonly [
  total: string,
  id: DeviceId | null,
  hostname: string,
  displayName: string | null,
  osType: OsType | null,
  status: DeviceStatus,
  lastSeenMs: string | null,
];

/** No device for the row that represents an empty page. */
function toPreviewDevice(row: PageRow): readonly PreviewDevice[] {
  const [, id, hostname, displayName, osType, status, lastSeenMs] = row;
  if (id === null) return [];
  const lastSeenAt = lastSeenMs === null ? null : Number(lastSeenMs);
  return [{ id, hostname, displayName, osType, status, lastSeenAt }];
}
