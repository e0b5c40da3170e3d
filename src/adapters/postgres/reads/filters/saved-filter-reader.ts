import { lookUp } from '#adapters/postgres/reads/running/look-up.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { BEFORE_THE_NEWEST, type FilterPlace } from '#adapters/postgres/reads/sql/fleet/fleet-lists.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type {
  FilterHead,
  SavedFilterReader,
  SelectFilter,
} from '#application/ports/filters/saved-filter-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { FilterLink } from '#domain/filter/filter-links.ts';
import type { FilterVersion, SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId } from '#domain/ids.ts';

/** A filter without its conditions has at most 5 KB, so this many fit into memory. */
const HEADS_AT_ONCE = 500;

const CONDITION_BYTES_AT_ONCE = 256 * 1024;

export function makeSavedFilterReader(reader: ScopedReader): SavedFilterReader {
  return {
    find: async (scope, id) => {
      const [filter] = await findAll(runOn(reader), scope, [id]);
      return filter ?? null;
    },
    list: (scope, select = () => true) => list(reader, scope, select),
    heads: async (scope, orgId) => {
      const statement = ScopedStatement.savedFilterSummaries(scope, orgId);
      return (await lookUp<FilterSummaryRow>(reader, scope, statement)).map(toFilterHead);
    },
    findEach: (scope, ids) =>
      findSized(runOn(reader), scope, ids, ScopedStatement.savedFilterSizes(scope, ids)),
    withInner: (scope, ids) => withInner(runOn(reader), scope, ids),
    relyingOn: (scope, id) => relyingOn(runOn(reader), scope, id),
    versions: (scope, id) => versions(reader, scope, id),
    findVersion: async (scope, id, version) => {
      const [found] = await findVersions(reader, scope, id, [version]);
      return found ?? null;
    },
  };
}

/** Holds no connection between statements, so a slow consumer does no harm. */
async function* list(
  reader: ScopedReader,
  scope: AccessScope,
  select: SelectFilter,
): AsyncGenerator<SavedFilter> {
  let last: FilterPlace | undefined = BEFORE_THE_NEWEST;
  while (last !== undefined) {
    const statement = ScopedStatement.savedFilterHeads(scope, last, HEADS_AT_ONCE);
    const heads: readonly FilterHeadRow[] = await lookUp<FilterHeadRow>(reader, scope, statement);
    for (const ids of inPortions(heads.filter((head) => select(head)))) {
      // A filter may have been renamed since its head was read, so it is selected again.
      yield* (await findAll(runOn(reader), scope, ids)).filter((filter) => select(filter));
    }
    const tail = heads.length < HEADS_AT_ONCE ? undefined : heads.at(-1);
    last = tail && { createdAt: tail.created_at, id: tail.id };
  }
}

/** Runs a statement on any connection, for example that of a bulk load. */
export type RunStatement = <R extends object>(
  statement: ScopedStatement,
  scope: AccessScope,
) => Promise<readonly R[]>;

function runOn(reader: ScopedReader): RunStatement {
  return (statement, scope) => lookUp(reader, scope, statement);
}

export function withInner(
  run: RunStatement,
  scope: AccessScope,
  ids: readonly FilterId[],
): AsyncGenerator<SavedFilter> {
  return findSized(run, scope, ids, ScopedStatement.savedFiltersWithInner(scope, ids));
}

export function relyingOn(
  run: RunStatement,
  scope: AccessScope,
  id: FilterId,
): Promise<readonly FilterLink[]> {
  return run<FilterLink>(ScopedStatement.filtersRelyingOn(scope, id), scope);
}

async function* findSized(
  run: RunStatement,
  scope: AccessScope,
  ids: readonly FilterId[],
  statement: ScopedStatement,
): AsyncGenerator<SavedFilter> {
  if (ids.length === 0) return;
  const sizes = await run<SizedFilter>(statement, scope);
  for (const portion of inPortions(sizes)) yield* await findAll(run, scope, portion);
}

async function* versions(
  reader: ScopedReader,
  scope: AccessScope,
  id: FilterId,
): AsyncGenerator<FilterVersion> {
  const statement = ScopedStatement.filterVersionHeads(scope, id);
  const heads = await lookUp<Sized<number>>(reader, scope, statement);
  for (const portion of inPortions(heads)) yield* await findVersions(reader, scope, id, portion);
}

async function findVersions(
  reader: ScopedReader,
  scope: AccessScope,
  id: FilterId,
  numbers: readonly number[],
): Promise<readonly FilterVersion[]> {
  const statement = ScopedStatement.filterVersions(scope, id, numbers);
  const rows = await lookUp<FilterVersionRow>(reader, scope, statement);
  return rows.map(({ conditions, changed_by, at, ...same }) => {
    return { ...same, conditionsJson: conditions, changedBy: changed_by, at: at.getTime() };
  });
}

interface FilterVersionRow extends Pick<FilterVersion, 'version' | 'name' | 'description'> {
  readonly conditions: string;
  readonly changed_by: FilterVersion['changedBy'];
  readonly at: Date;
}

interface Sized<Id> {
  readonly id: Id;
  /** Bytes of the conditions. */
  readonly size: number;
}

type SizedFilter = Sized<FilterId>;

interface FilterSummaryRow extends SizedFilter, Pick<SavedFilter, 'name' | 'version'> {
  readonly updated_at: Date;
  readonly named: readonly FilterId[];
}

function toFilterHead({ id, name, version, updated_at, size, named }: FilterSummaryRow): FilterHead {
  return { id, name, version, updatedAt: updated_at.getTime(), conditionBytes: size, named };
}

interface FilterHeadRow extends SizedFilter, Pick<SavedFilter, 'name' | 'description'> {
  readonly created_at: Date;
}

function inPortions<Id>(heads: readonly Sized<Id>[]): readonly (readonly Id[])[] {
  const portions: Id[][] = [];
  let room = 0;
  for (const { id, size } of heads) {
    const current = portions.at(-1);
    if (current !== undefined && size <= room) {
      current.push(id);
      room -= size;
    } else {
      portions.push([id]);
      room = CONDITION_BYTES_AT_ONCE - size;
    }
  }
  return portions;
}

async function findAll(
  run: RunStatement,
  scope: AccessScope,
  ids: readonly FilterId[],
): Promise<readonly SavedFilter[]> {
  const rows = await run<SavedFilterRow>(ScopedStatement.savedFilters(scope, ids), scope);
  return rows.map(toSavedFilter);
}

interface SavedFilterRow extends Pick<SavedFilter, 'id' | 'name' | 'description' | 'version'> {
  readonly org_id: SavedFilter['orgId'];
  readonly partner_id: SavedFilter['partnerId'];
  readonly conditions: string;
  readonly created_by: SavedFilter['createdBy'];
  readonly changed_by: SavedFilter['changedBy'];
  readonly created_at: Date;
  readonly updated_at: Date;
}

function toSavedFilter(row: SavedFilterRow): SavedFilter {
  return {
    id: row.id,
    orgId: row.org_id,
    partnerId: row.partner_id,
    name: row.name,
    description: row.description,
    conditionsJson: row.conditions,
    createdBy: row.created_by,
    changedBy: row.changed_by,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    version: row.version,
  };
}
