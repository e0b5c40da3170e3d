/** Explanations of filters as JSON text, field by field (Contract: §12). */
import type { ExplainedFilter, ExplainedNode } from '#application/filters/evaluate/run-explain.ts';
import type { DeviceAtNode } from '#application/ports/filters/filter-explainer.ts';
import type { ConditionNode } from '#domain/filter/conditions/condition.ts';
import { printInstant } from '#domain/text/print-instant.ts';

/** `{data: {evaluatedAt, deviceCount, totalCount, nodes}}`. */
export function presentExplanation(explained: ExplainedFilter): string {
  const { evaluatedAt, deviceCount, totalCount, nodes } = explained;
  return JSON.stringify({
    data: {
      evaluatedAt: printInstant(evaluatedAt),
      deviceCount,
      totalCount,
      nodes: nodes.map(presentNode),
    },
  });
}

function presentNode({ node, path, count, countWithout, device }: ExplainedNode): object {
  return {
    path,
    operator: node.operator,
    ...(node.kind === 'condition' && { field: node.field.key }),
    count,
    ...(countWithout !== null && { countWithout }),
    ...(device !== null && { device: presentDevice(node, device) }),
  };
}

function presentDevice(node: ConditionNode, { matches, actual }: DeviceAtNode): object {
  if (node.kind === 'group') return { matches };
  const isInstant = node.field.type === 'datetime' && typeof actual === 'number';
  return { matches, actual: isInstant ? printInstant(actual) : actual };
}
