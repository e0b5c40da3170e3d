/**
 * `bench/results.md` has the latest figures and the machine. `--report` writes it, and the README's table comes from
 * it. Runs are not in the repository, so figures that were not measured again are taken from the page.
 */
import { growthTable } from './growth.ts';
import { type KeptRun, type KeptSection, newestSections } from './kept-results.ts';
import { type Cells, partUnder, rowsUnder, toMarkdown } from './markdown-table.ts';
import { type Goal, round } from './report.ts';

/** `earlier` is the page that is replaced. */
export function resultsPage(runs: readonly KeptRun[], earlier = ''): string {
  const kept = newestSections(runs);
  const used = runs.filter((run) => kept.some((one) => one.run === run));
  const goals = newest(
    rowsUnder(earlier, 'Goals'),
    kept.flatMap(({ section, run }) => section.goals.map((goal) => goalRow(goal, run))),
    ([figure]) => `${figure}`,
  );
  const machines = newest(
    rowsUnder(earlier, 'Runs').filter(([at]) => goals.some((goal) => goal.at(-1) === at)),
    used.map((run) => runRow(run, kept)),
    ([at, size]) => `${at} ${size}`,
  );
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
    growthPart(kept, earlier),
    '## Runs',
    'What else ran on the machine shows in the load average: above the number of cores, times are too long. A million devices take 11 GB of disk and about eight minutes to load; later runs use them again.',
    toMarkdown(
      ['run', 'size', 'parts', 'machine'],
      machines.toSorted(([a], [b]) => (`${a}` < `${b}` ? -1 : 1)),
    ),
    '',
  ].join('\n\n');
}

/** Merges rows by their first cell; later rows win. */
function newest(earlier: readonly Cells[], later: readonly Cells[], of: (row: Cells) => string): Cells[] {
  return [...new Map([...earlier, ...later].map((row) => [of(row), row])).values()];
}

/** By the name of the figure. */
export function figuresOn(page: string): ReadonlyMap<string, number> {
  return new Map(rowsUnder(page, 'Goals').map(([figure = '', value]) => [figure, Number(value)]));
}

function goalRow({ name, value, target }: Goal, { at }: KeptRun): readonly (string | number)[] {
  const outcome = target === null ? '' : value >= target ? 'met' : '**missed**';
  return [name, round(value), target ?? '', outcome, at];
}

function growthPart(kept: readonly KeptSection[], earlier: string): string {
  const { columns, rows } = growthTable(kept, rowsUnder(earlier, 'Growth'));
  const words =
    'Milliseconds in all organizations, and the exponent of growth: 0 is none, 1 is growth with the number of devices.';
  const byFilters = kept
    .flatMap(({ section }) => section.tables)
    .filter(({ title }) => title.endsWith(BY_NUMBER_OF_FILTERS))
    .map((table) => `${MATCHING}${table.title}:\n\n${toMarkdown(table.columns, table.rows)}`);
  const [, ...earlierByFilters] = partUnder(earlier, 'Growth').trimEnd().split(MATCHING);
  return [
    `${words} What is empty was not measured yet.`,
    toMarkdown(columns, rows),
    ...(byFilters.length > 0 ? byFilters : earlierByFilters.map((table) => `${MATCHING}${table.trimEnd()}`)),
  ].join('\n\n');
}

const MATCHING = 'Which filters match a device, ';

/** Such titles end like this. */
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
