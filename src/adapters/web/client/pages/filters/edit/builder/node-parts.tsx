import { words } from '#console/app/words.ts';
import { describeActual } from '#console/pages/devices/filter/describe-condition.ts';
import type { DraftNode } from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeNote } from '#console/pages/filters/tree/node-notes.ts';
import { Button } from '#console/parts/actions/button.tsx';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { Badge } from '#console/parts/display/badge.tsx';
import { formatNumber } from '#console/parts/display/format.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { findEntry } from '#domain/filter/catalog/field-catalog.ts';
import { useBuilder } from './builder-context.ts';
import styles from './node-parts.module.css';

export function NodeCount({ note }: { readonly note: NodeNote | null | undefined }) {
  if (note === null) return null;
  if (note === undefined) return <div className={styles.count} />;
  const { count, total, margin, effect, device } = note;
  const share = total === 0 ? 0 : count / total;
  return (
    <div className={styles.count}>
      {device !== null && (
        <span className={device.matches ? styles.in : styles.out}>
          <Icon name={device.matches ? 'check' : 'close'} />
          <span className="visually-hidden">
            {device.matches ? words.filters.matchesHere : words.filters.matchesNotHere}
          </span>
          {device.actual !== undefined && (
            <span className={`cut ${styles.actual}`} title={textOfActual(device.actual)}>
              {textOfActual(device.actual)}
            </span>
          )}
        </span>
      )}
      {effect?.kind === 'idle' && (
        <span title={words.filters.changesNothingHint}>
          <Badge>{words.filters.changesNothing}</Badge>
        </span>
      )}
      {effect?.kind === 'empties' && (
        <span title={words.filters.emptiesHint(effect.without, effect.isEstimate)}>
          <Badge tone="amber">{words.filters.without(effect.without, effect.isEstimate)}</Badge>
        </span>
      )}
      <span className={styles.number} title={words.filters.alone(count, margin)}>
        <span aria-hidden="true">{words.filters.estimate(count, margin)}</span>
        <span className="visually-hidden">{words.filters.alone(count, margin)}</span>
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      </span>
    </div>
  );
}

export function faultsId(id: number): string {
  return `faults-${id}`;
}

interface NodeFaultListProps {
  readonly id: number;
  readonly messages: readonly string[];
}

export function NodeFaultList({ id, messages }: NodeFaultListProps) {
  if (messages.length === 0) return null;
  return (
    <ul id={faultsId(id)} className={styles.faults}>
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}

export function RemoveButton({ id }: { readonly id: number }) {
  const { remove } = useBuilder();
  return (
    <Button kind="quiet" isCompact aria-label={words.filters.removeNode} onPress={() => remove(id)}>
      <Icon name="close" />
    </Button>
  );
}

export function labelOf(node: DraftNode, { catalog }: Vocabulary): string {
  if (node.kind === 'group') return `${words.filters.group}: ${words.filters.match[node.operator]}`;
  if (node.kind === 'folded') return words.filters.folded;
  const entry = findEntry(catalog, node.field);
  const title = entry?.kind === 'field' ? entry.field.label : node.field || words.filters.chooseField;
  return `${words.filters.condition}: ${title}`;
}

const SAID = 5;

function textOfActual(actual: unknown): string {
  const values = actual === null ? [] : [actual].flat();
  if (values.length === 0) return words.filters.hasNothing;
  const rest = values.length > SAID ? ` +${formatNumber(values.length - SAID)}` : '';
  return words.filters.has(describeActual(values.slice(0, SAID)) + rest);
}
