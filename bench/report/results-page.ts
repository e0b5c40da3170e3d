/** `bench/results.md`: what was measured last, with the machine named. Written by `--report`, and read for the README. */
import { growthTable } from './growth.ts';
import { type KeptRun, type KeptSection, newestSections } from './kept-results.ts';
import { type Goal, round, type Table } from './report.ts';

export function resultsPage(runs: readonly KeptRun[]): string {
  const kept = newestSections(runs);
  const used = runs.filter((run) => kept.some((one) => one.run === run));
  const goals = kept.flatMap(({ section, run }) => section.goals.map((goal) => goalRow(goal, run)));
  const faults = kept.flatMap(({ section }) =>
    section.faults.map((fault) => `- WRONG: ${section.name}: ${fault}`),
  );
  return [
    '# What was measured',
    'Written by `npm run bench -- --report` from the newest results of each part and size. A figure is better the higher it is; those without a goal inform.',
    ...(faults.length === 0 ? [] : [faults.join('\n')]),
    '## Goals',
    toMarkdown(['figure', 'value', 'goal', '', 'run'], goals),
    '## Growth',
    growthPart(kept),
    '## Runs',
    'What else ran on the machine shows in the load average: above the number of cores, times are too long.',
    toMarkdown(
      ['run', 'size', 'parts', 'machine'],
      used.map((run) => runRow(run, kept)),
    ),
    '',
  ].join('\n\n');
}

/** The value of each figure on such a page, by its name. */
export function figuresOn(page: string): ReadonlyMap<string, number> {
  const [, goals = ''] = /\n## Goals\n([\s\S]*?)\n## /.exec(page) ?? [];
  const rows = goals.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| figure '));
  return new Map(
    rows.map((line) => {
      const [, figure = '', value = ''] = line.split('|').map((cell) => cell.trim());
      return [figure, Number(value)];
    }),
  );
}

function goalRow({ name, value, target }: Goal, { at }: KeptRun): readonly (string | number)[] {
  const outcome = target === null ? '' : value >= target ? 'met' : '**missed**';
  return [name, round(value), target ?? '', outcome, at];
}

function growthPart(kept: readonly KeptSection[]): string {
  const { columns, rows }: Table = growthTable(kept);
  const words =
    'Milliseconds in all organizations, and the exponent of growth: 0 is none, 1 is growth with the number of devices.';
  const byFilters = kept
    .flatMap(({ section }) => section.tables)
    .filter(({ title }) => title.endsWith(BY_NUMBER_OF_FILTERS))
    .map(
      (table) => `Which filters match a device, ${table.title}:\n\n${toMarkdown(table.columns, table.rows)}`,
    );
  return [`${words} What is empty was not measured yet.`, toMarkdown(columns, rows), ...byFilters].join(
    '\n\n',
  );
}

/** How the title of such a table ends. */
const BY_NUMBER_OF_FILTERS = 'by number of filters';

function runRow(run: KeptRun, kept: readonly KeptSection[]): readonly string[] {
  const { platform, processor, cores, memoryGiB, node, server_version: server, loadAverage } = run.facts;
  const parts = kept
    .filter((one) => one.run === run)
    .map(({ section }) => section.name.split(/[ ,]/, 1)[0] ?? '');
  const postgres = server === undefined ? '' : `, PostgreSQL ${server}`;
  return [
    run.at,
    run.size,
    [...new Set(parts)].join(', '),
    `${processor}, ${cores} cores, ${memoryGiB} GiB, ${platform}, Node ${node}${postgres}, load ${loadAverage}`,
  ];
}

function toMarkdown(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
