/** Devices have few patches, so each is a row. */
import {
  arrayLiteral,
  likeLiteral,
  type Sql,
  sql,
  textLiteral,
} from '#adapters/postgres/reads/sql/literal.ts';
import type { PatchCriterion } from '#domain/filter/conditions/condition.ts';
import { STATUS_OF_TITLES } from '#domain/filter/evaluate/read-field.ts';

/** As in the index of titles. The companion is NULL if folding changes nothing. */
const FOLDED_TITLE = sql`coalesce(p.title_lc, p.title)`;

/** Never NULL. */
export function patchCondition({ field, predicate }: PatchCriterion): Sql {
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
