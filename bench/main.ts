/** `npm run bench`: measures ratios within one run, and reports which goals are met. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { measureConsole } from './console/measure-console.ts';
import { measureEvaluators } from './evaluators/measure-evaluators.ts';
import { openFleetDatabase } from './fleet/fleet-database.ts';
import { FLEET_PLANS, FLEET_SIZES, type FleetSize } from './fleet/fleet-plan.ts';
import { measureHttp } from './http/measure-http.ts';
import { measureInstances } from './instances/measure-instances.ts';
import { measureLive } from './live/measure-live.ts';
import { measureLoading } from './loading/measure-loading.ts';
import { measureMatching } from './matching/measure-matching.ts';
import { measureHeartbeats } from './measure-heartbeats.ts';
import { measurePresence } from './measure-presence.ts';
import { measureReports } from './measure-reports.ts';
import { measureMemory } from './memory/measure-memory.ts';
import { measureExplain } from './reads/measure-explain.ts';
import { measureExport } from './reads/measure-export.ts';
import { measureImpact } from './reads/measure-impact.ts';
import { measureInner } from './reads/measure-inner.ts';
import { measurePages } from './reads/measure-pages.ts';
import { explainPreviews, measurePreviews } from './reads/measure-previews.ts';
import { measureSearch } from './reads/measure-search.ts';
import { tell } from './report/bench-progress.ts';
import { readKeptRuns } from './report/kept-results.ts';
import { type MachineFacts, machineFacts, serverFacts } from './report/machine-facts.ts';
import { print, printFacts, printGoals, printSection, type Section } from './report/report.ts';
import { figuresOn, resultsPage } from './report/results-page.ts';
import { fillSpeedTable } from './report/speed-table.ts';

const PARTS = [
  'previews',
  'pages',
  'explain',
  'impact',
  'inner',
  'search',
  'export',
  'http',
  'instances',
  'console',
  'heartbeats',
  'reports',
  'presence',
  'live',
  'loading',
  'evaluators',
  'matching',
  'memory',
] as const;
type Part = (typeof PARTS)[number];

/** They need no database. */
const IN_PROCESS: readonly Part[] = ['evaluators', 'matching'];

interface Options {
  readonly size: FleetSize | 'all';
  readonly only: readonly Part[];
  readonly explain: boolean;
  readonly report: boolean;
}

const RESULTS_DIR = join(import.meta.dirname, 'results');

async function main(): Promise<number> {
  const { size, only, explain, report } = readOptions();
  if (report) {
    await writeReport();
    return 0;
  }
  const sizes = size === 'all' ? FLEET_SIZES : [size];
  if (explain) {
    for (const one of sizes) await explainSize(one);
    return 0;
  }
  const inProcess: Section[] = [];
  if (only.includes('evaluators')) inProcess.push(await measureEvaluators());
  if (only.includes('matching')) inProcess.push(await measureMatching());
  for (const section of inProcess) printSection(section);
  let isRight = inProcess.every(({ faults }) => faults.length === 0);
  for (const one of sizes) {
    const { facts, sections } = await measureSize(one, only);
    const all = [...inProcess, ...sections];
    print('');
    printFacts(facts);
    printGoals(all.flatMap(({ goals }) => goals));
    await writeResults(one, { facts, sections: all });
    isRight &&= sections.every(({ faults }) => faults.length === 0);
  }
  if (!isRight) tell('something is wrong; see WRONG above');
  return isRight ? 0 : 1;
}

function readOptions(): Options {
  return new Command('bench')
    .description(
      'Measures Fleetsift. Set BENCH_DATABASE_URL to an empty PostgreSQL database to use it instead of an embedded one.',
    )
    .addOption(
      new Option('--size <size>', 'number of devices').choices([...FLEET_SIZES, 'all']).default('100k'),
    )
    .addOption(
      new Option('--only <parts...>', 'measure only these parts').choices([...PARTS]).default([...PARTS]),
    )
    .option('--explain', 'show the query plans of the previews instead of measuring', false)
    .option(
      '--report',
      "write the newest results into bench/results.md and the README's table instead of measuring",
      false,
    )
    .parse()
    .opts<Options>();
}

async function measureSize(
  size: FleetSize,
  only: readonly Part[],
): Promise<{ readonly facts: MachineFacts; readonly sections: readonly Section[] }> {
  const plan = FLEET_PLANS[size];
  const sections: Section[] = [];
  if (only.every((part) => IN_PROCESS.includes(part))) return { facts: machineFacts(), sections };
  const database = await openFleetDatabase(plan);
  try {
    const measures: readonly (readonly [Part, () => Promise<Section>])[] = [
      ['previews', () => measurePreviews(database, plan)],
      ['explain', () => measureExplain(database, plan)],
      ['impact', () => measureImpact(database, plan)],
      ['inner', () => measureInner(database, plan)],
      ['pages', () => measurePages(database, plan)],
      ['search', () => measureSearch(database, plan)],
      ['export', () => measureExport(database, plan)],
      ['http', () => measureHttp(database, plan)],
      ['instances', () => measureInstances(database, plan)],
      ['console', () => measureConsole(database, plan)],
      ['heartbeats', () => measureHeartbeats(database, plan)],
      ['reports', () => measureReports(database, plan)],
      ['presence', () => measurePresence(database, plan)],
      ['live', () => measureLive(database, plan)],
      ['loading', () => measureLoading(database, plan)],
      ['memory', () => measureMemory(database, plan)],
    ];
    for (const [part, measure] of measures) {
      if (!only.includes(part)) continue;
      const section = await measure();
      printSection(section);
      sections.push(section);
    }
    const { loadSeconds } = database;
    const load =
      loadSeconds === null
        ? { load: 'reused an existing fleet' }
        : { load: `${Math.round(plan.devices / loadSeconds).toLocaleString('en')} devices/s` };
    return { facts: { ...machineFacts(), ...(await serverFacts(database.url)), ...load }, sections };
  } finally {
    await database.close();
  }
}

async function explainSize(size: FleetSize): Promise<void> {
  const database = await openFleetDatabase(FLEET_PLANS[size]);
  try {
    await explainPreviews(database.url, print);
  } finally {
    await database.close();
  }
}

const REPORT_FILE = join(import.meta.dirname, 'results.md');
const README_FILE = join(import.meta.dirname, '..', 'README.md');

async function writeReport(): Promise<void> {
  const page = resultsPage(await readKeptRuns(RESULTS_DIR), await readFile(REPORT_FILE, 'utf8'));
  await writeFile(REPORT_FILE, page);
  await writeFile(README_FILE, fillSpeedTable(await readFile(README_FILE, 'utf8'), figuresOn(page)));
  tell(`written to ${REPORT_FILE} and ${README_FILE}`);
}

async function writeResults(size: FleetSize, results: object): Promise<void> {
  await mkdir(RESULTS_DIR, { recursive: true });
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const file = join(RESULTS_DIR, `${stamp}-${size}.json`);
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  tell(`written to ${file}`);
}

process.exitCode = await main();
