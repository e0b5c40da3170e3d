import { memo } from 'react';
import { words } from '#console/app/words.ts';
import { textOfConditions } from '#console/pages/filters/tree/draft-text.ts';
import {
  changeNode,
  type DraftCondition,
  type DraftGroup,
  emptyCondition,
  emptyGroup,
  type FoldedGroup,
  SHOWN_LEVELS,
} from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeNote } from '#console/pages/filters/tree/node-notes.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { ConditionFields } from '#console/parts/condition/condition-fields.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { useBuilder, useFindings } from './builder-context.ts';
import styles from './group-editor.module.css';
import handleStyles from './node-handle.module.css';
import { NodeHandle } from './node-handle.tsx';
import { faultsId, labelOf, NodeCount, NodeFaultList, RemoveButton } from './node-parts.tsx';
import { useTurn } from './use-turn.ts';

interface GroupEditorProps {
  readonly group: DraftGroup;
  readonly level: number;
}

const NO_FAULTS: readonly string[] = [];

export function GroupEditor({ group, level }: GroupEditorProps) {
  const { change, add, vocabulary } = useBuilder();
  const { notes, faults, addedId } = useFindings();
  const { id, operator, members } = group;
  const isRoot = level === 1;
  const wrong = members.length > 0 ? (faults.get(id) ?? []) : [];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser.
    <div role="group" aria-label={labelOf(group, vocabulary)} className={styles.group} data-group={id}>
      <div className={styles.head}>
        {!isRoot && <NodeHandle id={id} label={labelOf(group, vocabulary)} />}
        <Dropdown
          label={words.filters.match[operator]}
          isLabelHidden
          isCompact
          value={operator}
          onChange={(chosen) =>
            change((tree) =>
              changeNode(tree, id, (node) => (node.kind === 'group' ? { ...node, operator: chosen } : node)),
            )
          }
        >
          {optionsOf(words.filters.match)}
        </Dropdown>
        <span className={styles.of}>{words.filters.of}</span>
        <NodeCount note={notes === null ? null : notes.get(id)} />
        {!isRoot && <RemoveButton id={id} />}
      </div>
      <NodeFaultList id={id} messages={wrong} />
      <ul className={styles.members}>
        {members.map((member) => (
          <li key={member.id} className={handleStyles.node} data-node={member.id}>
            {member.kind === 'group' && <GroupEditor group={member} level={level + 1} />}
            {member.kind === 'condition' && (
              <ConditionEditor
                condition={member}
                note={notes === null ? null : notes.get(member.id)}
                faults={faults.get(member.id) ?? NO_FAULTS}
                hasFocusAtFirst={addedId === member.id}
              />
            )}
            {member.kind === 'folded' && <FoldedEditor folded={member} />}
          </li>
        ))}
      </ul>
      <div className={`row ${styles.add}`} data-adds={id}>
        <Button kind="quiet" isCompact onPress={() => add(id, emptyCondition())}>
          <Icon name="plus" />
          {words.filters.addCondition}
        </Button>
        {level < SHOWN_LEVELS && (
          <Button
            kind="quiet"
            isCompact
            onPress={() => add(id, emptyGroup(operator === 'AND' ? 'OR' : 'AND'))}
          >
            <Icon name="plus" />
            {words.filters.addGroup}
          </Button>
        )}
      </div>
    </div>
  );
}

interface ConditionEditorProps {
  readonly condition: DraftCondition;
  /** Undefined while loading; null if nothing is counted. */
  readonly note: NodeNote | null | undefined;
  readonly faults: readonly string[];
  readonly hasFocusAtFirst: boolean;
}

/** Memoized, because a filter may have hundreds of conditions. */
const ConditionEditor = memo(function ConditionEditor(props: ConditionEditorProps) {
  const { condition, note, faults, hasFocusAtFirst } = props;
  const { vocabulary, change } = useBuilder();
  const { id } = condition;
  const label = labelOf(condition, vocabulary);
  const isFaulty = faults.length > 0;
  const hasTurn = useTurn();
  if (!hasTurn && !hasFocusAtFirst) return <p className={styles.waiting}>{label}</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser.
    <div role="group" aria-label={label} className={styles.condition}>
      <div className={styles.line}>
        <NodeHandle id={id} label={label} />
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
      </div>
      <NodeFaultList id={id} messages={faults} />
    </div>
  );
});

/** Shows a group too deep for the builder. The group is kept, and can be edited as text. */
function FoldedEditor({ folded }: { readonly folded: FoldedGroup }) {
  const { vocabulary, openText } = useBuilder();
  const { notes, faults } = useFindings();
  const { id, json } = folded;
  const text = textOfConditions(json, vocabulary.catalog);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser.
    <div role="group" aria-label={words.filters.folded}>
      <div className="row">
        <NodeHandle id={id} label={words.filters.folded} />
        <div className={styles.what}>
          <p className={styles.title}>{words.filters.folded}</p>
          {text !== null && <code className={styles.text}>{text}</code>}
        </div>
        {openText !== null && (
          <Button isCompact onPress={openText}>
            {words.filters.openText}
          </Button>
        )}
        <NodeCount note={notes === null ? null : notes.get(id)} />
        <RemoveButton id={id} />
      </div>
      <NodeFaultList id={id} messages={faults.get(id) ?? []} />
    </div>
  );
}
