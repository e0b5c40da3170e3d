/** One statement gives every count and the explained device. */
import { ReadRefused } from '#adapters/postgres/reads/running/read-refusal.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { NO_TITLES, type TitleIds, titleLookups } from '#adapters/postgres/reads/sql/conditions/software.ts';
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
import { readOptions, resolveTitles } from './match-options.ts';

export function makeFilterExplainer(reader: ScopedReader): FilterExplainer {
  return async ({ filter, scope, at, deviceId, ...work }) => {
    const options = { ...readOptions(work), startedAt: performance.now() };
    const nodes = listNodes(filter);
    const lookups = titleLookups(filter);
    const compile = (titleIds: TitleIds) => {
      const explanation = explanationToSql(nodes, { at, titleIds });
      return { explanation, statement: ScopedStatement.explain(scope, explanation, deviceId) };
    };
    try {
      const { explanation, rows } = await (async () => {
        if (lookups === null) {
          const { explanation, statement } = compile(NO_TITLES);
          return { explanation, rows: await reader.read<Row>(statement, { ...options, ...FORM }) };
        }
        return reader.inSnapshot(options, async (session) => {
          const { explanation, statement } = compile(await resolveTitles(session, scope, lookups));
          return { explanation, rows: await session.query<Row>(statement, FORM) };
        });
      })();
      const [total = null, ...others] = rows[0] ?? [];
      const counts = others.splice(0, explanation.counted.length);
      const answer = { deviceCount: Number(total), counts: explanation.countsOf(counts.map(Number)) };
      if (deviceId === null) return ok({ ...answer, device: null });
      const [id = null, ...held] = others;
      if (id === null) return err({ kind: 'unknown-device' });
      return ok({ ...answer, device: describe(nodes, explanation, held, at) });
    } catch (error) {
      if (error instanceof ReadRefused) return err(error.refusal);
      throw error;
    }
  };
}

/** As texts; see `ScopedStatement.explain`. */
type Row = readonly (string | null)[];

const FORM = { asTexts: true };

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
