import type { ExplainedNode, Explanation } from '#console/api/filter-text.ts';
import { words } from '#console/app/words.ts';
import { describeLeaf, type NameOf } from '#console/pages/devices/describe-condition.ts';
import { formatDateTime, formatNumber } from '#console/parts/format.ts';
import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import styles from './explain-tree.module.css';
import { isGroup } from './is-group.ts';

export interface ExplainTreeProps {
  readonly conditions: ConditionJson;
  readonly explanation: Explanation;
  readonly nameOf: NameOf;
}

/** Beyond this many levels, the indent stays. */
const MAX_INDENT = 8;

/** Each condition and group: how many devices it matches alone, and whether the device in question does. */
export function ExplainTree({ conditions, explanation, nameOf }: ExplainTreeProps) {
  const { nodes, deviceCount } = explanation;
  return (
    <ul className={styles.tree}>
      {flatten(conditions).map(({ node, level, parent }, i) => {
        const explained = nodes[i];
        if (explained === undefined) return null;
        const group = parent === null ? undefined : nodes[parent];
        return (
          <li key={explained.path} style={{ paddingInlineStart: `${Math.min(level, MAX_INDENT) * 20}px` }}>
            <Verdict node={explained} />
            <span className={styles.text}>
              {isGroup(node) ? (
                <strong>{node.operator === 'AND' ? words.devices.matchAll : words.devices.matchAny}</strong>
              ) : (
                describeLeaf(node, nameOf)
              )}
              {!isGroup(node) && <Actual node={explained} />}
              {explained.countWithout !== undefined && explained.countWithout === group?.count && (
                <small>{words.devices.changesNothing}</small>
              )}
            </span>
            <span className={styles.count}>
              <span className={styles.track} aria-hidden="true">
                <span
                  style={{ width: `${deviceCount === 0 ? 0 : (explained.count / deviceCount) * 100}%` }}
                />
              </span>
              {formatNumber(explained.count)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Verdict({ node: { device } }: { readonly node: ExplainedNode }) {
  if (device === undefined) return null;
  const text = device.matches ? words.devices.matches : words.devices.matchesNot;
  return (
    <span className={device.matches ? styles.yes : styles.no} role="img" aria-label={text}>
      {device.matches ? '✓' : '✗'}
    </span>
  );
}

function Actual({ node: { device } }: { readonly node: ExplainedNode }) {
  if (device === undefined || !('actual' in device)) return null;
  const text = describeActual(device.actual);
  return <small>{text === '' ? words.devices.actualNone : words.devices.actual(text)}</small>;
}

/** What a device has; empty where it has nothing. */
function describeActual(actual: unknown): string {
  if (actual === null || actual === undefined) return '';
  if (Array.isArray(actual)) return actual.map(describeActual).join(', ');
  if (typeof actual === 'boolean') return actual ? 'yes' : 'no';
  if (typeof actual === 'number') return formatNumber(actual);
  const text = String(actual);
  return /^\d{4}-\d\d-\d\dT.*Z$/.test(text) ? formatDateTime(new Date(text)) : text;
}

interface FlatNode {
  readonly node: NodeJson;
  readonly level: number;
  /** The index of its group; null for the root. */
  readonly parent: number | null;
}

/** Every node in document order, as explanations have them. */
function flatten(root: ConditionJson): readonly FlatNode[] {
  const flat: FlatNode[] = [];
  const stack: FlatNode[] = [{ node: root, level: 0, parent: null }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const index = flat.push(next) - 1;
    if (!isGroup(next.node)) continue;
    for (const node of next.node.conditions.toReversed()) {
      stack.push({ node, level: next.level + 1, parent: index });
    }
  }
  return flat;
}
