/**
 * Counting in a narrow table is faster, if a filter reads only its columns. They have the names of those in `device`,
 * so conditions on `d` work for both.
 */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { ValueFieldKey } from '#domain/filter/catalog/core-fields.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { Predicate } from '#domain/filter/conditions/predicate.ts';
import { namesFlagOrStatus } from './required-texts.ts';

/** In order of preference. */
const NARROW_TABLES = ['state', 'names', 'software'] as const;
export type NarrowTable = (typeof NARROW_TABLES)[number];

interface NarrowRows {
  readonly table: Sql;
  readonly orgId: Sql;
  readonly id: Sql;
}

/**
 * Adds the alias `z` to the row `d` of `device_state`. Conditions read `last_seen_at` from it, because contacts of
 * agents update only `device_state`.
 */
export const OWN_STATE = sql` cross join lateral (select d.last_seen_at) z`;

export const NARROW_ROWS: Readonly<Record<NarrowTable, NarrowRows>> = {
  state: { table: sql`device_state d${OWN_STATE}`, orgId: sql`d.org_id`, id: sql`d.id` },
  names: { table: sql`device_names d`, orgId: sql`d.org_id`, id: sql`d.id` },
  // A device without software may have no row here.
  software: { table: sql`device_software s`, orgId: sql`s.org_id`, id: sql`s.device_id` },
};

/** Tables that have everything the filter reads, and a row for each matching device. */
export function narrowTablesOf(root: Node<Criterion>): readonly NarrowTable[] {
  let tables: readonly NarrowTable[] = NARROW_TABLES;
  foldConditions<Criterion, void>(root, {
    condition: (criterion) => {
      tables = tables.filter((table) => hasAllOf(table, criterion));
    },
    group: () => undefined,
  });
  return tables;
}

/**
 * The index on sets of software is always faster than a scan, but the planner believes that searching a set is as cheap
 * as comparing two numbers.
 */
export function countsBySoftware(root: Node<Criterion>): boolean {
  return narrowTablesOf(root)[0] === 'software';
}

/**
 * Whether one index finds the matches and has everything that the filter reads: flags and enumerations in an AND, with
 * a flag or a status.
 */
export function isCountedByIndex(root: Node<Criterion>): boolean {
  const members = root.kind === 'group' && root.operator === 'AND' ? root.conditions : [root];
  return namesFlagOrStatus(root) && members.every(({ kind }) => kind !== 'group') && readsFlagsAndWords(root);
}

/** Whether one index has all columns that the filter reads. */
export function readsFlagsAndWords(root: Node<Criterion>): boolean {
  return foldConditions<Criterion, boolean>(root, {
    condition: (criterion) => {
      if (criterion.reads !== 'value' || criterion.field.source.kind === 'custom') return false;
      return FLAGS_AND_WORDS.has(criterion.field.source.key);
    },
    group: (_, members) => members.every(Boolean),
  });
}

function hasAllOf(table: NarrowTable, { reads, field, predicate, isNegated }: Criterion): boolean {
  if (table === 'software') return (reads === 'software' || reads === 'versions') && !isNegated;
  if (reads !== 'value' || field.source.kind === 'custom') return false;
  const { key } = field.source;
  if (table === 'state') return STATE_FIELDS.has(key);
  return NAME_FIELDS.has(key) && (!isText(key) || isOfFoldedText(predicate));
}

const FLAGS_AND_WORDS: ReadonlySet<ValueFieldKey> = new Set([
  'status',
  'osType',
  'deviceRole',
  'orgId',
  'patches.pending',
  'alerts.critical',
  'system.rebootRequired',
]);

const STATE_FIELDS: ReadonlySet<ValueFieldKey> = new Set([
  ...FLAGS_AND_WORDS,
  'id',
  'lastSeenAt',
  'enrolledAt',
  'uptimeSeconds',
  'patches.reported',
  'metrics.reported',
  'metrics.cpuPercent',
  'metrics.ramPercent',
  'metrics.diskPercent',
  'daysSinceLastSeen',
  'daysSinceEnrolled',
]);

const NAME_FIELDS: ReadonlySet<ValueFieldKey> = new Set(['id', 'status', 'orgId', 'hostname', 'displayName']);

function isText(key: ValueFieldKey): boolean {
  return key === 'hostname' || key === 'displayName';
}

/** `device_names` has only folded names. The empty text is compared with names as written. */
function isOfFoldedText(predicate: Predicate): boolean {
  return predicate.kind === 'textLike' && predicate.folded !== '';
}
