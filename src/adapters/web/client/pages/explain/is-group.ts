import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';

export function isGroup(node: NodeJson): node is ConditionJson {
  return 'conditions' in node;
}
