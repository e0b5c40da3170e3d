import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ExplainedNode, Explanation } from '#adapters/http/api-types.ts';
import { explanationQuery } from '#console/api/filters.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import {
  describeActual,
  describeLeaf,
  type NameOf,
} from '#console/pages/devices/filter/describe-condition.ts';
import { useNames } from '#console/pages/lists/use-organizations.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { Pending } from '#console/parts/feedback/pending.tsx';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import styles from './explain-tree.module.css';
import { effectInGroup, flattenTree, type GroupEffect, isGroup, marginOf } from './flatten-tree.ts';

interface ExplainTreeProps {
  readonly conditions: ConditionJson;
  readonly explanation: Explanation;
  readonly nameOf: NameOf;
}

const MAX_INDENT = 8;

/** Groups at levels 4, 8 and so on start collapsed. */
const LEVELS_AT_ONCE = 4;

export function ExplainTree({ conditions, explanation, nameOf }: ExplainTreeProps) {
  const { nodes, deviceCount } = explanation;
  const flat = useMemo(() => flattenTree(conditions), [conditions]);
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const isOpen = (index: number) => {
    const level = flat[index]?.level ?? 0;
    return (level === 0 || level % LEVELS_AT_ONCE !== 0) !== toggled.has(index);
  };
  const shown: boolean[] = [];
  for (const { parent } of flat) shown.push(parent === null || (shown[parent] === true && isOpen(parent)));
  const { sample } = explanation;
  return (
    <>
      {sample !== undefined && <SampleNotice sample={sample} />}
      <ul className={styles.tree}>
        {flat.map(({ node, level, parent, size }, i) => {
          const explained = nodes[i];
          if (explained === undefined || shown[i] !== true) return null;
          const group = parent === null ? undefined : nodes[parent];
          return (
            <li key={explained.path} style={{ paddingInlineStart: `${Math.min(level, MAX_INDENT) * 20}px` }}>
              <Verdict node={explained} />
              <span className={styles.text}>
                {isGroup(node) ? (
                  <GroupHead
                    node={node}
                    size={size}
                    isOpen={isOpen(i)}
                    onToggle={() => setToggled((before) => before.symmetricDifference(new Set([i])))}
                  />
                ) : (
                  describeLeaf(node, nameOf)
                )}
                {!isGroup(node) && <Actual node={explained} />}
                <Effect effect={effectInGroup(explained, group, sample !== undefined)} />
              </span>
              <span className={styles.count}>
                <span className={styles.track} aria-hidden="true">
                  <span
                    style={{ width: `${deviceCount === 0 ? 0 : (explained.count / deviceCount) * 100}%` }}
                  />
                </span>
                <span>{words.filters.estimate(explained.count, marginOf(explained, explanation))}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

export function SampleNotice({ sample }: { readonly sample: NonNullable<Explanation['sample']> }) {
  return <p className="note">{words.filters.sampled(sample.devices, sample.of)}</p>;
}

interface GroupHeadProps {
  readonly node: ConditionJson;
  readonly size: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function GroupHead({ node, size, isOpen, onToggle }: GroupHeadProps) {
  return (
    <button type="button" className={styles.group} aria-expanded={isOpen} onClick={onToggle}>
      <Icon name={isOpen ? 'down' : 'chevron'} />
      <strong>{words.devices.match[node.operator]}</strong>
      {!isOpen && <small>{words.devices.conditionCount(size)}</small>}
    </button>
  );
}

function Effect({ effect }: { readonly effect: GroupEffect | null }) {
  if (effect === null) return null;
  if (effect.kind === 'idle') return <small>{words.filters.changesNothing}</small>;
  return <small className={styles.empties}>{words.filters.without(effect.without, effect.isEstimate)}</small>;
}

function Verdict({ node: { device } }: { readonly node: ExplainedNode }) {
  if (device === undefined) return null;
  const text = device.matches ? words.devices.matches : words.devices.matchesNot;
  return (
    <span className={device.matches ? styles.yes : styles.no} role="img" aria-label={text}>
      <Icon name={device.matches ? 'check' : 'close'} />
    </span>
  );
}

function Actual({ node: { device } }: { readonly node: ExplainedNode }) {
  if (device === undefined || !('actual' in device)) return null;
  const text = describeActual(device.actual);
  return <small>{text === '' ? words.devices.actualNone : words.devices.actual(text)}</small>;
}

interface ExplainViewProps {
  readonly conditions: ConditionJson;
  readonly deviceId: string | null;
  readonly orgId: string | null;
}

export function ExplainView({ conditions, deviceId, orgId }: ExplainViewProps) {
  const asked = { json: JSON.stringify(conditions), orgId };
  const query = useQuery(explanationQuery(useApi(), asked, deviceId));
  const nameOf = useNames(asked.json.includes('"filter"'));
  if (query.error instanceof ApiError && query.error.code === 'too_many_nodes') {
    return <Notice kind="info">{words.filters.tooMany}</Notice>;
  }
  if (query.data === undefined) return <Pending query={query} />;
  return <ExplainTree conditions={conditions} explanation={query.data} nameOf={nameOf} />;
}
