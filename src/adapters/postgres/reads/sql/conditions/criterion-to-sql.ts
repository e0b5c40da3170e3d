/**
 * For a missing value, a positive criterion is NULL, which counts as false. Turning NULL into false would
 * keep PostgreSQL from using indexes. A negated criterion is the exact complement and never NULL.
 */
import {
  arrayLiteral,
  likeLiteral,
  type Sql,
  sql,
  textLiteral,
} from '#adapters/postgres/reads/sql/literal.ts';
import { assertNever } from '#domain/assert-never.ts';
import type {
  Criterion,
  InnerCriterion,
  PatchCriterion,
  RowsCriterion,
} from '#domain/filter/conditions/condition.ts';
import type { TextPredicate } from '#domain/filter/conditions/predicate.ts';
import { STATUS_OF_TITLES } from '#domain/filter/evaluate/read-field.ts';
import type { EpochMs } from '#domain/time.ts';
import { rowsColumn, valueColumn } from './device-columns.ts';
import { foldedAsFarAs } from './folded-text.ts';
import { softwareCondition, type TitleIds, versionsCondition } from './software.ts';
import { listCondition, overlaps, patternCondition, valueCondition } from './value-condition.ts';

/** The condition is never NULL. */
export function tagCondition(predicate: TextPredicate): Sql {
  switch (predicate.kind) {
    case 'present':
      return ANY_TAG;
    case 'textIn':
      return overlaps(sql`d.tags`, predicate.values);
    case 'textLike': {
      const { folded, position } = predicate;
      return folded === ''
        ? ANY_TAG
        : exists(sql`${foldedAsFarAs(sql`e.tag`, folded)} like ${likeLiteral(folded, position)}`);
    }
    case 'pattern':
      return exists(patternCondition(sql`e.tag`, predicate.pattern));
    default:
      return assertNever(predicate);
  }
}

const ANY_TAG = sql`d.tags <> '{}'`;

function exists(condition: Sql): Sql {
  return sql`exists (select 1 from unnest(d.tags) e(tag) where ${condition})`;
}

export interface EvaluationContext {
  readonly at: EpochMs;
  readonly titleIds: TitleIds;
  /** Whether the planner may turn a look-up in another table into a join. */
  readonly mayJoinRows: boolean;
}

type PlainCriterion = Exclude<Criterion, InnerCriterion>;

/** Inner filters are compiled in `filter-to-sql.ts`. */
export function criterionToSql(criterion: PlainCriterion, context: EvaluationContext): Sql {
  const positive = positiveCondition(criterion, context);
  if (!criterion.isNegated) return positive.sql;
  return positive.isNullable ? sql`(${positive.sql}) is not true` : sql`not (${positive.sql})`;
}

interface Positive {
  readonly sql: Sql;
  readonly isNullable: boolean;
}

function positiveCondition(criterion: PlainCriterion, context: EvaluationContext): Positive {
  switch (criterion.reads) {
    case 'value': {
      const column = valueColumn(criterion.field);
      const { predicate } = criterion;
      return {
        sql: valueCondition(column, predicate, context.at),
        isNullable: column.isNullable && predicate.kind !== 'present',
      };
    }
    case 'rows':
      return { sql: rowsCondition(criterion, context), isNullable: false };
    case 'list':
      return { sql: listCondition(criterion), isNullable: false };
    case 'software':
      return { sql: softwareCondition(criterion.predicate, context.titleIds), isNullable: true };
    case 'versions':
      return { sql: versionsCondition(criterion, context.titleIds), isNullable: true };
    case 'patches':
      return { sql: mayBeJoined(patchCondition(criterion), context.mayJoinRows), isNullable: false };
    default:
      return assertNever(criterion);
  }
}

function rowsCondition({ field, predicate }: RowsCriterion, { at, mayJoinRows }: EvaluationContext): Sql {
  const { key } = field.source;
  if (key === 'tags.name') return tagCondition(predicate);
  const { row, exists } = rowsColumn(key);
  return mayBeJoined(exists(valueCondition(row, predicate, at)), mayJoinRows);
}

/** The planner turns a bare EXISTS into a join, but not an EXISTS inside another expression. */
function mayBeJoined(anyRow: Sql, mayJoinRows: boolean): Sql {
  return mayJoinRows ? anyRow : sql`(${anyRow}) is true`;
}

/** Must equal the expression in the index `patch_titles`. `title_lc` is NULL if folding changes nothing. */
const FOLDED_TITLE = sql`coalesce(p.title_lc, p.title)`;

/** The condition is never NULL. Devices have few patches, so each patch is a row. */
function patchCondition({ field, predicate }: PatchCriterion): Sql {
  const status = sql`${textLiteral(STATUS_OF_TITLES[field.source.key])}::patch_status`;
  const has = (condition: Sql) =>
    sql`exists (select 1 from patch p where p.device_id = d.id and p.status = ${status} and ${condition})`;
  switch (predicate.kind) {
    case 'textLike':
      return has(sql`${FOLDED_TITLE} like ${likeLiteral(predicate.folded, predicate.position)}`);
    case 'foldedTextIn':
      return has(sql`${FOLDED_TITLE} = any(${arrayLiteral(predicate.values, sql`text`)})`);
    case 'hasAllFolded':
      return sql`${arrayLiteral(predicate.values, sql`text`)} <@ array(
        select ${FOLDED_TITLE} from patch p where p.device_id = d.id and p.status = ${status})`;
  }
}
