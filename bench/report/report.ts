/** Results of a measurement. */

/** Higher is always better. */
export interface Goal {
  readonly name: string;
  readonly value: number;
  /** Null for informative figures. */
  readonly target: number | null;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export interface Section {
  readonly name: string;
  readonly goals: readonly Goal[];
  readonly tables: readonly Table[];
  /** About the method. */
  readonly notes: readonly string[];
  /** Any disagreement between approaches fails the run. */
  readonly faults: readonly string[];
}

export function printSection({ name, tables, notes, faults }: Section): void {
  print(`\n== ${name}`);
  for (const note of notes) print(note);
  for (const table of tables) printTable(table);
  for (const fault of faults) print(`WRONG: ${fault}`);
}

export function printGoals(goals: readonly Goal[]): void {
  printTable({
    title: 'Goals',
    columns: ['figure', 'value', 'target', ''],
    rows: goals.map(({ name, value, target }) => [
      name,
      round(value),
      target === null ? '' : `>= ${target}`,
      target === null ? '' : value >= target ? 'met' : 'MISSED',
    ]),
  });
}

export function printFacts(facts: Readonly<Record<string, string | number>>): void {
  print(
    Object.entries(facts)
      .map(([fact, value]) => `${fact}: ${value}`)
      .join(', '),
  );
}

/** Three significant digits, or whole numbers from 1,000. */
export function round(value: number): number {
  return Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(3));
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Aligns all columns but the first to the right. */
export function printTable({ title, columns, rows }: Table): void {
  const texts = [columns, ...rows].map((row) => row.map(String));
  const widths = columns.map((_, i) => Math.max(...texts.map((row) => row[i]?.length ?? 0)));
  print(`\n${title}`);
  for (const row of texts) {
    const cells = row.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    print(`  ${cells.join('   ').trimEnd()}`);
  }
}
