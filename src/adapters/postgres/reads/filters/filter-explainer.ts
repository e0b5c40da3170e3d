/** One statement gives every count and the explained device. */
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { titleLookups } from '#adapters/postgres/reads/sql/conditions/software.ts';
import {
  type CompiledExplanation,
  explanationToSql,
} from '#adapters/postgres/reads/sql/explain/explanation-to-sql.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { DeviceAtNode, FilterExplainer } from '#application/ports/filters/filter-explainer.ts';
import { type ListedNode, listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import { type ActualValue, toActual } from '#domain/filter/evaluate/read-field.ts';
import { markNodes } from '#domain/filter/evaluate/tally-nodes.ts';
import { err, ok } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { readMatching, readOptions } from './match-options.ts';

export function makeFilterExplainer(reader: ScopedReader): FilterExplainer {
  return async ({ filter, scope, at, deviceId, ...work }) => {
    const options = { ...readOptions(work), startedAt: performance.now() };
    const nodes = listNodes(filter);
    const lookups = titleLookups(filter);
    const read = await readMatching(reader, scope, lookups, options, async (titleIds, query) => {
      const explanation = explanationToSql(nodes, { at, titleIds });
      const statement = ScopedStatement.explain(scope, explanation, deviceId);
      return { explanation, rows: await query<Row>(statement, { asTexts: true }) };
    });
    if (!read.ok) return read;
    const { explanation, rows } = read.value;
    const [total = null, ...others] = rows[0] ?? [];
    const counts = others.splice(0, explanation.counted.length);
    const answer = { deviceCount: Number(total), counts: explanation.countsOf(counts.map(Number)) };
    if (deviceId === null) return ok({ ...answer, device: null });
    const [id = null, ...held] = others;
    if (id === null) return err({ kind: 'unknown-device' });
    return ok({ ...answer, device: describe(nodes, explanation, held, at) });
  };
}

/** As texts; see `ScopedStatement.explain`. */
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
