/** Uses one snapshot. One statement counts the devices; another gives all other counts and the explained device. */
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { titleLookups } from '#adapters/postgres/reads/sql/conditions/software.ts';
import {
  type CompiledExplanation,
  explanationToSql,
} from '#adapters/postgres/reads/sql/explain/explanation-to-sql.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { DeviceAtNode, FilterExplainer } from '#application/ports/filters/filter-explainer.ts';
import { type ListedNode, listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { type ActualValue, toActual } from '#domain/filter/evaluate/read-field.ts';
import { sampleInterval } from '#domain/filter/evaluate/sample-devices.ts';
import { markNodes } from '#domain/filter/evaluate/tally-nodes.ts';
import { err, ok } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { readMatching, readOptions } from './match-options.ts';

export function makeFilterExplainer(reader: ScopedReader): FilterExplainer {
  return async ({ filter, scope, at, deviceId, ...work }) => {
    const options = { ...readOptions(work), startedAt: performance.now(), hasSeveral: true };
    const nodes = listNodes(filter);
    const lookups = titleLookups(filter);
    const read = await readMatching(reader, scope, lookups, options, async (titleIds, query) => {
      const explanation = explanationToSql(nodes, { at, titleIds });
      const [inScope] = await query<{ count: string }>(ScopedStatement.deviceCount(scope));
      const deviceCount = Number(inScope?.count);
      const conditions = nodes.flatMap(({ node }) => (node.kind === 'condition' ? [node] : []));
      const interval = sampleInterval(conditions, deviceCount);
      const sample =
        interval === 1
          ? null
          : { interval, filter: filterToSql(simplifyConditions(filter), { at, titleIds }) };
      const statement = ScopedStatement.explain(scope, explanation, deviceId, sample);
      const rows = await query<Row>(statement, { asTexts: true });
      return { explanation, deviceCount, isSampled: sample !== null, rows };
    });
    if (!read.ok) return read;
    const { explanation, deviceCount, isSampled, rows } = read.value;
    const [total = null, tallied = null, ...others] = rows[0] ?? [];
    const counts = explanation.countsOf(others.splice(0, explanation.counted.length).map(Number));
    const answer = {
      deviceCount,
      totalCount: isSampled ? Number(total) : (counts[0]?.count ?? 0),
      sampledCount: isSampled ? Number(tallied) : null,
      counts,
    };
    if (deviceId === null) return ok({ ...answer, device: null });
    const [id = null, ...held] = others;
    if (id === null) return err({ kind: 'unknown-device' });
    return ok({ ...answer, device: describe(nodes, explanation, held, at) });
  };
}

/** The columns of `explainQuery`. */
type Row = readonly (string | null)[];

function describe(
  nodes: readonly ListedNode[],
  explanation: CompiledExplanation,
  held: readonly (string | null)[],
  at: EpochMs,
): readonly DeviceAtNode[] {
  const keys = held.slice(0, explanation.keys.length).map(Number);
  const actuals = held.slice(explanation.keys.length).map(toValue);
  const marks = markNodes(nodes, (index) => explanation.holds(keys, index));
  return nodes.map(({ node }, i) => ({
    matches: marks[i] === true,
    actual:
      node.kind === 'condition'
        ? toActual(node.field, explanation.actualOf(actuals, i) ?? null, at)
        : undefined,
  }));
}

function toValue(json: string | null): ActualValue {
  return json === null ? null : JSON.parse(json);
}
