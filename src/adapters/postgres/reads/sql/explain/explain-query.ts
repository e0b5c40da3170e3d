/** The query that explains a filter: one scan of the devices in scope, and one device beside it. */
import { devicesInScope, statesInScope } from '#adapters/postgres/reads/sql/devices/preview-query.ts';
import { type Sql, sql, uuidLiteral } from '#adapters/postgres/reads/sql/literal.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceId } from '#domain/ids.ts';
import { type CompiledExplanation, isCompiledExplanation } from './explanation-to-sql.ts';
import { column } from './pattern-bits.ts';

/** See `ScopedStatement.explain`. */
export function explainQuery(
  scope: AccessScope,
  explanation: CompiledExplanation,
  deviceId: DeviceId | null,
): Sql {
  // What a text from elsewhere says could be anything.
  if (!isCompiledExplanation(explanation))
    throw new Error('only compiled explanations are put into statements');
  const { counted } = explanation;
  const counts = [sql`sum(p.n)`, ...counted.map((condition) => sql`sum(p.n) filter (where ${condition})`)];
  const totals = sql`select ${list(counts)} from ${patterns(scope, explanation)} p`;
  if (deviceId === null) return totals;
  const { keys, actuals, joins } = explanation;
  return sql`select c.*, a.* from (${totals}) c left join (
    select ${list([sql`d.id`, ...keys, ...actuals])} ${devicesInScope(scope, joins)} and d.id = ${uuidLiteral(deviceId)}
  ) a on true`;
}

/** Rows of (n, k0, k1, ..., and the columns of the groups): the devices with the same bits, counted. */
function patterns(scope: AccessScope, { keys, steps, joins, isOfState }: CompiledExplanation): Sql {
  const columns = keys.map((key, i) => sql`${key} as ${column('k', i)}`);
  const names = list(keys.map((_, i) => column('k', i)));
  const devices = isOfState ? statesInScope(scope) : devicesInScope(scope, joins);
  // OFFSET 0 keeps the planner from copying a column to wherever it is used. As it knows nothing of such columns, it
  // expects few patterns, and hashes them rather than sort all devices.
  const counted = sql`(select ${names}, count(*) as n
    from (select ${list(columns)} ${devices} offset 0) b group by ${names})`;
  return steps.reduce((from, step) => sql`(select p.*, ${list(step)} from ${from} p offset 0)`, counted);
}

function list(columns: readonly Sql[]): Sql {
  return columns.join(', ') as Sql;
}
