/**
 * If a filter reads only columns of a narrow table, counting there is faster than in `device`. The columns
 * have the same names, so a condition on the alias `d` works for both tables.
 */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { ValueFieldKey } from '#domain/filter/catalog/core-fields.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { Predicate } from '#domain/filter/conditions/predicate.ts';
import { namesFlagOrStatus } from './required-texts.ts';

/** If several tables serve a filter, the first is used. */
const NARROW_TABLES = ['state', 'names', 'software'] as const;
export type NarrowTable = (typeof NARROW_TABLES)[number];

interface NarrowRows {
  readonly table: Sql;
  readonly orgId: Sql;
  readonly id: Sql;
}

/**
 * Gives the row `d` of `device_state` the alias `z` as well. Conditions read `z.last_seen_at`, because
 * contacts of agents update only `device_state`.
 */
export const OWN_STATE = sql` cross join lateral (select d.last_seen_at) z`;

export const NARROW_ROWS: Readonly<Record<NarrowTable, NarrowRows>> = {
  state: { table: sql`device_state d${OWN_STATE}`, orgId: sql`d.org_id`, id: sql`d.id` },
  names: { table: sql`device_names d`, orgId: sql`d.org_id`, id: sql`d.id` },
  // A device without software may have no row here, so a negated criterion needs another table.
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
 * Whether scans must be forbidden. The index on sets of software is always faster, but the planner
 * underestimates how expensive it is to search a set.
 */
export function countsBySoftware(root: Node<Criterion>): boolean {
  return narrowTablesOf(root)[0] === 'software';
}

/**
 * Whether one index can count the matches. It can for flags and enumerations in an AND, with a flag or a
 * status among them.
 */
export function isCountedByIndex(root: Node<Criterion>): boolean {
  const members = root.kind === 'group' && root.operator === 'AND' ? root.conditions : [root];
  return namesFlagOrStatus(root) && members.every(({ kind }) => kind !== 'group') && readsFlagsAndWords(root);
}

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

/**
 * Whether `device_names` can answer, which has only folded names. The condition for an empty text reads the name as
 * written, so it needs another table.
 */
function isOfFoldedText(predicate: Predicate): boolean {
  return predicate.kind === 'textLike' && predicate.folded !== '';
}
