/** Growth of times with the fleet: one line for each kind of work, with the exponent. */
import { FLEET_PLANS, FLEET_SIZES, type FleetSize } from '../fleet/fleet-plan.ts';
import type { KeptSection } from './kept-results.ts';
import { round, type Table } from './report.ts';
import { exponentOf, median } from './statistics.ts';

/** Names cells: a column in a table of a section, whose name contains the size. */
interface Source {
  readonly section: string;
  readonly table: string;
  readonly column: string;
  /** One line for each row, for one row, or for the middle and the worst of all rows. */
  readonly rows: 'each' | 'middle and worst' | { readonly only: string };
  /** Precedes the name of the row. */
  readonly says: string;
}

const SOURCES: readonly Source[] = [
  { section: 'Previews of', table: 'scope all', column: 'preview', rows: 'each', says: 'preview' },
  {
    section: 'Searches of',
    table: 'scope all',
    column: 'search',
    rows: 'middle and worst',
    says: 'search',
  },
  ...['hostname', '-lastSeenAt', '-metrics.cpuPercent'].map(
    (column): Source => ({
      section: 'Pages of',
      table: 'scope all, first pages',
      column,
      rows: { only: 'everything' },
      says: `first page by ${column}`,
    }),
  ),
  { section: 'Explanations of', table: 'scope all', column: 'explain', rows: 'each', says: 'explanation' },
  ...['CSV', 'NDJSON'].map(
    (column): Source => ({
      section: 'Exports of',
      table: 'medians in ms',
      column,
      rows: { only: 'all' },
      says: `export as ${column}`,
    }),
  ),
];

/** In milliseconds, for measured sizes. */
type Times = Map<FleetSize, number>;

/** What was timed, a time for each size or nothing, and the exponent. */
type GrowthRow = readonly string[];

/** In milliseconds over all organizations. Keeps `earlier` values that were not measured now. */
export function growthTable(kept: readonly KeptSection[], earlier: readonly GrowthRow[] = []): Table {
  const lines = new Map(earlier.map(([of = '', ...times]) => [of, timesOf(times)]));
  for (const source of SOURCES) addTimes(lines, source, kept);
  return {
    title: 'Milliseconds in all organizations, and the exponent of growth',
    columns: ['', ...FLEET_SIZES, 'exponent'],
    rows: Array.from(lines, ([of, times]) => {
      const exponent = exponentOf(Array.from(times, ([size, ms]) => [FLEET_PLANS[size].devices, ms]));
      return [
        of,
        ...FLEET_SIZES.map((size) => times.get(size)).map((ms) => (ms === undefined ? '' : round(ms))),
        exponent === null ? '' : Number(exponent.toFixed(2)),
      ];
    }),
  };
}

function timesOf(cells: readonly string[]): Times {
  return new Map(
    FLEET_SIZES.flatMap((size, i) => (cells[i] === '' ? [] : [[size, Number(cells[i])] as const])),
  );
}

function addTimes(lines: Map<string, Times>, source: Source, kept: readonly KeptSection[]): void {
  for (const size of FLEET_SIZES) {
    const { section } =
      kept.find(({ section: { name } }) => name.startsWith(`${source.section} ${size} `)) ?? {};
    const table = section?.tables.find(({ title }) => title.startsWith(source.table));
    if (table === undefined) continue;
    for (const [of, ms] of valuesOf(source, table)) {
      lines.set(of, (lines.get(of) ?? new Map()).set(size, ms));
    }
  }
}

function valuesOf({ column, rows, says }: Source, table: Table): readonly (readonly [string, number])[] {
  const at = table.columns.indexOf(column);
  if (at === -1) return [];
  const values = table.rows.map((row) => [String(row[0]), Number(row[at])] as const);
  if (rows === 'each') return values.map(([name, ms]) => [`${says}: ${name}`, ms]);
  if (rows === 'middle and worst') {
    const all = values.map(([, ms]) => ms);
    return [
      [`${says}: middle of all`, median(all)],
      [`${says}: worst of all`, Math.max(...all)],
    ];
  }
  return values.filter(([name]) => name === rows.only).map(([, ms]) => [says, ms]);
}
