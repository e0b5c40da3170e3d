/**
 * Searches through the library, against the common way: one ILIKE with wildcards per category, without an index, which
 * returns the first rows that it meets. Ours returns the best.
 */
import { Client } from 'pg';
import { likePattern } from '#adapters/postgres/reads/sql/literal.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import { STORED_CATEGORIES, type StoredCategory } from '#domain/search/search-hit.ts';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import { type FleetPlan, orgIdAt, partnerIdOf, SCOPES } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import { type Goal, round, type Section } from '../report/report.ts';
import { median, timeInTurns } from '../report/statistics.ts';

/** The default limit of a search. */
const LIMIT = 20;

/** Texts of 1, 2, 3, 5 and 12 characters, in many, some, few or no devices and alerts. */
const TEXTS: readonly string[] = [
  ...['e', '7', 'q', '€'],
  ...['sm', '75', '7f', 'x3', 'zq'],
  ...['lap', 'sql', 'f3a', 'qzx'],
  ...['smith', 'srv-s', '7f3a9', 'zzqqx'],
  ...["smith's lapt", 'srv-sql-oslo', 'needs a look', 'desktop-7f3a', 'zzqqxxzzqqxx'],
];

/** Most blocks have every part of these names. The others are typed on the way to them. */
const MACHINE_NAMES: readonly string[] = ['sw-paris-801', 'silva-lt-511', 'lisbon-ws-9', 'novak-lt-45'];

/** In very many titles that begin alike and sort late. */
const LATE_TEXTS: readonly string[] = ['ktop', 'spare', 'failed', 'erus'];

const ALL_TEXTS: readonly string[] = [...TEXTS, ...MACHINE_NAMES, ...LATE_TEXTS];

/** Also some organizations by rank, 0 being the largest. */
const SEARCHED_SCOPES: Readonly<Record<string, AccessScope>> = {
  ...SCOPES,
  two: ranked(2, 120),
  five: ranked(1, 10, 40, 90, 180),
  twelve: ranked(...Array.from({ length: 12 }, (_, i) => 3 + 16 * i)),
  'fifty small': ranked(...Array.from({ length: 50 }, (_, i) => 150 + i)),
};

function ranked(...ranks: readonly number[]): AccessScope {
  return { kind: 'partner', partnerId: partnerIdOf(1), orgIds: ranks.map(orgIdAt), isWhole: false };
}

/** In milliseconds, for a million devices. */
const WORST_MS = 6;
const MEDIAN_MS = 1.5;

interface Measured {
  readonly text: string;
  readonly scope: string;
  /** By category. */
  readonly found: readonly number[];
  /** Medians in milliseconds. */
  readonly ours: number;
  readonly plain: number;
}

export async function measureSearch(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  const plain = new Client({
    connectionString: database.url,
    options: '-c max_parallel_workers_per_gather=0',
  });
  await plain.connect();
  const measured: Measured[] = [];
  const faults: string[] = [];
  try {
    for (const [name, scope] of Object.entries(SEARCHED_SCOPES)) {
      tell(`searches of ${plan.size}, scope ${name}`);
      // The first search in a scope plans statements and reads from disk.
      for (const text of ALL_TEXTS) await search(database, scope, text);
      for (const text of ALL_TEXTS) {
        measured.push(await measureOne(database, plain, name, scope, text, faults));
      }
    }
  } finally {
    await plain.end();
  }
  return {
    name: `Searches of ${plan.size} devices`,
    goals: toGoals(measured, plan),
    tables: Object.keys(SEARCHED_SCOPES).map((scope) => ({
      title: `scope ${scope}, medians in ms`,
      columns: ['text', 'devices, scripts, alerts', 'search', 'ILIKE', 'ILIKE/search'],
      rows: measured
        .filter((one) => one.scope === scope)
        .map(({ text, found, ours, plain: other }) => [
          JSON.stringify(text),
          found.join(', '),
          ...[ours, other, other / ours].map(round),
        ]),
    })),
    notes: [
      `search: searcher.search, the best ${LIMIT} of each category. ILIKE: one statement per category on the same`,
      `tables, the first ${LIMIT} that it meets. They take turns; the last four texts are common and sort late.`,
      'Scopes: every organization, every fourth (fifty), the largest, number 151; two, five and twelve of all sizes; the',
      'fifty smallest.',
    ],
    faults,
  };
}

async function measureOne(
  database: FleetDatabase,
  plain: Client,
  name: string,
  scope: AccessScope,
  text: string,
  faults: string[],
): Promise<Measured> {
  const ours = () => search(database, scope, text);
  const other = () => searchPlainly(plain, scope, text);
  const found = await ours();
  const expected = await other();
  if (String(found) !== String(expected)) {
    faults.push(`${JSON.stringify(text)}, scope ${name}: the search finds ${found}, ILIKE ${expected}`);
  }
  const quick = await timeInTurns({ ours }, { warmUp: 8, minRounds: 9, maxRounds: 40, budgetMs: 400 });
  const slow = await timeInTurns({ other }, { warmUp: 1, minRounds: 3, maxRounds: 40, budgetMs: 400 });
  return { text, scope: name, found, ours: median(quick.ours), plain: median(slow.other) };
}

async function search(
  { service }: FleetDatabase,
  scope: AccessScope,
  text: string,
): Promise<readonly number[]> {
  const found = await service.backend.searcher.search({
    text,
    scope,
    limit: LIMIT,
    categories: STORED_CATEGORIES,
    onBehalfOf: 'bench',
  });
  if (!found.ok) throw new Error(`the search was refused: ${found.error.kind}`);
  return STORED_CATEGORIES.map((category) => found.value[category].length);
}

const BY_HAND: Readonly<Record<StoredCategory, string>> = {
  devices: `select id, coalesce(nullif(display_name, ''), hostname) as title, status from device t
    where (hostname ilike $1 or display_name ilike $1 or last_user ilike $1)`,
  scripts: 'select id, name, description from script t where (name ilike $1 or description ilike $1)',
  alerts: 'select id, title, message from alert t where (title ilike $1 or message ilike $1)',
};

/** A partner's things are in reach of all its organizations. */
const IN_SCOPE: Readonly<Record<StoredCategory, string>> = {
  devices: 'and t.org_id = any($2)',
  scripts: `and (t.org_id = any($2)
    or t.partner_id in (select partner_id from organization where id = any($2)))`,
  alerts: 'and t.org_id = any($2)',
};

async function searchPlainly(plain: Client, scope: AccessScope, text: string): Promise<readonly number[]> {
  const orgIds = reachableOrgIds(scope);
  const counts: number[] = [];
  for (const category of STORED_CATEGORIES) {
    const { rowCount } = await plain.query(
      `${BY_HAND[category]} ${orgIds === null ? '' : IN_SCOPE[category]} limit ${LIMIT}`,
      [likePattern(text, 'anywhere'), ...(orgIds === null ? [] : [orgIds])],
    );
    counts.push(rowCount ?? 0);
  }
  return counts;
}

function toGoals(measured: readonly Measured[], { size }: FleetPlan): readonly Goal[] {
  const isMillion = size === '1m';
  const ratios = (isHit: boolean) =>
    measured
      .filter(({ found }) => found.some((count) => count > 0) === isHit)
      .map(({ ours, plain }) => plain / ours);
  const misses = measured.filter(
    ({ scope, found }) => scope === 'all' && found.every((count) => count === 0),
  );
  return [
    {
      name: `${size}: slowest search, per second`,
      value: 1_000 / Math.max(...measured.map(({ ours }) => ours)),
      target: isMillion ? 1_000 / WORST_MS : null,
    },
    {
      name: `${size}: searches of all texts and scopes, middle, per second`,
      value: 1_000 / median(measured.map(({ ours }) => ours)),
      target: isMillion ? 1_000 / MEDIAN_MS : null,
    },
    {
      name: `${size}: times faster than ILIKE where nothing is found, all organizations, worst`,
      value: Math.min(...misses.map(({ ours, plain }) => plain / ours)),
      target: isMillion ? 500 : null,
    },
    {
      name: `${size}: times faster than ILIKE where something is found, worst`,
      value: Math.min(...ratios(true)),
      target: isMillion ? 1 : null,
    },
    {
      name: `${size}: times faster than ILIKE where something is found, middle`,
      value: median(ratios(true)),
      target: null,
    },
  ];
}
