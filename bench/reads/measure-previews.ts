/**
 * Previews through the library, against the same SQL on the bare driver and against a loop over organizations. All must
 * find the same devices.
 */
import type { DeviceMatcher, Matches } from '#application/ports/filters/device-matcher.ts';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import {
  FLEET_NOW,
  type FleetPlan,
  SCOPE_NAMES,
  SCOPE_ORGS,
  SCOPES,
  type ScopeName,
} from '../fleet/fleet-plan.ts';
import { ensurePlainTables } from '../fleet/plain-tables.ts';
import { tell } from '../report/bench-progress.ts';
import { type Goal, round, type Section } from '../report/report.ts';
import { geometricMean, median, timeInTurns } from '../report/statistics.ts';
import { type LoopTables, previewByLoop } from './organization-loop.ts';
import { PREVIEW_FILTERS, type PreviewFilter } from './preview-filters.ts';
import { openRecordedMatcher, type RecordedMatcher } from './recorded-matcher.ts';

const LIMIT = 10;

/** Slower statements are heavy. */
const HEAVY_MS = 10;

/** Longer than any statement on a slow machine. */
const TIMEOUT_MS = 60_000;

interface Measured {
  readonly filter: PreviewFilter;
  readonly scope: ScopeName;
  readonly total: number;
  /** Medians in milliseconds. */
  readonly ours: number;
  readonly bare: number;
  /** The loop on our tables, and on plain ones. */
  readonly loop: number;
  readonly plainLoop: number;
}

export async function measurePreviews(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  await ensurePlainTables(database.url);
  const recorded = await openRecordedMatcher(database.url, TIMEOUT_MS);
  const faults: string[] = [];
  const measured: Measured[] = [];
  try {
    for (const scope of SCOPE_NAMES) {
      tell(`previews of ${plan.size}, scope ${scope}`);
      for (const filter of PREVIEW_FILTERS) {
        measured.push(await measureOne(database.service.backend.matcher, recorded, filter, scope, faults));
      }
    }
  } finally {
    await recorded.close();
  }
  return {
    name: `Previews of ${plan.size} devices`,
    goals: toGoals(measured, plan),
    tables: SCOPE_NAMES.map((scope) => ({
      title: `scope ${scope}, medians in ms`,
      columns: [
        ...['filter', 'matches', 'preview', 'bare driver', 'bare/preview'],
        ...['loop', 'loop/preview', 'own loop', 'own loop/preview'],
      ],
      rows: measured
        .filter((one) => one.scope === scope)
        .map(({ filter, total, ours, bare, loop, plainLoop }) => [
          filter.name,
          total,
          ...[ours, bare, bare / ours, plainLoop, plainLoop / ours, loop, loop / ours].map(round),
        ]),
    })),
    notes: [
      'preview: matcher.preview, repeated. bare driver: the same statement, prepared, on one pg connection.',
      'loop: one count and one page per organization in one transaction, on plain tables: one row per',
      'fact, found by device. own loop: the same on our own tables with all their indexes.',
      'The candidates take turns. Scopes: every organization, fifty of them, the largest, number 151.',
    ],
    faults,
  };
}

/** Shows the plan of every statement that the matcher settles on. */
export async function explainPreviews(url: string, show: (line: string) => void): Promise<void> {
  const recorded = await openRecordedMatcher(url, TIMEOUT_MS);
  try {
    for (const scope of SCOPE_NAMES) {
      for (const filter of PREVIEW_FILTERS) {
        const text = await settle(recorded, filter, scope);
        const { rows } = await recorded.bare.query<{ 'QUERY PLAN': string }>(
          `explain (analyze, buffers) ${text}`,
        );
        show(`\n-- ${scope}: ${filter.name}\n${text}\n`);
        for (const row of rows) show(row['QUERY PLAN']);
      }
    }
  } finally {
    await recorded.close();
  }
}

async function measureOne(
  matcher: DeviceMatcher,
  recorded: RecordedMatcher,
  filter: PreviewFilter,
  scope: ScopeName,
  faults: string[],
): Promise<Measured> {
  const text = await settle(recorded, filter, scope);
  const orgIds = SCOPE_ORGS[scope];
  const ours = () => preview(matcher, filter, scope);
  const bare = () => recorded.bare.query<BareRow>({ name: nameOf(filter, scope), text });
  const loop = (tables: LoopTables) => previewByLoop(recorded.bare, tables, orgIds, filter, LIMIT);

  const answers = {
    preview: toAnswer(await ours()),
    'bare driver': toBareAnswer((await bare()).rows),
    loop: await loop('plain'),
    'own loop': await loop('own'),
  };
  for (const [name, answer] of Object.entries(answers)) {
    if (JSON.stringify(answer) !== JSON.stringify(answers.preview)) {
      faults.push(
        `${filter.name}, scope ${scope}: ${name} finds ${describe(answer)}, preview ${describe(answers.preview)}`,
      );
    }
  }

  const quick = await timeInTurns(
    { ours, bare },
    { warmUp: 4, minRounds: 9, maxRounds: 60, budgetMs: 1_000 },
  );
  const slow = await timeInTurns(
    { own: () => loop('own'), plain: () => loop('plain') },
    { warmUp: 0, minRounds: 1, maxRounds: 9, budgetMs: 3_000 },
  );
  return {
    filter,
    scope,
    total: answers.preview.total,
    ours: median(quick.ours),
    bare: median(quick.bare),
    loop: median(slow.own),
    plainLoop: median(slow.plain),
  };
}

/** The matcher may change its statement once it knows how many devices match. */
async function settle(recorded: RecordedMatcher, filter: PreviewFilter, scope: ScopeName): Promise<string> {
  for (let i = 0; i < 3; i++) await preview(recorded.matcher, filter, scope);
  return recorded.lastStatement();
}

async function preview(
  matcher: DeviceMatcher,
  { filter }: PreviewFilter,
  scope: ScopeName,
): Promise<Matches> {
  const found = await matcher.preview(
    { filter, scope: SCOPES[scope], at: FLEET_NOW, onBehalfOf: 'bench' },
    LIMIT,
  );
  if (!found.ok) throw new Error(`a preview was refused: ${found.error.kind}`);
  return found.value;
}

interface Answer {
  readonly total: number;
  readonly ids: readonly string[];
}

function toAnswer({ totalCount, devices }: Matches): Answer {
  return { total: totalCount, ids: devices.map(({ id }) => id) };
}

interface BareRow {
  readonly total: string;
  readonly id: string | null;
}

function toBareAnswer(rows: readonly BareRow[]): Answer {
  return { total: Number(rows[0]?.total ?? 0), ids: rows.flatMap(({ id }) => (id === null ? [] : [id])) };
}

function describe({ total, ids }: Answer): string {
  return `${total} devices (${ids.join(', ')})`;
}

function nameOf({ name }: PreviewFilter, scope: ScopeName): string {
  return `bare ${scope} ${PREVIEW_FILTERS.findIndex((filter) => filter.name === name)}`;
}

function isVersionRange({ scope, filter }: Measured): boolean {
  return scope === 'all' && filter.name.startsWith('version of');
}

/** The speed-up has a target only at this size. */
function toGoals(measured: readonly Measured[], { size }: FleetPlan): readonly Goal[] {
  const heavy = measured.filter(({ bare }) => bare > HEAVY_MS);
  const everywhere = measured.filter(({ scope, filter }) => scope === 'all' && filter.isOneOfTen);
  const speedUps = everywhere.map(({ ours, plainLoop }) => plainLoop / ours);
  const isReference = size === '100k';
  return [
    ...(heavy.length === 0
      ? []
      : [
          {
            name: `${size}: share of the bare driver's speed, heavy previews, geometric mean`,
            value: geometricMean(heavy.map(({ bare, ours }) => bare / ours)),
            target: 0.85,
          },
          {
            name: `${size}: the same, worst of ${heavy.length}`,
            value: Math.min(...heavy.map(({ bare, ours }) => bare / ours)),
            target: null,
          },
        ]),
    {
      name: `${size}: times faster than the loop, all organizations, geometric mean of ten`,
      value: geometricMean(speedUps),
      target: isReference ? 150 : null,
    },
    {
      name: `${size}: the same, worst filter`,
      value: Math.min(...speedUps),
      target: null,
    },
    {
      name: `${size}: times faster than the loop, small organization, geometric mean`,
      value: geometricMean(
        measured.filter(({ scope }) => scope === 'small').map(({ ours, plainLoop }) => plainLoop / ours),
      ),
      target: null,
    },
    {
      name: `${size}: times faster than the loop on our own tables, all organizations, geometric mean of ten`,
      value: geometricMean(everywhere.map(({ ours, loop }) => loop / ours)),
      target: null,
    },
    {
      name: `${size}: previews of one version range in all organizations, per second`,
      value: 1_000 / Math.max(...measured.filter(isVersionRange).map(({ ours }) => ours)),
      // 60 ms.
      target: isReference ? 16.7 : null,
    },
    {
      name: `${size}: slowest preview in all organizations, per second`,
      value: 1_000 / Math.max(...measured.filter(({ scope }) => scope === 'all').map(({ ours }) => ours)),
      target: null,
    },
  ];
}
