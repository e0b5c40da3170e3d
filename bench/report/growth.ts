/** How times grow with the fleet: one line for each kind of work, and the exponent of its growth. */
import { FLEET_PLANS, FLEET_SIZES, type FleetSize } from '../fleet/fleet-plan.ts';
import type { KeptSection } from './kept-results.ts';
import { round, type Table } from './report.ts';
import { exponentOf, median } from './statistics.ts';

/** What a line is made of: the cells of a column in a table of a section, whose name has the size. */
interface Source {
  readonly section: string;
  readonly table: string;
  readonly column: string;
  /** The lines: one for each row, for one row, or for the middle and the worst of all rows. */
  readonly rows: 'each' | 'middle and worst' | { readonly only: string };
  /** What stands before the name of the row. */
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

/** A line of the table: milliseconds by size, as far as they were measured. */
interface Growth {
  readonly of: string;
  readonly ms: ReadonlyMap<FleetSize, number>;
}

/** Milliseconds at each size over all organizations. */
export function growthTable(kept: readonly KeptSection[]): Table {
  const lines = SOURCES.flatMap((source) => linesOf(source, kept));
  return {
    title: 'Milliseconds in all organizations, and the exponent of growth',
    columns: ['', ...FLEET_SIZES, 'exponent'],
    rows: lines.map(({ of, ms }) => {
      const exponent = exponentOf(Array.from(ms, ([size, time]) => [FLEET_PLANS[size].devices, time]));
      return [
        of,
        ...FLEET_SIZES.map((size) => round(ms.get(size) ?? Number.NaN)).map((value) =>
          Number.isNaN(value) ? '' : value,
        ),
        exponent === null ? '' : Number(exponent.toFixed(2)),
      ];
    }),
  };
}

function linesOf(source: Source, kept: readonly KeptSection[]): readonly Growth[] {
  const lines = new Map<string, Map<FleetSize, number>>();
  for (const size of FLEET_SIZES) {
    const { section } =
      kept.find(({ section: { name } }) => name.startsWith(`${source.section} ${size} `)) ?? {};
    const table = section?.tables.find(({ title }) => title.startsWith(source.table));
    if (table === undefined) continue;
    for (const [of, ms] of valuesOf(source, table)) {
      const line = lines.get(of) ?? new Map<FleetSize, number>();
      lines.set(of, line.set(size, ms));
    }
  }
  return Array.from(lines, ([of, ms]) => ({ of, ms }));
}

function valuesOf({ column, rows, says }: Source, table: Table): readonly (readonly [string, number])[] {
  const at = table.columns.indexOf(column);
  if (at === -1) return [];
  const values = table.rows.map((row) => [String(row[0]), Number(row[at])] as const);
  if (rows === 'each') return values.map(([name, ms]) => [`${says}: ${name}`, ms]);
  if (rows === 'middle and worst') {
    const all = values.map(([, ms]) => ms);
    return [
      [`${says}: middle of ${all.length}`, median(all)],
      [`${says}: worst of ${all.length}`, Math.max(...all)],
    ];
  }
  return values.filter(([name]) => name === rows.only).map(([, ms]) => [says, ms]);
}
