/** Questions to an explainer, and the same put to a matcher node by node. */
import type { ExplainRequest, Explanation } from '#application/ports/filters/filter-explainer.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { type ListedNode, listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import type { NodeCount } from '#domain/filter/evaluate/tally-nodes.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';
import { parseIn } from '#test/support/filters.ts';

export interface ExplainQuestion {
  readonly scope: AccessScope;
  readonly filter: ConditionGroup;
  readonly at?: EpochMs;
  readonly deviceId?: DeviceId;
}

/** The request for that question. */
export function requestOf({ at = SOME_INSTANT, deviceId, ...question }: ExplainQuestion): ExplainRequest {
  return { ...question, at, deviceId: deviceId ?? null, onBehalfOf: 'test' };
}

/** The explanation; throws if there is none. */
export async function explain(backend: ContractBackend, question: ExplainQuestion): Promise<Explanation> {
  const explained = await backend.explainFilter(requestOf(question));
  if (!explained.ok) throw new Error(`the explanation was refused: ${JSON.stringify(explained.error)}`);
  return explained.value;
}

/** The same for a filter as it is sent, with the custom fields of the scope. */
export async function explainRaw(
  backend: ContractBackend,
  scope: AccessScope,
  group: unknown,
  given: Pick<ExplainQuestion, 'at' | 'deviceId'> = {},
): Promise<Explanation> {
  return explain(backend, { scope, filter: await parseIn(backend, scope, group), ...given });
}

/** The counts by previews: of each node alone, and of its siblings if it is a member of an AND. */
export async function countByPreviews(
  { matcher }: ContractBackend,
  { filter, ...question }: ExplainQuestion,
): Promise<readonly NodeCount[]> {
  const nodes = listNodes(filter);
  const count = async (members: ConditionGroup['conditions']) => {
    const group: ConditionGroup = { kind: 'group', operator: 'AND', conditions: members };
    const found = await matcher.preview(requestOf({ ...question, filter: group }), 1);
    if (!found.ok) throw new Error(`the preview was refused: ${JSON.stringify(found.error)}`);
    return found.value.totalCount;
  };
  const counts: NodeCount[] = [];
  for (const listed of nodes) {
    const siblings = siblingsInAnd(nodes, listed);
    counts.push({
      count: await count([listed.node]),
      countWithout: siblings.length === 0 ? null : await count(siblings),
    });
  }
  return counts;
}

function siblingsInAnd(nodes: readonly ListedNode[], { node, parent }: ListedNode) {
  const group = parent === null ? undefined : nodes[parent]?.node;
  return group?.kind === 'group' && group.operator === 'AND'
    ? group.conditions.filter((member) => member !== node)
    : [];
}
