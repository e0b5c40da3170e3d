/**
 * Tables with a narrow row for each device, in which devices are counted where a filter reads nothing else. Their
 * columns are called as those of the device, so that conditions on the device `d` are conditions on them.
 */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { ValueFieldKey } from '#domain/filter/catalog/core-fields.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { Predicate } from '#domain/filter/conditions/predicate.ts';
import { namesFlagOrStatus } from './required-texts.ts';

/** In the order in which they are preferred. */
const NARROW_TABLES = ['state', 'names', 'software'] as const;
export type NarrowTable = (typeof NARROW_TABLES)[number];

interface NarrowRows {
  readonly table: Sql;
  readonly orgId: Sql;
}

/** Narrow rows belong to the organization of their device. */
export const NARROW_ROWS: Readonly<Record<NarrowTable, NarrowRows>> = {
  state: { table: sql`device_state d`, orgId: sql`d.org_id` },
  names: { table: sql`device_names d`, orgId: sql`d.org_id` },
  // Not of every device, but no device without a row has any software.
  software: { table: sql`device_software s`, orgId: sql`s.org_id` },
};

/** The tables that have all that the filter reads, with a row of each device that matches. */
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
 * Whether devices are counted by their sets of software. The index on them finds any number of devices faster than a
 * scan, which has to look through each set; but the planner takes that for as cheap as comparing two numbers.
 */
export function countsBySoftware(root: Node<Criterion>): boolean {
  return narrowTablesOf(root)[0] === 'software';
}

/**
 * Whether an index leads to the matches that has all that the filter reads: flags and words, all of which have to be
 * there, and of which one is a flag or a status.
 */
export function isCountedByIndex(root: Node<Criterion>): boolean {
  const members = root.kind === 'group' && root.operator === 'AND' ? root.conditions : [root];
  return namesFlagOrStatus(root) && members.every(isOfFlagOrWord);
}

function isOfFlagOrWord(node: Node<Criterion>): boolean {
  if (node.kind === 'group' || node.reads !== 'value' || node.field.source.kind === 'custom') return false;
  return FLAGS_AND_WORDS.has(node.field.source.key);
}

function hasAllOf(table: NarrowTable, { reads, field, predicate, isNegated }: Criterion): boolean {
  if (table === 'software') return reads === 'software' && !isNegated;
  if (reads !== 'value' || field.source.kind === 'custom') return false;
  const { key } = field.source;
  if (table === 'state') return STATE_FIELDS.has(key);
  return NAME_FIELDS.has(key) && (key === 'status' || key === 'orgId' || isOfFoldedText(predicate));
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
  'lastSeenAt',
  'enrolledAt',
  'uptimeSeconds',
  'metrics.cpuPercent',
  'metrics.ramPercent',
  'metrics.diskPercent',
  'daysSinceLastSeen',
  'daysSinceEnrolled',
]);

const NAME_FIELDS: ReadonlySet<ValueFieldKey> = new Set(['status', 'orgId', 'hostname', 'displayName']);

/** Host names as they are written are with the devices alone; that a text contains the empty text is asked of those. */
function isOfFoldedText(predicate: Predicate): boolean {
  return predicate.kind === 'textLike' && predicate.folded !== '';
}
