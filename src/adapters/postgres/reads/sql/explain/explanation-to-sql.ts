/**
 * One scan counts the devices at each node of a filter. Each condition becomes a bit, and devices with the same bits (a
 * pattern) are counted together. Groups are evaluated only for these few patterns.
 */
import {
  type Join,
  listColumn,
  rowsColumn,
  type ValueColumn,
  valueColumn,
} from '#adapters/postgres/reads/sql/conditions/device-columns.ts';
import { type CompiledFilter, filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import type { TitleIds } from '#adapters/postgres/reads/sql/conditions/software.ts';
import {
  countOf,
  devicesInScope,
  statesInScope,
} from '#adapters/postgres/reads/sql/devices/preview-query.ts';
import {
  countLiteral,
  type Sql,
  sql,
  textLiteral,
  uuidLiteral,
} from '#adapters/postgres/reads/sql/literal.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { RowsFieldKey } from '#domain/filter/catalog/core-fields.ts';
import { type FilterField, shownField, type VersionsField } from '#domain/filter/catalog/field-catalog.ts';
import type { ListedNode } from '#domain/filter/conditions/fold-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { MAX_ACTUAL_VALUES, STATUS_OF_TITLES } from '#domain/filter/evaluate/read-field.ts';
import { isOneOfSeveralDemands, type NodeCount } from '#domain/filter/evaluate/tally-nodes.ts';
import type { PatchStatus } from '#domain/fleet/fleet-record.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import { column, GroupConditions, isBitSet, packBits } from './group-conditions.ts';

/** The value of a field for the device `d` (Contract: §12). */
interface ActualColumn {
  readonly json: Sql;
  readonly join: Join | null;
}

function actualColumn(field: FilterField): ActualColumn {
  switch (field.reads) {
    case 'value': {
      const column = valueColumn(shownField(field));
      return { json: sql`to_json(${heldValue(column)})`, join: column.join };
    }
    case 'rows':
      return { json: rowsJson(field.source.key), join: null };
    case 'list':
      return { json: sql`to_json(${listColumn(field)}[1:${LIMIT}])`, join: null };
    case 'software':
      return { json: SOFTWARE_JSON, join: null };
    case 'versions':
      return { json: versionsJson(field), join: null };
    case 'patches':
      return { json: titlesJson(STATUS_OF_TITLES[field.source.key]), join: null };
    case 'filter':
      return { json: sql`null::json`, join: null };
  }
}

const LIMIT = countLiteral(MAX_ACTUAL_VALUES);

function heldValue({ value, type, instants }: ValueColumn): Sql {
  return type === 'timestamptz' && instants === 'timestamptz'
    ? sql`(extract(epoch from ${value}) * 1000)::int8`
    : value;
}

function rowsJson(key: RowsFieldKey): Sql {
  if (key === 'tags.name') return sql`case when d.tags <> '{}' then to_json(d.tags[1:${LIMIT}]) end`;
  const { value } = rowsColumn(key).row;
  return sql`(select json_agg(a.value order by a.position) from (
    select n.position, ${value} as value from device_network n
    where n.device_id = d.id and ${value} is not null order by n.position limit ${LIMIT}) a)`;
}

const SOFTWARE_JSON = sql`coalesce((select json_agg(a.name order by a.name) from (
    select t.name from device_software i join software_title t on t.id = any(i.title_ids)
    where i.device_id = d.id order by t.name limit ${LIMIT}) a), '[]')`;

function versionsJson({ source }: VersionsField): Sql {
  return sql`(select json_agg(a.version order by a.version_key, a.version) from (
    select distinct v.version_key, v.version from device_software i join software_title t on t.id = any(i.title_ids)
    join software_version v on v.title_id = t.id and v.id = any(i.title_ids)
    where i.device_id = d.id and t.name_lc = ${textLiteral(source.folded)} collate "C" and v.version_key is not null
    order by v.version_key, v.version limit ${LIMIT}) a)`;
}

function titlesJson(status: PatchStatus): Sql {
  return sql`coalesce((select json_agg(a.title order by a.title) from (
    select distinct p.title from patch p
    where p.device_id = d.id and p.status = ${textLiteral(status)}::patch_status
    order by p.title limit ${LIMIT}) a), '[]')`;
}

/** Made only by `explanationToSql`; `explainQuery` checks that. */
export interface CompiledExplanation {
  readonly keys: readonly Sql[];
  readonly isOfState: boolean;
  readonly joins: ReadonlySet<Join>;
  /** Columns to add to the patterns `p` (k0, k1, ...). A list may use the columns of earlier lists. */
  readonly steps: readonly (readonly Sql[])[];
  /** Conditions on the patterns `p`. Devices are counted for each. */
  readonly counted: readonly Sql[];
  readonly actuals: readonly Sql[];
  readonly countsOf: (counts: readonly number[]) => readonly NodeCount[];
  /** Whether the condition `index` holds for a device with these keys. */
  readonly holds: (keys: readonly number[], index: number) => boolean;
  /** The value that the condition `index` reads on the device. `actuals` are the columns of the row. */
  readonly actualOf: <T>(actuals: readonly T[], index: number) => T | undefined;
}

export function explanationToSql(
  nodes: readonly ListedNode[],
  evaluation: { readonly at: EpochMs; readonly titleIds: TitleIds },
): CompiledExplanation {
  const joins = new Set<Join>();
  let isOfState = true;
  const bits = new Numbered();
  const bitOf = new Map<number, number>();
  const actuals = new Numbered();
  const actualOf = new Map<number, number>();
  nodes.forEach(({ node }, i) => {
    if (node.kind === 'group') return;
    const { condition, joins: needed, narrow } = filterToSql(simplifyConditions(node), evaluation);
    isOfState &&= narrow === 'state';
    bitOf.set(i, bits.add(condition));
    const { json, join } = actualColumn(node.field);
    actualOf.set(i, actuals.add(json));
    for (const each of [...needed, join]) if (each !== null) joins.add(each);
  });
  const groups = new GroupConditions(nodes, bitOf);
  const counted = new Numbered();
  const places = nodes.map(({ parent }, i) => ({
    count: counted.add(groups.matches(i)),
    countWithout:
      parent !== null && isOneOfSeveralDemands(nodes[parent])
        ? counted.add(groups.siblingsMatch(i, parent))
        : null,
  }));
  const compiled: CompiledExplanation = Object.freeze({
    keys: packBits(bits.texts),
    isOfState,
    joins,
    steps: groups.steps,
    counted: counted.texts,
    actuals: actuals.texts,
    countsOf: (counts) =>
      places.map(({ count, countWithout }) => ({
        count: counts[count] ?? 0,
        countWithout: countWithout === null ? null : (counts[countWithout] ?? 0),
      })),
    holds: (keys, index) => isBitSet(keys, bitOf.get(index) ?? 0),
    actualOf: (values, index) => values[actualOf.get(index) ?? -1],
  } satisfies CompiledExplanation);
  COMPILED.add(compiled);
  return compiled;
}

const COMPILED = new WeakSet<CompiledExplanation>();

class Numbered {
  readonly #numbers = new Map<Sql, number>();

  get texts(): readonly Sql[] {
    return [...this.#numbers.keys()];
  }

  add(text: Sql): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

/** One device in `interval` is counted at each node. Only the total of `filter` counts all devices. */
export interface ExplainedSample {
  readonly interval: number;
  readonly filter: CompiledFilter;
}

/**
 * One row of:
 * - total: the matches of the sample's filter (NULL without a sample)
 * - tallied: the devices in the sample, or in scope if there is no sample
 * - a count for each condition of `explanation.counted` (NULL if no device)
 * - if a device is given: its id (NULL if not in scope), keys, and values as JSON
 */
export function explainQuery(
  scope: AccessScope,
  explanation: CompiledExplanation,
  deviceId: DeviceId | null,
  sample: ExplainedSample | null,
): Sql {
  // SQL made elsewhere could close the parentheses around it.
  if (!COMPILED.has(explanation)) throw new Error('only compiled explanations are put into statements');
  const { counted } = explanation;
  // Without a sample, the root node's count is the total.
  const total = sample === null ? sql`null` : countOf(scope, sample.filter);
  const tallies = counted.map((condition) => sql`sum(p.n) filter (where ${condition})`);
  const counts = list([sql`${total} as total`, sql`sum(p.n) as tallied`, ...tallies]);
  const totals = sql`select ${counts} from ${patterns(scope, explanation, sample)} p`;
  if (deviceId === null) return totals;
  const { keys, actuals, joins } = explanation;
  return sql`select c.*, a.* from (${totals}) c left join (
    select ${list([sql`d.id`, ...keys, ...actuals])} ${devicesInScope(scope, joins)} and d.id = ${uuidLiteral(deviceId)}
  ) a on true`;
}

/**
 * One row for each pattern: (k0, k1, ..., n, and the columns of the groups). `n` is the number of devices
 * with the pattern.
 */
function patterns(
  scope: AccessScope,
  { keys, steps, joins, isOfState }: CompiledExplanation,
  sample: ExplainedSample | null,
): Sql {
  const columns = keys.map((key, i) => sql`${key} as ${column('k', i)}`);
  const names = list(keys.map((_, i) => column('k', i)));
  const drawn = sample === null ? sql`` : sql` and ${isSampled(sample)}`;
  const states = sql`${statesInScope(scope)}${drawn}`;
  const wide = devicesInScope(scope, joins);
  // The sample is drawn from `device_state`, whose rows are narrow.
  const devices = isOfState
    ? states
    : sample === null
      ? wide
      : sql`${wide} and d.id in (select d.id ${states})`;
  // OFFSET 0 keeps the planner from computing a column repeatedly. Also, the planner then has no statistics
  // on the columns, so it expects few patterns and hashes them instead of sorting all devices.
  const counted = sql`(select ${names}, count(*) as n
    from (select ${list(columns)} ${devices} offset 0) b group by ${names})`;
  return steps.reduce((from, step) => sql`(select p.*, ${list(step)} from ${from} p offset 0)`, counted);
}

/** Draws by the id, so the sample is always the same, in whatever order devices were added. */
function isSampled({ interval }: ExplainedSample): Sql {
  return sql`uuid_hash(d.id) % ${countLiteral(interval, 1)} = 0`;
}

function list(columns: readonly Sql[]): Sql {
  return columns.join(', ') as Sql;
}
