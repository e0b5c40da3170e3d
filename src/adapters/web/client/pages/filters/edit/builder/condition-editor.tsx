import { memo } from 'react';
import { words } from '#console/app/words.ts';
import { changeNode, type DraftCondition } from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeNote } from '#console/pages/filters/tree/node-notes.ts';
import { ConditionFields } from '#console/parts/condition/condition-fields.tsx';
import { useBuilder } from './builder-context.ts';
import styles from './condition-editor.module.css';
import { NodeCount } from './node-count.tsx';
import { faultsId, NodeFaultList } from './node-faults.tsx';
import { RemoveButton } from './remove-button.tsx';

export interface ConditionEditorProps {
  readonly condition: DraftCondition;
  /** Undefined while it is on its way, null where nothing is counted. */
  readonly note: NodeNote | null | undefined;
  readonly faults: readonly string[];
  readonly hasFocusAtFirst: boolean;
}

/** A condition of the builder, with what it does to the devices. Drawn again only when something of its own has changed. */
export const ConditionEditor = memo(function ConditionEditor(props: ConditionEditorProps) {
  const { condition, note, faults, hasFocusAtFirst } = props;
  const { vocabulary, change } = useBuilder();
  const { id } = condition;
  const entry = vocabulary.catalog.get(condition.field);
  const label = entry?.kind === 'field' ? entry.field.label : words.filters.chooseField;
  const isFaulty = faults.length > 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser.
    <div role="group" aria-label={`${words.filters.condition}: ${label}`} className={styles.condition}>
      <div className={styles.row}>
        <ConditionFields
          condition={condition}
          vocabulary={vocabulary}
          isInvalid={isFaulty}
          describedBy={isFaulty ? faultsId(id) : undefined}
          hasFocusAtFirst={hasFocusAtFirst}
          onChange={(next) => change((tree) => changeNode(tree, id, () => next))}
        />
        <NodeCount note={note} />
        <RemoveButton id={id} />
      </div>
      <NodeFaultList id={id} messages={faults} />
    </div>
  );
});
